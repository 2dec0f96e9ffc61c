// The corpus in both kubectls: prints the share of identical lines by command, and what changed against the known differences.
// Options: names of commands (files of the corpus) to play only those, --show for a diff of each difference, --scenario WORDS,
// --accept REASON to put new differences on the list and strike what is identical, --sample for half of the scenarios, which turn with
// the commit.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inTurn } from "../turns.ts";
import { readCorpus, type Scenario } from "./corpus.ts";
import { keyOf, readKnownDifferences, writeKnownDifferences } from "./known-differences.ts";
import { openPacedDoor } from "./paced-door.ts";
import { type Outcome, play } from "./play.ts";

export interface CompareOptions {
  readonly kubectl: string;
  readonly commands: readonly string[];
  readonly show: boolean;
  readonly scenario: string | undefined;
  readonly accept: string | undefined;
  readonly sample: boolean;
}

function unifiedDiff(real: string, ours: string): string {
  const folder = mkdtempSync(join(tmpdir(), "pilothouse-diff-"));
  writeFileSync(join(folder, "real"), real);
  writeFileSync(join(folder, "ours"), ours);
  const { stdout } = spawnSync("diff", ["-a", "-u", "real", "ours"], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return stdout.replace(/^(---|\+\+\+) (real|ours)\t.*$/gm, "$1 $2");
}

function bothTexts({ printed }: Outcome): string {
  return `expected, as the real kubectl printed it:\n${indented(printed.real)}\nactual, as ours did:\n${indented(printed.ours)}\nthe difference, without what chance and time decide:`;
}

function indented(text: string): string {
  return text.trimEnd().replace(/^/gm, "    ");
}

function showTable(outcomes: readonly Outcome[]): void {
  const row = (name: string, of: readonly Outcome[]): void => {
    const same = of.filter(({ identical }) => identical).length;
    console.log(
      `  ${name.padEnd(18)} ${String(same).padStart(4)} of ${String(of.length).padStart(4)}  ${((100 * same) / of.length).toFixed(0)} %`,
    );
  };
  for (const [command, of] of Map.groupBy(outcomes, ({ command }) => command)) row(command, of);
  row("all", outcomes);
}

/** The others have their turn at another commit. */
function halfOf(scenarios: readonly Scenario[]): readonly Scenario[] {
  const nameOf = ({ command, title }: Scenario): string => `${command} ${title}`;
  const taken = new Set(inTurn(scenarios.map(nameOf)).slice(0, Math.ceil(scenarios.length / 2)));
  return scenarios.filter((scenario) => taken.has(nameOf(scenario)));
}

/** For the last lines of `npm test`, too. */
function tellLeftOut(leftOut: number): void {
  console.log(`${leftOut} scenarios are left out, whose turn is at another commit`);
  mkdirSync("test-results", { recursive: true });
  writeFileSync(join("test-results", "oracle.json"), JSON.stringify({ leftOut }));
}

/** Plays the corpus; true when every line is identical or known to differ, and the real kubectl printed what upstream states. */
export async function compareKubectls(options: CompareOptions): Promise<boolean> {
  const all = readCorpus(options.commands).filter(
    ({ title }) => options.scenario === undefined || title.includes(options.scenario),
  );
  const scenarios = options.sample ? halfOf(all) : all;
  if (scenarios.length === 0) throw new Error(`no scenario has ${JSON.stringify(options.scenario)} in its title`);
  const door = await openPacedDoor();
  const outcomes: Outcome[] = [];
  try {
    for (const scenario of scenarios) outcomes.push(...(await play(options.kubectl, door, scenario)));
  } finally {
    door.close();
  }
  const known = new Map(readKnownDifferences());
  const problems: string[] = [];
  let confused = 0;
  const seen = Map.groupBy(outcomes, keyOf);
  for (const [key, of] of seen) {
    const difference = of.find(({ identical }) => !identical);
    if (difference !== undefined && (options.show || !known.has(key))) {
      console.log(`\n\u2260 ${key}${known.has(key) ? ` (known: ${known.get(key)})` : ""}`);
      if (!known.has(key)) console.log(bothTexts(difference));
      if (options.show || !known.has(key)) console.log(unifiedDiff(difference.real, difference.ours));
    }
    if (difference !== undefined && !known.has(key)) {
      if (options.accept === undefined) problems.push(`differs: ${key}`);
      else known.set(key, options.accept);
    }
    if (difference === undefined && known.has(key)) {
      if (options.accept === undefined) problems.push(`is identical now, strike it from known-differences.txt: ${key}`);
      else known.delete(key);
    }
    const excuse = known.get(key);
    for (const { unexpected, refusals } of of) {
      const complaints = [
        ...unexpected.map((words) => `the real kubectl did not print what upstream states: ${key}\n${words}`),
        ...refusals.map((words) => `our server confused the real kubectl: ${key}\n    ${words}`),
      ];
      for (const text of complaints) {
        if (excuse === undefined) problems.push(text);
        else if (options.show) console.log(`!!! ${text}`);
      }
      if (excuse !== undefined && refusals.length > 0) confused += 1;
    }
  }
  if (options.commands.length === 0 && options.scenario === undefined && !options.sample) {
    for (const key of known.keys()) {
      if (seen.has(key)) continue;
      if (options.accept === undefined) problems.push(`is no line of the corpus, strike it from known-differences.txt: ${key}`);
      else known.delete(key);
    }
  }
  if (options.accept !== undefined) writeKnownDifferences(known);
  console.log("\nlines that print the same with the real kubectl and ours:");
  showTable(outcomes);
  if (options.sample) tellLeftOut(all.length - scenarios.length);
  if (confused > 0)
    console.log(`!!! ${confused} known lines at which our server answers what the real kubectl cannot use (--show names them)`);
  for (const problem of problems) console.log(`  FAILED  ${problem}`);
  return problems.length === 0;
}
