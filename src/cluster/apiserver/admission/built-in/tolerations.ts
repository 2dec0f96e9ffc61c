// Tolerations put together: those that another one includes are left out (pkg/util/tolerations).

import { deepEqual } from "#cluster/api/equality.ts";
import type { Toleration } from "#cluster/api/generated/types.ts";

export function mergedTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    if (merged.some((other) => includes(other, toleration))) continue;
    if (all.slice(index + 1).some((other) => !deepEqual(other, toleration) && includes(other, toleration))) continue;
    merged.push(toleration);
  }
  return merged;
}

/** Whether `wide` tolerates all that `narrow` does. */
export function includes(wide: Toleration, narrow: Toleration): boolean {
  if (deepEqual(wide, narrow)) return true;
  const anyKey = (wide.key ?? "") === "" && wide.operator === "Exists";
  if ((narrow.key ?? "") !== (wide.key ?? "") && !anyKey) return false;
  if ((wide.effect ?? "") !== "" && narrow.effect !== wide.effect) return false;
  if (wide.effect === "NoExecute" && wide.tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds) return false;
  }
  if (wide.operator === "Exists") return true;
  if ((wide.operator ?? "") !== "" && wide.operator !== "Equal") return false;
  return (narrow.operator ?? "") === (wide.operator ?? "") && (narrow.value ?? "") === (wide.value ?? "");
}
