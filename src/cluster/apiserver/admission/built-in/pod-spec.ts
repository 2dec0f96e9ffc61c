// What the plugins of Pods have in common: they see a spec and answer the spec that it should be.

import type { PodSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { AdmissionAttributes } from "../chain.ts";

/** Undefined for a Pod that validation will refuse. */
export function podSpecOf({ object }: AdmissionAttributes): PodSpec | undefined {
  return object["spec"] as PodSpec | undefined;
}

/** A plugin's `mutate`: the same spec for a Pod that stays as it is. A Pod without a spec is left to validation. */
export function mutatePodSpec(
  change: (spec: PodSpec, attributes: AdmissionAttributes) => PodSpec,
): (attributes: AdmissionAttributes) => KubeObject {
  return (attributes) => {
    const { object } = attributes;
    const spec = podSpecOf(attributes);
    if (spec === undefined) return object;
    const changed = change(spec, attributes);
    return changed === spec ? object : { ...object, spec: changed };
  };
}
