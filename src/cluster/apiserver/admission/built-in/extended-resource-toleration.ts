// ExtendedResourceToleration: whoever asks for an extended resource tolerates the taint of its nodes
// (plugin/pkg/admission/extendedresourcetoleration).

import type { Toleration } from "#cluster/api/generated/types.ts";
import { isExtendedResource } from "#cluster/resources/core/limits/quantities-validation.ts";
import { type AdmissionPlugin, ofObjects } from "../chain.ts";
import { mutatePodSpec } from "./pod-spec.ts";

export const extendedResourceToleration: AdmissionPlugin = {
  name: "ExtendedResourceToleration",
  operations: ["CREATE", "UPDATE"],
  kind: "Pod",
  handles: ofObjects,
  mutate: mutatePodSpec((spec) => {
    const asked = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      Object.keys(resources?.requests ?? {}).filter(isExtendedResource),
    );
    const present = spec.tolerations ?? [];
    const added = [...new Set(asked)].sort().flatMap((key): Toleration[] => {
      const known = present.some((one) => one.key === key && one.operator === "Exists" && (one.effect ?? "") === "");
      return known ? [] : [{ key, operator: "Exists" }];
    });
    return added.length === 0 ? spec : { ...spec, tolerations: [...present, ...added] };
  }),
};
