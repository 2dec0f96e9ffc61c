// `npm run lab -- ID …`: proves labs and prints what was found: each step, each way, each wrong attempt with what stays unmet
// and how that is said in the four languages. Exit code 1 when something is not as the lab says.

import { bundleLab, type LabSources, labFromSources, labIds, labLocales } from "#lab/catalog.ts";
import { fillIn, type LabBundle } from "#lab/texts.ts";
import { FileMistake } from "#reading/yaml-fields.ts";
import { provideTools } from "#world/tools.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { type Proof, proveLab, timeChecks } from "./proof.ts";

provideTools();

const checksBarMs = 5;

type Print = (line: string) => void;
type Bundles = readonly (readonly [string, LabBundle])[];

/** False when something is not as it must be. Throws FileMistake for files that cannot be read. */
export function reportLab(sources: LabSources, id: string, print: Print): boolean {
  const lab = labFromSources(sources, id);
  const bundles = labLocales.map((locale) => [locale, bundleLab(sources, id, locale)] as const);
  print(`lab ${id}: ${lab.steps.length} steps, texts in ${labLocales.join(", ")}`);
  let good = true;
  let step: string | undefined;
  let times: ReadonlyMap<string, number> | undefined;
  for (const proof of proveLab(sources, id)) {
    if (proof.step !== step) {
      step = proof.step;
      times ??= good ? timeChecks(lab) : new Map();
      print(step === undefined ? "" : `\n${step}${timeOf(times.get(step))}`);
    }
    reportProof(proof, bundles, print);
    good = proof.faults.length === 0 && good;
  }
  return good;
}

function timeOf(lookMs: number | undefined): string {
  if (lookMs === undefined) return "";
  return `  (checks: ${lookMs.toFixed(2)} ms${lookMs > checksBarMs ? `, which is more than ${checksBarMs}` : ""})`;
}

function reportProof({ title, step, unmet, faults }: Proof, bundles: Bundles, print: Print): void {
  print(`${faults.length === 0 ? "✓" : "✗"} ${title}`);
  for (const { check, values } of unmet) {
    for (const [locale, bundle] of bundles)
      print(`    ${locale}  ${fillIn(bundle.steps[step ?? ""]?.missing[check] ?? "", values)}`);
  }
  for (const fault of faults) print(`    ${fault}`);
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
    if (!(error instanceof FileMistake)) throw error;
    console.log(`✗ ${error.message}`);
    return false;
  }
}

if (import.meta.main) main(process.argv.slice(2));
