// Tells two worlds apart: what a lab starts from, in eight digits.

import type { LabDefinition } from "./definition.ts";

/** Equal for definitions whose worlds replay the same; texts, checks and hints do not count. */
export function worldMark({ cluster, files, setup, traffic }: LabDefinition): string {
  const text = JSON.stringify([cluster, files, setup, traffic]);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
