// What a Pod's status comes to: the word under STATUS, and the shape of the picture.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { podSummary } from "#cluster/resources/core/pods/pod-columns.ts";
import type { PodShape } from "./picture-view.ts";

export interface PodStatusView {
  readonly shape: PodShape;
  readonly text: string;
  /** `1/2`: ready containers of all. */
  readonly ready: string;
}

export function podStatus(pod: Stored<Pod>): PodStatusView {
  const { status, ready, total } = podSummary(pod);
  return { shape: shapeOf(pod, status, ready === total), text: status, ready: `${ready}/${total}` };
}

/** Why a container waits, as the kubelet says it (pkg/kubelet/images, pkg/kubelet/kuberuntime). */
const ofReason: ReadonlyMap<string, PodShape> = new Map<string, PodShape>([
  ["CrashLoopBackOff", "crashLooping"],
  ["OOMKilled", "oomKilled"],
  ...[
    "ErrImagePull",
    "ImagePullBackOff",
    "ErrImageNeverPull",
    "InvalidImageName",
    "ImageInspectError",
    "RegistryUnavailable",
    "SignatureValidationFailed",
  ].map((reason) => [reason, "imageFailed"] as const),
  ...["CreateContainerConfigError", "CreateContainerError", "PreCreateHookError", "PreStartHookError", "RunContainerError"].map(
    (reason) => [reason, "configFailed"] as const,
  ),
  ...["Error", "Completed", "ContainerCannotRun", "StartError", "PostStartHookError", "ContainerStatusUnknown"].map(
    (reason) => [reason, "stopped"] as const,
  ),
  ["PodInitializing", "initializing"],
]);

function shapeOf(pod: Stored<Pod>, text: string, isReady: boolean): PodShape {
  if (pod.metadata.deletionTimestamp !== undefined) return "terminating";
  const phase = pod.status?.phase;
  if (phase === "Succeeded") return "succeeded";
  if (phase === "Failed") {
    if (pod.status?.reason === "Evicted") return "evicted";
    return text === "OOMKilled" ? "oomKilled" : "failed";
  }
  if (phase === "Unknown") return "unknown";
  const isInit = text.startsWith("Init:");
  const reason = isInit ? text.slice("Init:".length) : text;
  const shape = /^(ExitCode|Signal):/.test(reason) ? "stopped" : ofReason.get(reason);
  if (shape !== undefined) return shape;
  if (isInit) return "initializing";
  if (phase === "Pending") return (pod.spec?.nodeName ?? "") === "" ? "pending" : "creating";
  return isReady ? "running" : "notReady";
}
