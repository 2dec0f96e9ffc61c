// Tells two worlds apart: what a lab starts from, in eight digits.

import { fnv32a } from "#cluster/api/equality.ts";
import type { LabDefinition } from "./definition.ts";

/** Equal for definitions whose worlds replay the same; texts, checks and hints do not count. */
export function worldMark({ cluster, files, setup, traffic }: LabDefinition): string {
  return fnv32a(JSON.stringify([cluster, files, setup, traffic]))
    .toString(16)
    .padStart(8, "0");
}
