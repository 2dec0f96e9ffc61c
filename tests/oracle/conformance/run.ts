// `npm run conformance [-- FOCUS … --list --smoke --accept REASON …]`: upstream's own conformance tests, unchanged, against `npm run cluster`.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findKubectl } from "../find-kubectl.ts";
import { chooseTests, namedTests } from "./batches.ts";
import { builtSuite, findSuite, listTests, SuiteError } from "./find-suite.ts";
import {
  acceptFailures,
  type Comparison,
  compareWithKnown,
  countBySig,
  hasFailed,
  readKnownFailures,
  writeKnownFailures,
} from "./known-failures.ts";
import { ownProcessesGone } from "./own-process.ts";
import { joined, type Played, type PlayOptions, playAgain, playSuite } from "./play-suite.ts";
import { countsTable, writeLog, writeResults } from "./results.ts";
import { knownFailuresFile, type SetName, testsOf } from "./sets.ts";

const usage = `npm run conformance [-- FOCUS … OPTIONS]: plays the tests of the conformance suite whose names match one of the words
  --list            prints the chosen tests and plays none
  --smoke           some thirty quick tests (smoke.txt)
  --wider           the set beyond conformance (sets.ts), held against a list of its own (known-failures-wider.txt)
  --all             chooses among all tests of the suite
  --if-built        does nothing where the suite's binary is not there
  --once            what fails is not played again
  --accept REASON   strikes from the list of known failures what passed, and enters what failed under this reason
  --clusters N      clusters beside each other (one for each processor)
  --parallel N      processes of the suite on each of them (4)
  --nodes N         workers of each (2)
  --limit SECONDS   for each test (900)`;

const smoke = join(import.meta.dirname, "smoke.txt");
const output = join("test-results", "conformance");

function giveUp(sentence: string): never {
  console.error(`conformance: ${sentence}`);
  process.exit(1);
}

function readArguments() {
  const options = {
    list: { type: "boolean" },
    smoke: { type: "boolean" },
    wider: { type: "boolean" },
    all: { type: "boolean" },
    "if-built": { type: "boolean" },
    once: { type: "boolean" },
    help: { type: "boolean" },
    accept: { type: "string" },
    clusters: { type: "string", default: String(availableParallelism()) },
    parallel: { type: "string", default: "4" },
    nodes: { type: "string", default: "2" },
    limit: { type: "string", default: "900" },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return giveUp(`${(error as Error).message}\n${usage}`);
  }
}

const { values, positionals } = readArguments();
if (values.help === true) {
  console.log(usage);
  process.exit(0);
}

const set = chosenSet();
const list = knownFailuresFile(set);
const known = join(import.meta.dirname, list);

function count(name: "clusters" | "parallel" | "nodes" | "limit"): number {
  const text = values[name];
  return /^[1-9]\d*$/.test(text) ? Number(text) : giveUp(`--${name} takes a whole number from 1, not "${text}"`);
}

function chosenSet(): SetName {
  if (values.all === true) return "all";
  return values.wider === true ? "wider" : "conformance";
}

/** The binary, and the names of its tests. */
function find(): readonly [suite: string, tests: readonly string[]] {
  if (values["if-built"] === true && builtSuite() === undefined) {
    console.log("conformance: left out, the suite was not built here; npm run conformance builds it");
    process.exit(0);
  }
  try {
    const suite = findSuite();
    return [suite, listTests(suite)];
  } catch (error) {
    if (error instanceof SuiteError) giveUp(error.message);
    throw error;
  }
}

function choose(all: readonly string[]): readonly string[] {
  const among = values.smoke === true ? namedTests(readFileSync(smoke, "utf8"), all) : all;
  if (positionals.length === 0) return among;
  const chosen = new Set(positionals.flatMap((focus) => chooseTests(among, focus)));
  return among.filter((name) => chosen.has(name));
}

/** A failure that the list does not have is played again by itself before it counts: the machine may have been busy. */
async function playTwice(names: readonly string[], options: PlayOptions): Promise<Played & { readonly again: readonly string[] }> {
  const first = await playSuite(names, options);
  const failures = readKnownFailures(readFileSync(known, "utf8"));
  const doubtful = first.results.filter((result) => hasFailed(result) && !failures.has(result.name)).map(({ name }) => name);
  if (doubtful.length === 0 || values.once === true) return { ...first, again: [] };
  console.log(`conformance: ${doubtful.length} that failed are played again, each by itself`);
  const second = await playAgain(doubtful, options);
  const firstResults = first.results.filter(({ name }) => !doubtful.includes(name));
  const again = second.results.filter(({ state }) => state === "passed").map(({ name }) => name);
  return { ...joined({ ...first, results: firstResults }, second), again };
}

function tellComparison({ unexpected, mended, unknown }: Comparison): void {
  for (const { name, reason } of unexpected)
    console.log(`conformance: FAILED ${name}\n${reason.slice(0, 1500).replace(/^/gm, "    ")}`);
  for (const name of mended) console.log(`conformance: passes now, strike it from ${list}: ${name}`);
  for (const name of unknown) console.log(`conformance: is no test of the suite, strike it from ${list}: ${name}`);
}

const [suite, tests] = find();
const offered = testsOf(set, tests);
const names = choose(offered);
if (names.length === 0) giveUp(`no test of the suite has ${positionals.join(" or ")} in its name`);
if (values.list === true) {
  for (const name of names) console.log(name);
  console.log(`conformance: ${names.length} of ${offered.length} tests`);
  process.exit(0);
}
const kubectl = findKubectl();
if (kubectl === undefined) giveUp("the suite needs a kubectl: install Go or kubectl, or set PILOTHOUSE_KUBECTL");
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "pilothouse-conformance-"));
const started = Date.now();
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Often told twice: by the terminal or `timeout`, and by npm.
  process.on(signal, () => {
    if (stop.signal.aborted) return;
    stop.abort();
    void ownProcessesGone().then(() => {
      rmSync(folder, { recursive: true, force: true });
      giveUp("broken off");
    });
  });
}
console.log(`conformance: ${names.length} tests on ${values.clusters} clusters of ${values.nodes} workers`);
let played: Awaited<ReturnType<typeof playTwice>>;
try {
  played = await playTwice(names, {
    suite,
    kubectl,
    folder,
    signal: stop.signal,
    testLimitMs: count("limit") * 1000,
    clusters: count("clusters"),
    parallel: count("parallel"),
    nodes: count("nodes"),
    tell: console.log,
    keep: (result) => writeLog(output, result),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const failures = readKnownFailures(readFileSync(known, "utf8"));
const comparison = compareWithKnown(failures, played.results, tests);
const accepted = values.accept === undefined ? failures : acceptFailures(failures, comparison, values.accept);
if (values.accept !== undefined) writeFileSync(known, writeKnownFailures(accepted));
else tellComparison(comparison);
const table = countsTable(countBySig(names, played.results, accepted));
writeResults(output, { names, results: played.results, table, faults: played.faults });
console.log(`\n${table}`);
for (const name of played.again) console.log(`conformance: passed only when it was played again: ${name}`);
for (const fault of played.faults) console.log(`conformance: FAULT ${fault.slice(0, 3000)}`);
const minutes = ((Date.now() - started) / 60_000).toFixed(1);
console.log(`conformance: ${minutes} minutes, at most ${Math.round(played.peakBytes / 1e6)} MB a cluster; see ${output}`);
const { unexpected, mended, unknown } = values.accept === undefined ? comparison : { unexpected: [], mended: [], unknown: [] };
process.exit(unexpected.length + mended.length + unknown.length + played.faults.length === 0 ? 0 : 1);
