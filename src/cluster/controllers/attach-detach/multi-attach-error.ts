// What a Pod is told whose volume is attached to another node (attachdetach/reconciler: reportMultiAttachError).

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";

/** `others`: Pods of other nodes that use the volume; none when it is only not detached yet. */
export function multiAttachError(volume: string, pod: Stored<Pod>, others: readonly Stored<Pod>[]): string {
  const local = others.filter(({ metadata }) => metadata.namespace === pod.metadata.namespace).map(({ metadata }) => metadata.name);
  return `Multi-Attach error for volume "${volume}" ${reasonOf(local, others.length - local.length)}`;
}

function reasonOf(local: readonly string[], elsewhere: number): string {
  if (local.length === 0 && elsewhere === 0)
    return "Volume is already exclusively attached to one node and can't be attached to another";
  if (local.length === 0) return `Volume is already used by ${elsewhere} pod(s) in different namespaces`;
  const named = `Volume is already used by pod(s) ${local.join(", ")}`;
  return elsewhere === 0 ? named : `${named} and ${elsewhere} pod(s) in different namespaces`;
}
