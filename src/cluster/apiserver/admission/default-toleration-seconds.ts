// DefaultTolerationSeconds: every pod stays five minutes on a node that is not ready or cannot be reached, unless it says
// otherwise (plugin/pkg/admission/defaulttolerationseconds).

import type { PodSpec, Toleration } from "#cluster/api/generated/types.ts";
import { type AdmissionPlugin, ofObjects } from "./chain.ts";

const taints = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const seconds = 300;

export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  operations: ["CREATE", "UPDATE"],
  kind: "Pod",
  handles: ofObjects,
  mutate({ object }) {
    const spec = object["spec"] as PodSpec | undefined;
    if (spec === undefined) return object;
    const tolerations = spec.tolerations ?? [];
    const missing = taints.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
    if (missing.length === 0) return object;
    const added = missing.map((key): Toleration => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: seconds }));
    return { ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } };
  },
};

/** Whether a toleration speaks of the taint at all (of its NoExecute effect or of every effect). */
function tolerates(toleration: Toleration, taint: string): boolean {
  const { key = "", effect = "" } = toleration;
  return (key === taint || key === "") && (effect === "NoExecute" || effect === "");
}
