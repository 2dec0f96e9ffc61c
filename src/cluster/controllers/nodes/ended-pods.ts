// Which ended Pods go when there are too many.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { compareTexts } from "#sim/compare-texts.ts";

/** Evicted ones first, then the oldest, then by name. */
export function firstToGo(ended: readonly Stored<Pod>[], count: number): readonly Stored<Pod>[] {
  const evicted = (pod: Stored<Pod>): number => (pod.status?.reason === "Evicted" ? 0 : 1);
  const sorted = [...ended].sort(
    (a, b) =>
      evicted(a) - evicted(b) ||
      compareTexts(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
      compareTexts(a.metadata.name, b.metadata.name),
  );
  return sorted.slice(0, count);
}
