// `npm run lab -- ID …`: proves labs and prints what was found: each step, each way, each wrong attempt with what stays unmet
// and how that is said in the four languages. Exit code 1 when something is not as the lab says.

import "#world/tools.ts";
import { bundleLab, type LabSources, labFromSources, labIds, labLocales } from "#lab/catalog.ts";
import type { LabDefinition } from "#lab/definition.ts";
import { fillIn, type LabBundle } from "#lab/texts.ts";
import { LabFileError } from "#lab/yaml-fields.ts";
import { readLabSources } from "../labs.ts";
import { type PlayedAttempt, playAttempts, playStart, timeChecks, untriedAlone } from "./proof.ts";

const checksBarMs = 5;

type Print = (line: string) => void;
type Bundles = readonly (readonly [string, LabBundle])[];

/** False when something is not as it must be. Throws LabFileError for files that cannot be read. */
export function reportLab(sources: LabSources, id: string, print: Print): boolean {
  const lab = labFromSources(sources, id);
  const bundles = labLocales.map((locale) => [locale, bundleLab(sources, id, locale)] as const);
  print(`lab ${id}: ${lab.steps.length} steps, texts in ${labLocales.join(", ")}`);
  const start = reportStart(lab, print);
  let good = start;
  let step = "";
  const times = start ? timeChecks(lab) : new Map<string, number>();
  for (const attempt of playAttempts(lab)) {
    if (attempt.step !== step) {
      step = attempt.step;
      good = reportStep(step, times.get(step), print) && good;
    }
    reportAttempt(attempt, bundles, print);
    good = attempt.good && good;
  }
  const untried = untriedAlone(lab);
  for (const check of untried) print(`✗ no wrong attempt fails this check alone: ${check}`);
  return good && untried.length === 0;
}

function reportStart(lab: LabDefinition, print: Print): boolean {
  const { passedSteps, open } = playStart(lab);
  for (const step of open) print(`✗ the start already fulfils step ${step}`);
  return passedSteps === 0 && open.length === 0;
}

function reportStep(step: string, lookMs: number | undefined, print: Print): boolean {
  const time = lookMs === undefined ? "" : `  (checks: ${lookMs.toFixed(2)} ms)`;
  print(`\n${step}${time}`);
  const isQuick = lookMs === undefined || lookMs <= checksBarMs;
  if (!isQuick) print(`✗ its checks take longer than ${checksBarMs} ms`);
  return isQuick;
}

function reportAttempt(attempt: PlayedAttempt, bundles: Bundles, print: Print): void {
  const { kind, name, good, unmet, fails, results } = attempt;
  print(`${good ? "✓" : "✗"} ${kind}: ${name}`);
  for (const { check, values } of unmet) {
    if (kind !== "wrong" || !good) print(`    unmet: ${check}${fails.includes(check) ? "" : " (not meant to be)"}`);
    for (const [locale, bundle] of bundles) {
      print(`    ${locale}  ${fillIn(bundle.steps[attempt.step]?.missing[check] ?? "", values)}`);
    }
  }
  if (good) return;
  for (const check of fails) if (!unmet.some((each) => each.check === check)) print(`    holds, and must not: ${check}`);
  if (kind !== "wrong" && unmet.length === 0) print("    the checks hold, but the step did not pass in its turn");
  for (const { command, code, output } of results) {
    print(`    $ ${command.replaceAll("\n", "\n      ")}`);
    for (const line of output.trimEnd().split("\n")) if (line !== "") print(`      ${line}`);
    if (code !== 0) print(`      exit code ${code}`);
  }
}

function main(ids: readonly string[]): void {
  const sources = readLabSources();
  const all = labIds(sources);
  const unknown = ids.find((id) => !all.includes(id));
  if (ids.length === 0 || unknown !== undefined) {
    console.error(`${unknown === undefined ? "say which lab" : `there is no lab ${unknown}`}; there are ${all.join(", ")}`);
    process.exit(1);
  }
  const failed = ids.filter((id) => !proves(sources, id));
  console.log(failed.length === 0 ? "\nproved" : `\nNOT proved: ${failed.join(", ")}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function proves(sources: LabSources, id: string): boolean {
  try {
    return reportLab(sources, id, console.log);
  } catch (error) {
    if (!(error instanceof LabFileError)) throw error;
    console.log(`✗ ${error.message}`);
    return false;
  }
}

if (import.meta.main) main(process.argv.slice(2));
