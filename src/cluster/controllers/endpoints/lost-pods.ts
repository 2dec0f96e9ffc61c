// Pods whose node is not there: slices leave them out (endpointslice/reconciler.go).

import type { Pod, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";

/** What a slice's controller says of them. */
export function nodesNotFound({ metadata }: Stored<Service>, pods: readonly Stored<Pod>[]): string {
  const { namespace, name } = metadata;
  const all = pods.map(
    (pod) => `skipping Pod ${pod.metadata.name} for Service ${namespace}/${name}: Node ${pod.spec?.nodeName ?? ""} Not Found`,
  );
  return all.length === 1 ? (all[0] ?? "") : `[${all.join(", ")}]`;
}
