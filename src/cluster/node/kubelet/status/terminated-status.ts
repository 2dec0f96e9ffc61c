// The last status of a Pod of which nothing runs any more (kubelet's status manager, TerminatePod).

import type { ContainerStatus, PodStatus } from "#cluster/api/generated/types.ts";
import { initContainersOf, isFinishedPhase, isStatic, type StoredPod } from "../pod-spec.ts";

/** Of a container of which it is not known how it ended, if it ever began. */
const unknownEnd = {
  exitCode: 137,
  message: "The container could not be located when the pod was terminated",
  reason: "ContainerStatusUnknown",
};

/** What is not known to have ended counts as failed, but for what the Pod never came to; a Pod that has not succeeded has failed. */
export function terminatedStatus(pod: StoredPod, status: PodStatus): PodStatus {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const begun = 1 + initContainerStatuses.findLastIndex(hasBegun);
  const asEnded = (each: ContainerStatus): ContainerStatus =>
    each.state?.terminated === undefined ? { ...each, state: { terminated: unknownEnd } } : each;
  return {
    ...status,
    ...(hasInitialized(pod) ? { containerStatuses: containerStatuses.map(asEnded) } : {}),
    ...(initContainerStatuses.length === 0
      ? {}
      : { initContainerStatuses: initContainerStatuses.map((each, index) => (index < Math.max(1, begun) ? asEnded(each) : each)) }),
    ...(isStatic(pod) || isFinishedPhase(status.phase) ? {} : { phase: "Failed" }),
  };
}

function hasBegun({ state, lastState }: ContainerStatus): boolean {
  return state?.waiting === undefined || lastState?.terminated !== undefined;
}

/** By what the API says of the Pod: it may have started its containers. */
function hasInitialized(pod: StoredPod): boolean {
  if (initContainersOf(pod).length === 0) return true;
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  if (containerStatuses.some(hasBegun)) return true;
  const last = initContainerStatuses.at(-1);
  return last?.state?.terminated?.exitCode === 0 || last?.lastState?.terminated?.exitCode === 0;
}
