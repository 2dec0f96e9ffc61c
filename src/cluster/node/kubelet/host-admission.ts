// What a node's system cannot give a Pod, whatever the node has room for: another operating system (pkg/kubelet/lifecycle/predicate.go).

import type { Node } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Refusal } from "./admission.ts";
import type { StoredPod } from "./pod-spec.ts";

const osLabel = "kubernetes.io/os";

export function osRefusal(pod: StoredPod, node: Stored<Node> | undefined): Refusal | undefined {
  const wanted = pod.spec?.nodeSelector?.[osLabel];
  const own = node?.metadata.labels?.[osLabel];
  if (wanted !== undefined && own !== undefined && wanted !== own)
    return {
      reason: "PodOSSelectorNodeLabelDoesNotMatch",
      message: `Failed to admit pod as the \`${osLabel}\` label doesn't match node label`,
    };
  if ((pod.spec?.os?.name ?? "linux") === "linux") return undefined;
  return { reason: "PodOSNotSupported", message: "Failed to admit pod as the OS field doesn't match node OS" };
}
