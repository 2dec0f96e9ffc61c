// Which of a StatefulSet's Pods one is.

import type { StatefulSet } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";

/** The number at the end of the name; undefined for Pods that are not named after the set. */
export function ordinalOf(set: Stored<StatefulSet>, pod: { readonly metadata: { readonly name: string } }): number | undefined {
  const match = /^(.*)-([0-9]+)$/.exec(pod.metadata.name);
  return match === null || match[1] !== set.metadata.name ? undefined : Number(match[2]);
}
