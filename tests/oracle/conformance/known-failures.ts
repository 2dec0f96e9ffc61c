// Tests of the suite that are known to fail here, each under a reason. The list only shrinks: a test that passes has to be struck.

import { type Result, sigOf } from "./suite-report.ts";

const preface = `# Tests of the suite that fail here, by reason (== reason), each by its full name.
# A test that passes must be struck; new entries need a reason that says what is missing.
`;

/** Name → reason. */
export type KnownFailures = ReadonlyMap<string, string>;

/** Throws where a name has no reason or stands twice. */
export function readKnownFailures(text: string): KnownFailures {
  const known = new Map<string, string>();
  let reason: string | undefined;
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line.startsWith("== ")) reason = line.slice(3);
    else if (line !== "" && !line.startsWith("#")) {
      if (reason === undefined) throw new Error(`known-failures.txt: no reason stands above: ${line}`);
      if (known.has(line)) throw new Error(`known-failures.txt: stands twice: ${line}`);
      known.set(line, reason);
    }
  }
  return known;
}

export function writeKnownFailures(known: KnownFailures): string {
  const reasons = Map.groupBy([...known.keys()].sort(), (name) => known.get(name) as string);
  const blocks = [...reasons]
    .sort(([one], [other]) => Number(one > other) - Number(one < other))
    .map(([reason, names]) => `\n== ${reason}\n${names.map((name) => `${name}\n`).join("")}`);
  return preface + blocks.join("");
}

export interface Comparison {
  /** Failed, and not in the list. */
  readonly unexpected: readonly Result[];
  /** In the list, and passed. */
  readonly mended: readonly string[];
  /** In the list, and not in the suite. */
  readonly unknown: readonly string[];
}

/** `all` are the names of the suite, of which `results` may be a part. */
export function compareWithKnown(known: KnownFailures, results: readonly Result[], all: readonly string[]): Comparison {
  const names = new Set(all);
  return {
    unexpected: results.filter((result) => hasFailed(result) && !known.has(result.name)),
    mended: results.filter(({ name, state }) => state === "passed" && known.has(name)).map(({ name }) => name),
    unknown: [...known.keys()].filter((name) => !names.has(name)),
  };
}

/** The list without what is mended or unknown, and with what failed under `reason`. */
export function acceptFailures(known: KnownFailures, { unexpected, mended, unknown }: Comparison, reason: string): KnownFailures {
  const gone = new Set([...mended, ...unknown]);
  const kept = [...known].filter(([name]) => !gone.has(name));
  return new Map([...kept, ...unexpected.map(({ name }) => [name, reason] as const)]);
}

export function hasFailed({ state }: Result): boolean {
  return state === "failed" || state === "interrupted";
}

export interface SigCount {
  readonly sig: string;
  readonly passed: number;
  readonly failed: number;
  /** Of the failed ones, those that the list names. */
  readonly known: number;
  /** By the test's own word: it finds that it cannot be played here. */
  readonly skipped: number;
  /** Not come to. */
  readonly notRun: number;
}

/** A line for each sig that `wanted` has tests of, and a last one for all. */
export function countBySig(wanted: readonly string[], results: readonly Result[], known: KnownFailures): SigCount[] {
  const byName = new Map(results.map((result) => [result.name, result]));
  function count(sig: string, names: readonly string[]): SigCount {
    const played = names.map((name) => byName.get(name)).filter((result) => result !== undefined);
    const passed = played.filter(({ state }) => state === "passed").length;
    const skipped = played.filter(({ state }) => state === "skipped").length;
    const failures = played.filter(hasFailed);
    return {
      sig,
      passed,
      failed: failures.length,
      known: failures.filter(({ name }) => known.has(name)).length,
      skipped,
      notRun: names.length - passed - failures.length - skipped,
    };
  }
  const sigs = Map.groupBy(wanted, sigOf);
  return [...[...sigs.keys()].sort().map((sig) => count(sig, sigs.get(sig) ?? [])), count("all", wanted)];
}
