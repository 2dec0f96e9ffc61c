// What a Pod's status comes to: the word under STATUS, and the shape of the picture.

import type { ContainerStatus, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { PodShape } from "./session.ts";

export interface PodStatusView {
  readonly shape: PodShape;
  readonly text: string;
  /** `1/2`: ready containers of all. */
  readonly ready: string;
}

const creatingReasons = new Set(["ContainerCreating", "PodInitializing"]);

export function podStatus(pod: Stored<Pod>): PodStatusView {
  const statuses = pod.status?.containerStatuses ?? [];
  const readyCount = statuses.filter(({ ready }) => ready).length;
  const text = statusText(pod, statuses);
  return { shape: shapeOf(pod, text, readyCount), text, ready: `${readyCount}/${pod.spec?.containers.length ?? 0}` };
}

/** As the column STATUS of `kubectl get pods`, without the finer points of init containers. */
function statusText(pod: Stored<Pod>, statuses: readonly ContainerStatus[]): string {
  if (pod.metadata.deletionTimestamp !== undefined) return pod.status?.reason === "NodeLost" ? "Unknown" : "Terminating";
  const init = (pod.status?.initContainerStatuses ?? []).find(
    ({ state }) => state?.waiting?.reason !== undefined && !creatingReasons.has(state.waiting.reason),
  );
  if (init?.state?.waiting?.reason !== undefined) return `Init:${init.state.waiting.reason}`;
  for (const { state } of statuses) {
    if (state?.waiting?.reason) return state.waiting.reason;
    if (state?.terminated?.reason && pod.status?.phase !== "Running") return state.terminated.reason;
  }
  return pod.status?.reason ?? pod.status?.phase ?? "Unknown";
}

function shapeOf(pod: Stored<Pod>, text: string, readyCount: number): PodShape {
  if (pod.metadata.deletionTimestamp !== undefined) return "terminating";
  const phase = pod.status?.phase;
  if (phase === "Succeeded") return "succeeded";
  if (phase === "Failed") return "failed";
  if (phase === "Unknown") return "unknown";
  if (/BackOff$|^Err|Error$|^Invalid/.test(text)) return "crashLooping";
  if (phase === "Pending") return (pod.spec?.nodeName ?? "") === "" ? "pending" : "creating";
  return readyCount === (pod.spec?.containers.length ?? 0) ? "running" : "notReady";
}
