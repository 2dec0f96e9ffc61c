// Labs that a run of the browser tests types to their last step. Run by itself it says which, and how many are left out.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LabSources, labFromSources, labIds } from "#lab/catalog.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { type Choice, chooseToType } from "./choice.ts";

/** Of labs that have steps. */
export function labsToType(sources: LabSources): Choice {
  return chooseToType(labIds(sources).filter((id) => labFromSources(sources, id).steps.length > 0));
}

if (import.meta.main) {
  const { chosen, leftOut, touched } = labsToType(readLabSources());
  console.log(`labs typed: ${chosen.join(", ")} (${touched} touched lately); ${leftOut.length} are left out`);
  mkdirSync("test-results", { recursive: true });
  writeFileSync(join("test-results", "typing.json"), JSON.stringify({ leftOut: leftOut.length }));
}
