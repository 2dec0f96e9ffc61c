// DefaultTolerationSeconds: every pod stays for some time, usually five minutes, on a node that is not ready or cannot be reached, unless it says
// otherwise (plugin/pkg/admission/defaulttolerationseconds).

import type { Toleration } from "#cluster/api/generated/types.ts";
import type { TolerationSeconds } from "../../command-line.ts";
import { type AdmissionPlugin, ofObjects } from "../chain.ts";
import { mutatePodSpec } from "./pod-spec.ts";

const taints = [
  ["node.kubernetes.io/not-ready", "notReady"],
  ["node.kubernetes.io/unreachable", "unreachable"],
] as const;

/** `seconds` may change with the server's command line. */
export function defaultTolerationSeconds(seconds: () => TolerationSeconds): AdmissionPlugin {
  return {
    name: "DefaultTolerationSeconds",
    operations: ["CREATE", "UPDATE"],
    kind: "Pod",
    handles: ofObjects,
    mutate: mutatePodSpec((spec) => {
      const tolerations = spec.tolerations ?? [];
      const missing = taints.filter(([taint]) => !tolerations.some((toleration) => tolerates(toleration, taint)));
      if (missing.length === 0) return spec;
      const added = missing.map(
        ([key, name]): Toleration => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: seconds()[name] }),
      );
      return { ...spec, tolerations: [...tolerations, ...added] };
    }),
  };
}

/** Whether a toleration speaks of the taint at all (of its NoExecute effect or of every effect). */
function tolerates(toleration: Toleration, taint: string): boolean {
  const { key = "", effect = "" } = toleration;
  return (key === taint || key === "") && (effect === "NoExecute" || effect === "");
}
