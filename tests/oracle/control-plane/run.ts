// The real control plane as critic of ours: both are given the same objects and commands, and must answer and do the same.
//
//   npm run test:control-plane [-- WORD … --objects --scenarios --every N --random N --seed N --show N --sample --if-built --once]

import { writeFileSync } from "node:fs";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { firstDifference } from "../tell-differences.ts";
import { compareObjects } from "./compare-objects.ts";
import { compareScenarios } from "./compare-scenarios.ts";
import { builtPrograms, findPrograms, ProgramsError } from "./find-programs.ts";
import { KnownDifferences } from "./known-differences.ts";
import type { Outcome } from "./play-objects.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    objects: { type: "boolean" },
    scenarios: { type: "boolean" },
    every: { type: "string", default: "1" },
    random: { type: "string" },
    seed: { type: "string", default: "1" },
    show: { type: "string", default: "20" },
    sample: { type: "boolean" },
    "if-built": { type: "boolean" },
    once: { type: "boolean" },
    dump: { type: "string" },
  },
});
/** Of the mutations, what a sample takes: each so many-th. */
const sampleEvery = 40;

process.exitCode = await run();

async function run(): Promise<number> {
  if (values["if-built"] === true && builtPrograms() === undefined) {
    console.log("control-plane: left out, since its programs are not built here; npm run test:control-plane builds them");
    return 0;
  }
  const sample = values.sample === true;
  const every = sample ? sampleEvery : Number(values.every);
  const choice = values.random === undefined ? { every } : { random: Number(values.random), seed: Number(values.seed) };
  const withoutScenarios = values.objects === true || values.random !== undefined || sample;
  const outcomes: Outcome[] = [];
  const known = KnownDifferences.read();
  try {
    const programs = findPrograms();
    if (values.scenarios !== true) outcomes.push(...(await compareObjects(programs, positionals, choice)));
    const isKnown = (outcome: Outcome): boolean => values.once === true || reasonOf(known, outcome) !== undefined;
    if (!withoutScenarios) outcomes.push(...(await compareScenarios(programs, positionals, isKnown)));
  } catch (error) {
    if (!(error instanceof ProgramsError)) throw error;
    console.log(`control-plane: ${error.message}`);
    return 1;
  }
  const isWhole = !withoutScenarios && every === 1 && positionals.length === 0 && values.scenarios !== true;
  return tell(outcomes, known, isWhole);
}

/** The exit code. */
function tell(outcomes: readonly Outcome[], known: KnownDifferences, isWhole: boolean): number {
  const other = outcomes.filter(({ real, ours }) => !isDeepStrictEqual(real, ours));
  if (values.dump !== undefined) writeFileSync(values.dump, JSON.stringify(other));
  const unknown = other
    .filter((outcome) => reasonOf(known, outcome) === undefined)
    .map(({ key, real, ours }) => `${key} | ${firstDifference(real, ours)}`);
  for (const line of unknown.slice(0, Number(values.show))) console.log(`≠ ${line}`);
  const unused = isWhole ? known.unused : [];
  for (const line of unused) console.log(`nothing differs so any more, strike it from known-differences.txt: ${line}`);
  const equal = outcomes.length - other.length;
  console.log(
    `control-plane: ${equal} of ${outcomes.length} equal, ${other.length - unknown.length} known to differ, ${unknown.length} differ`,
  );
  return unknown.length === 0 && unused.length === 0 && outcomes.length > 0 ? 0 : 1;
}

function reasonOf(known: KnownDifferences, { key, real, ours }: Outcome): string | undefined {
  const text = firstDifference(real, ours);
  return known.reasonOf(key, text.slice(0, text.indexOf(" is ")));
}
