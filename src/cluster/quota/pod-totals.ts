// What a Pod as a whole may ask for and use (component-helpers' PodRequests and PodLimits): containers and sidecars
// together, or the largest step of the initialisation, replaced by what the Pod itself says.

import type { PodSpec } from "#cluster/api/generated/types.ts";
import { addLists, largerOfLists, type ResourceList } from "./resource-list.ts";

const nothing: ResourceList = {};

export type Side = "requests" | "limits";

/** Without the overhead of the runtime. */
export function containerTotals(spec: PodSpec, side: Side): ResourceList {
  let total = nothing;
  for (const container of spec.containers ?? []) total = addLists(total, container.resources?.[side] ?? nothing);
  let sidecars = nothing;
  let initialisation = nothing;
  for (const container of spec.initContainers ?? []) {
    const own = container.resources?.[side] ?? nothing;
    if (container.restartPolicy === "Always") {
      total = addLists(total, own);
      sidecars = addLists(sidecars, own);
      initialisation = largerOfLists(initialisation, sidecars);
    } else initialisation = largerOfLists(initialisation, addLists(own, sidecars));
  }
  total = largerOfLists(total, initialisation);
  const ofPod = spec.resources?.[side];
  return ofPod === undefined ? total : { ...total, ...ofPod };
}

/** With the overhead, which a limit carries only where there is a limit. */
export function podTotals(spec: PodSpec, side: Side): ResourceList {
  const total = containerTotals(spec, side);
  if (spec.overhead === undefined) return total;
  if (side === "requests") return addLists(total, spec.overhead);
  const limited: { [name: string]: string } = {};
  for (const name in spec.overhead) if (total[name] !== undefined) limited[name] = spec.overhead[name] as string;
  return addLists(total, limited);
}
