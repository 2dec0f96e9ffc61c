// The statuses of a Pod's containers from what the runtime holds, why starts failed, and what the probes say.

import type {
  Container,
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  VolumeMount,
  VolumeMountStatus,
} from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { RuntimeContainer } from "../../runtime/cri.ts";
import { ephemeralContainersOf, initContainersOf, isRestartDue, isSidecar, type StoredPod } from "../pod-spec.ts";
import { restartingAllContainers } from "../restart-all.ts";
import { mountPathOf } from "../volumes/sub-path.ts";

/** Why a container is not started, as its waiting state says it. */
export interface StartFailure {
  readonly reason: string;
  readonly message: string;
}

export interface ContainerFacts {
  /** Newest first. */
  containersOf(podUid: string): readonly RuntimeContainer[];
  startFailure(podUid: string, containerName: string): StartFailure | undefined;
  /** Running, past its startup probe and its postStart hook. */
  isStarted(pod: StoredPod, container: RuntimeContainer, spec: Container): boolean;
  isReady(pod: StoredPod, container: RuntimeContainer, spec: Container): boolean;
  /** Its postStart hook has not ended: shown as waiting. */
  isInPostStart(container: RuntimeContainer): boolean;
}

export function terminatedState(container: RuntimeContainer): ContainerStateTerminated {
  const message = container.terminationMessage === "" ? container.message : container.terminationMessage;
  return {
    containerID: `containerd://${container.id}`,
    exitCode: container.exitCode,
    finishedAt: formatTime(container.finishedMs),
    ...(message === "" ? {} : { message }),
    reason: container.reason,
    startedAt: formatTime(container.startedMs),
  };
}

/** Of a container that ran and was removed from the runtime by hand. */
const lostState: ContainerStateTerminated = {
  exitCode: 137,
  message: "The container could not be located when the pod was deleted.  The container used to be Running",
  reason: "ContainerStatusUnknown",
};

const removedMessage = "The container is removed because RestartAllContainers in place";

/** Of a container that was removed, to run again with all others (kubelet's convertToAPIContainerStatuses). */
function removedStatus(spec: Container, old: ContainerStatus): ContainerStatus {
  return {
    ...(old.state?.terminated === undefined ? { image: spec.image ?? "", imageID: "", name: spec.name } : old),
    lastState: { terminated: { exitCode: 137, message: removedMessage, reason: restartingAllContainers } },
    ready: false,
    restartCount: old.restartCount + 1,
    started: false,
    state: { waiting: { message: removedMessage, reason: restartingAllContainers } },
  };
}

function stateOf(container: RuntimeContainer, facts: ContainerFacts, waitingReason: string): ContainerState {
  if (container.state === "exited") return { terminated: terminatedState(container) };
  if (container.state === "created" || facts.isInPostStart(container)) return { waiting: { reason: waitingReason } };
  return { running: { startedAt: formatTime(container.startedMs) } };
}

function mountStatuses(spec: Container, current: RuntimeContainer): readonly VolumeMountStatus[] | undefined {
  const mounts = spec.volumeMounts;
  if (mounts === undefined || mounts.length === 0) return undefined;
  const isDeep = (mount: VolumeMount) =>
    current.config.mounts.some(({ path, isRecursivelyReadOnly }) => isRecursivelyReadOnly === true && path === mountPathOf(mount));
  return mounts.map((mount) => ({
    mountPath: mount.mountPath,
    name: mount.name,
    ...(mount.readOnly === true ? { readOnly: true, recursiveReadOnly: isDeep(mount) ? "Enabled" : "Disabled" } : {}),
  }));
}

/** What the runtime reports of a container that it has; the rest of the status is the same for all states. */
function reported(spec: Container, current: RuntimeContainer): Partial<ContainerStatus> {
  const { user } = current.config;
  const mounts = mountStatuses(spec, current);
  const requests = spec.resources?.requests;
  return {
    ...(requests === undefined ? {} : { allocatedResources: requests }),
    containerID: `containerd://${current.id}`,
    image: current.config.image.name,
    imageID: current.config.image.reference,
    resources: current.state === "running" ? current.resources.written : (spec.resources ?? {}),
    restartCount: current.config.attempt,
    user: { linux: { gid: user.gid, supplementalGroups: user.groups, uid: user.uid } },
    ...(mounts === undefined ? {} : { volumeMounts: mounts }),
  };
}

