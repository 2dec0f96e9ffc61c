// The phase of a Pod from its containers' statuses (the rule of the Pod Lifecycle page and of kubelet's getPhase).

import type { Container, ContainerStateTerminated, ContainerStatus } from "#cluster/api/generated/types.ts";
import { containersOf, initContainersOf, isFinishedPhase, isRestartDue, isSidecar, type StoredPod } from "../pod-spec.ts";
import { restartingAllContainers } from "../restart-all.ts";

interface Counts {
  running: number;
  waiting: number;
  /** Ended, or waiting for the next run after an end. */
  stopped: number;
  succeeded: number;
  unknown: number;
  restartDue: number;
}

/** The end of a container that does not run. */
function endOf(status: ContainerStatus): ContainerStateTerminated | undefined {
  return status.state?.terminated ?? (status.state?.waiting === undefined ? undefined : status.lastState?.terminated);
}

function count(counts: Counts, pod: StoredPod, container: Container, status: ContainerStatus | undefined): void {
  if (status === undefined) {
    counts.unknown += 1;
    return;
  }
  if (status.state?.running !== undefined) {
    counts.running += 1;
    return;
  }
  const end = endOf(status);
  if (end === undefined) {
    counts.waiting += 1;
    return;
  }
  counts.stopped += 1;
  if (status.state?.terminated !== undefined && end.exitCode === 0) counts.succeeded += 1;
  if (isRestartDue(pod, container, end.exitCode) || end.reason === restartingAllContainers) counts.restartDue += 1;
}

/** Whether the plain init containers and the sidecars' first starts are behind us; "failed" when one failed for good. */
function initState(pod: StoredPod, statuses: readonly ContainerStatus[]): "done" | "pending" | "failed" {
  let pending = false;
  for (const container of initContainersOf(pod)) {
    const status = statuses.find((each) => each.name === container.name);
    const terminated = status?.state?.terminated;
    if (isSidecar(container)) {
      if (status?.started !== true && status?.lastState?.terminated === undefined && terminated === undefined) pending = true;
      continue;
    }
    if (terminated?.exitCode === 0) continue;
    const { exitCode = 0, reason = "" } = (status === undefined ? undefined : endOf(status)) ?? {};
    if (exitCode !== 0 && reason !== restartingAllContainers && !isRestartDue(pod, container, exitCode, true)) return "failed";
    pending = true;
  }
  return pending ? "pending" : "done";
}

type Phase = "Pending" | "Running" | "Succeeded" | "Failed";

/**
 * `isTerminal`: nothing will be started any more (the pod is being ended), so ended containers decide. A sidecar has no say in how a
 * pod ended, but the pod has not ended while one runs.
 */
export function phaseOf(
  pod: StoredPod,
  statuses: readonly ContainerStatus[],
  initStatuses: readonly ContainerStatus[],
  isTerminal: boolean,
): Phase {
  const phase = appPhaseOf(pod, statuses, initStatuses, isTerminal);
  if (!isFinishedPhase(phase) || initState(pod, initStatuses) === "failed") return phase;
  const isSidecarRunning = initContainersOf(pod).some(
    (container) =>
      isSidecar(container) && initStatuses.some(({ name, state }) => name === container.name && state?.running !== undefined),
  );
  return isSidecarRunning ? "Running" : phase;
}

/** What the phase will be once the sidecars are gone: the kubelet ends them when the others have ended. */
export function appPhaseOf(
  pod: StoredPod,
  statuses: readonly ContainerStatus[],
  initStatuses: readonly ContainerStatus[],
  isTerminal: boolean,
): Phase {
  const init = initState(pod, initStatuses);
  if (init === "failed") return "Failed";
  const counts: Counts = { running: 0, waiting: 0, stopped: 0, succeeded: 0, unknown: 0, restartDue: 0 };
  for (const container of containersOf(pod)) {
    const status = statuses.find((each) => each.name === container.name);
    count(counts, pod, container, status);
  }
  const anyStarted = counts.running > 0 || counts.stopped > 0;
  if (init === "pending" && !anyStarted) return "Pending";
  if (counts.waiting > 0) return "Pending";
  if (counts.unknown > 0) return "Pending";
  if (counts.running > 0) return "Running";
  if (counts.stopped === 0) return "Pending";
  if (!isTerminal && counts.restartDue > 0) return "Running";
  return counts.stopped === counts.succeeded ? "Succeeded" : "Failed";
}
