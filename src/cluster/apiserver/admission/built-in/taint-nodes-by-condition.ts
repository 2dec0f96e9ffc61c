// TaintNodesByCondition: a new node takes no pods until the node controller has seen it ready
// (plugin/pkg/admission/nodetaint).

import type { NodeSpec } from "#cluster/api/generated/types.ts";
import { type AdmissionPlugin, ofObjects } from "../chain.ts";

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  operations: ["CREATE"],
  kind: "Node",
  handles: ofObjects,
  mutate({ object }) {
    const spec = (object["spec"] ?? {}) as NodeSpec;
    const taints = spec.taints ?? [];
    if (taints.some((taint) => taint.key === notReady.key && taint.effect === notReady.effect)) return object;
    return { ...object, spec: { ...spec, taints: [...taints, notReady] } };
  },
};