function mayStartAgain(pod: StoredPod, spec: Container, current: RuntimeContainer | undefined, isPlainInit: boolean): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  if (current === undefined || current.state === "created") return true;
  if (current.state === "running") return false;
  return isRestartDue(pod, spec, current.exitCode, isPlainInit);
}

interface Described {
  readonly spec: Container;
  readonly kind: "init" | "app" | "ephemeral";
  /** Its last status. */
  readonly old: ContainerStatus | undefined;
  readonly isRestartingAll: boolean;
}

/** `all` are the containers of the pod, the latest first. */
function statusOf(
  pod: StoredPod,
  facts: ContainerFacts,
  all: readonly RuntimeContainer[],
  { spec, kind, old, isRestartingAll }: Described,
): ContainerStatus {
  let current: RuntimeContainer | undefined;
  let previous: RuntimeContainer | undefined;
  for (const container of all) {
    if (container.config.name !== spec.name) continue;
    if (current === undefined) current = container;
    else if (container.state === "exited") {
      previous = container;
      break;
    }
  }
  const waitingReason = initContainersOf(pod).length > 0 ? "PodInitializing" : "ContainerCreating";
  if (isRestartingAll && current === undefined && old !== undefined && old.state?.waiting === undefined) {
    return removedStatus(spec, old);
  }
  if (current === undefined && old?.state?.terminated !== undefined) return old;
  const isLost = current === undefined && old?.state?.running !== undefined;
  const base: ContainerStatus = {
    image: spec.image ?? "",
    imageID: "",
    name: spec.name,
    ready: false,
    restartCount: (old?.restartCount ?? 0) + (isLost && pod.metadata.deletionTimestamp === undefined ? 1 : 0),
    ...(current === undefined ? {} : reported(spec, current)),
  };
  let state = current === undefined ? { waiting: { reason: waitingReason } } : stateOf(current, facts, waitingReason);
  let lastState: ContainerState = previous === undefined ? (old?.lastState ?? {}) : { terminated: terminatedState(previous) };
  if (isLost) lastState = { terminated: lostState };
  const isPlainInit = kind === "init" && !isSidecar(spec);
  const failure = facts.startFailure(pod.metadata.uid, spec.name);
  if (failure !== undefined && mayStartAgain(pod, spec, current, isPlainInit)) {
    if (state.terminated !== undefined) lastState = { terminated: state.terminated };
    state = { waiting: { ...(failure.message === "" ? {} : { message: failure.message }), reason: failure.reason } };
  }
  const running = state.running === undefined ? undefined : current;
  const started = running !== undefined && kind !== "ephemeral" && facts.isStarted(pod, running, spec);
  const ready = isPlainInit ? state.terminated?.exitCode === 0 : started && facts.isReady(pod, running, spec);
  return { ...base, lastState, ready, ...(kind === "ephemeral" ? {} : { started }), state };
}

export interface ContainerStatuses {
  readonly init: readonly ContainerStatus[];
  readonly app: readonly ContainerStatus[];
  readonly ephemeral: readonly ContainerStatus[];
}

const byName = (a: ContainerStatus, b: ContainerStatus): number => compareBytes(a.name, b.name);

/**
 * Statuses by the containers' names, those of init containers in spec order (kubelet's convertToAPIContainerStatuses); those of
 * the pod's last status are kept for containers whose records are gone. `isRestartingAll`: they are gone because all containers
 * run again.
 */
export function containerStatuses(pod: StoredPod, facts: ContainerFacts, isRestartingAll: boolean): ContainerStatuses {
  const all = facts.containersOf(pod.metadata.uid);
  const { status } = pod;
  const statuses = (
    specs: readonly Container[],
    kind: Described["kind"],
    last: readonly ContainerStatus[] | undefined,
  ): ContainerStatus[] =>
    specs.map((spec) => {
      const old = last?.find(({ name }) => name === spec.name);
      return statusOf(pod, facts, all, { spec, kind, old, isRestartingAll: isRestartingAll && kind !== "ephemeral" });
    });
  return {
    init: statuses(initContainersOf(pod), "init", status?.initContainerStatuses),
    app: statuses(pod.spec?.containers ?? [], "app", status?.containerStatuses).sort(byName),
    ephemeral: statuses(ephemeralContainersOf(pod), "ephemeral", status?.ephemeralContainerStatuses).sort(byName),
  };
}
