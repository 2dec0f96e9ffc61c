// LimitPodHardAntiAffinityTopology: required anti-affinity may keep Pods apart by node only (plugin/pkg/admission/antiaffinity).

import type { PodSpec } from "#cluster/api/generated/types.ts";
import { type AdmissionPlugin, notAdmitted, ofObjects } from "../chain.ts";

const allowedKey = "kubernetes.io/hostname";

export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: "LimitPodHardAntiAffinityTopology",
  operations: ["CREATE", "UPDATE"],
  kind: "Pod",
  handles: ofObjects,
  validate(attributes) {
    const { affinity } = attributes.object["spec"] as PodSpec;
    for (const { topologyKey } of affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      if (topologyKey === allowedKey) continue;
      const cause = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${allowedKey} is allowed`;
      throw notAdmitted(attributes, cause);
    }
  },
};
