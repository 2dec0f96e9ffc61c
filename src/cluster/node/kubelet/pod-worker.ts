// One pod's worker: keeps the pod as its spec wants it while it may run, ends it when it must, and forgets it when all is
// gone. Work on one pod is serial; several workers go on side by side (kubelet's podWorkers).

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { PodStatus } from "#cluster/api/generated/types.ts";
import { pods as podType } from "#cluster/api/kinds.ts";
import { formatTime, parseTime } from "#cluster/api/time.ts";
import type { Timer } from "#sim/simulation.ts";
import type { KubeletParts } from "./parts.ts";
import { killPod } from "./pod-killer.ts";
import { containersOf, initContainersOf, isFinishedPhase, isMirror, isStatic, type StoredPod } from "./pod-spec.ts";
import { syncPod } from "./pod-sync.ts";
import { isResized } from "./resize.ts";
import { generateStatus } from "./status/generate-status.ts";
import { appPhaseOf } from "./status/phase.ts";
import type { Verdict } from "./status/pod-status.ts";
import { isSameValue } from "./status/same-value.ts";
import { terminatedStatus } from "./status/terminated-status.ts";
import { type RunningTask, runTask, type Task } from "./task.ts";

/** syncing: may run. terminating: is being ended. terminated: nothing runs any more. */
export type WorkerState = "syncing" | "terminating" | "terminated";

export interface Termination {
  /** Overrides the grace period of the pod. */
  readonly graceSeconds?: number;
  /** The pod is to be Failed with this reason: eviction, deadline. */
  readonly verdict?: Verdict;
}

const resyncMs = 60_000;
const errorRetryMs = 10_000;
const noticeRetryMs = 100;

export class PodWorker {
  pod: StoredPod;
  state: WorkerState = "syncing";
  /** The API has no such pod any more. */
  isRemoved = false;
  readonly #parts: KubeletParts;
  readonly #onGone: (worker: PodWorker) => void;
  #task: RunningTask | undefined;
  #isDirty = false;
  #timer: Timer | undefined;
  #deadline: Timer | undefined;
  #graceSeconds: number | undefined;
  #verdict: Verdict | undefined;
  #isStopped = false;
  #isHeld = false;
  /** What the runtime does for a pass is done to its end, also for a pod that is ended meanwhile (kubelet.SyncPod). */
  #isWithRuntime = false;

  constructor(parts: KubeletParts, pod: StoredPod, onGone: (worker: PodWorker) => void) {
    this.#parts = parts;
    this.pod = pod;
    this.#onGone = onGone;
  }

  /** A new version of the pod from its source. */
  update(pod: StoredPod): void {
    const isChanged = isChangedForSync(this.pod, pod);
    this.pod = pod;
    const isAdopted = this.#parts.statuses.adopt(pod);
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.terminate({ graceSeconds: Number(pod.metadata.deletionGracePeriodSeconds ?? 30) });
    } else if (this.state === "syncing" && (isChanged || isAdopted)) {
      this.wake();
    }
  }

  /** The node does not take the pod: it is Failed, and nothing is ever started. */
  refuse(verdict: Verdict): void {
    const { statuses, simulation } = this.#parts;
    this.state = "terminated";
    const { conditions, qosClass } = this.pod.status ?? {};
    statuses.set(this.pod, {
      ...(conditions === undefined ? {} : { conditions }),
      message: verdict.message,
      ...(this.pod.metadata.generation === undefined ? {} : { observedGeneration: this.pod.metadata.generation }),
      phase: verdict.phase,
      ...(qosClass === undefined ? {} : { qosClass }),
      reason: verdict.reason,
      startTime: formatTime(simulation.nowMs),
    });
  }

  /** It had ended before this kubelet began: nothing of it is started again (podWorkers.UpdatePod). */
  settle(): void {
    this.state = "terminated";
  }

  /** The pod is gone from its source: it is ended without further words to the API. */
  remove(): void {
    this.isRemoved = true;
    if (this.state === "terminated") this.#finish();
    else this.terminate(isStatic(this.pod) ? {} : { graceSeconds: Number(this.pod.metadata.deletionGracePeriodSeconds ?? 1) });
  }

  /** Ends the pod; a second call may only shorten the grace period. */
  terminate(termination: Termination): void {
    if (this.state === "terminated") {
      this.#deleteFromApi();
      return;
    }
    const wanted = Number(termination.graceSeconds ?? this.pod.spec?.terminationGracePeriodSeconds ?? 30);
    if (this.state === "terminating" && this.#graceSeconds !== undefined && wanted >= this.#graceSeconds) return;
    this.state = "terminating";
    this.#graceSeconds = Math.max(1, wanted);
    this.#verdict ??= termination.verdict;
    this.#parts.simulation.cancel(this.#deadline);
    if (this.#isWithRuntime) return;
    this.#task?.cancel();
    this.#task = undefined;
    this.wake();
  }

  /** Nothing is started until `release`; the pod may end meanwhile. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.wake();
  }

  /** Something changed: works now, or once more after the present work. */
  wake(): void {
    if (this.#isStopped || this.state === "terminated" || (this.#isHeld && this.state === "syncing")) return;
    if (this.#task !== undefined) {
      this.#isDirty = true;
      return;
    }
    this.#parts.simulation.cancel(this.#timer);
    this.#timer = undefined;
    this.#isDirty = false;
    let ended = false;
    const task = runTask(
      this.state === "syncing" ? this.#sync() : this.#terminate(),
      () => {
        ended = true;
        this.#task = undefined;
        this.#afterWork();
      },
      (thrown) => {
        ended = true;
        this.#task = undefined;
        this.#failed(thrown);
      },
    );
    if (!ended) this.#task = task;
  }

  /** What nobody expected is told as a sync that failed, and tried again. */
  #failed(thrown: unknown): void {
    const { simulation, recorder, nodeName } = this.#parts;
    const { namespace, name } = this.pod.metadata;
    const error = simulation.faults.note(`kubelet ${nodeName}`, `${namespace}/${name}`, thrown);
    this.#isWithRuntime = false;
    this.#wakeAt(simulation.nowMs + errorRetryMs, true);
    recorder.warning(this.pod, "FailedSync", `error determining status: ${error.message}`);
  }

  /** A probe has another result. A pod that is ending only tells of it (the status manager's SetContainerReadiness). */
  probeChanged(): void {
    if (this.state !== "terminating") this.wake();
    else if (!this.isRemoved && !this.#isStopped)
      this.#parts.statuses.set(this.pod, generateStatus(this.#parts, this.pod, { isTerminal: false, verdict: this.#verdict }));
  }

  /** The kubelet stops: containers go on without it. */
  stop(): void {
    this.#isStopped = true;
    this.#task?.cancel();
    this.#task = undefined;
    this.#parts.simulation.cancel(this.#timer);
    this.#parts.simulation.cancel(this.#deadline);
  }

  #afterWork(): void {
    const isToEnd = this.#isWithRuntime && this.state === "terminating";
    this.#isWithRuntime = false;
    if (isToEnd) this.wake();
    if (!this.#isDirty || this.state !== "syncing") return;
    this.#isDirty = false;
    this.#wakeAt(this.#parts.nextRelistMs());
  }

  #wakeAt(timeMs: number, background = false): void {
    if (this.#timer?.callback !== undefined && this.#timer.timeMs <= timeMs) return;
    this.#parts.simulation.cancel(this.#timer);
    this.#timer = this.#parts.simulation.at(timeMs, () => this.wake(), { background });
  }

  *#sync(): Task<void> {
    const { simulation, statuses, allocations } = this.#parts;
    const { pod } = this;
    if (allocations.isInProgress(pod) && isResized(this.#parts, pod)) allocations.completed(pod);
    const status = generateStatus(this.#parts, pod, { isTerminal: false, verdict: undefined });
    statuses.set(pod, status);
    if (isFinishedPhase(status.phase) || haveAppsEnded(pod, status)) {
      this.state = "terminating";
      this.#graceSeconds = Number(pod.spec?.terminationGracePeriodSeconds ?? 30);
      simulation.after(0, () => this.wake());
      return;
    }
    this.#watchDeadline(status.startTime);
    const outcome = yield* syncPod(this.#parts, pod, () => {
      this.#isWithRuntime = true;
    });
    if (this.state !== "syncing") return;
    if (outcome.kind === "retry") {
      const delayMs = errorRetryMs * (1 + simulation.random.fraction() / 2);
      this.#wakeAt(simulation.nowMs + Math.ceil(delayMs), true);
    } else if (outcome.kind === "backOff") {
      const latestMs = simulation.nowMs + Math.ceil(resyncMs * (1 + simulation.random.fraction() / 2));
      this.#wakeAt(Math.min(outcome.readyAtMs, latestMs), true);
      if (this.#isCrashLooping()) simulation.at(this.#parts.nextRelistMs(), () => this.#showStatus());
    } else if (outcome.kind === "soon") {
      this.#wakeAt(this.#parts.nextRelistMs());
    }
  }

  #isCrashLooping(): boolean {
    const { startFailures } = this.#parts;
    const { uid } = this.pod.metadata;
    return [...containersOf(this.pod), ...initContainersOf(this.pod)].some(
      ({ name }) => startFailures.get(`${uid}/${name}`)?.reason === "CrashLoopBackOff",
    );
  }

  /** CrashLoopBackOff is to be seen while it lasts, not at its end. */
  #showStatus(): void {
    if (this.#isStopped || this.state !== "syncing" || this.#task !== undefined) return;
    this.#parts.statuses.set(this.pod, generateStatus(this.#parts, this.pod, { isTerminal: false, verdict: undefined }));
  }

  #watchDeadline(startTime: string | undefined): void {
    const seconds = this.pod.spec?.activeDeadlineSeconds;
    if (seconds === undefined || startTime === undefined) return;
    const { simulation, recorder } = this.#parts;
    simulation.cancel(this.#deadline);
    const expire = () => {
      const message = "Pod was active on the node longer than the specified deadline";
      recorder.normal(this.pod, "DeadlineExceeded", message);
      this.terminate({ verdict: { phase: "Failed", reason: "DeadlineExceeded", message } });
    };
    this.#deadline = simulation.at(parseTime(startTime) + Number(seconds) * 1000, expire, { background: true });
  }

  *#terminate(): Task<void> {
    const { statuses, probes, volumes } = this.#parts;
    const { pod } = this;
    const verdict = this.#verdict;
    if (!this.isRemoved) statuses.set(pod, generateStatus(this.#parts, pod, { isTerminal: false, verdict }));
    probes.podTerminating(pod.metadata.uid);
    yield* killPod(this.#parts, pod, this.#graceSeconds ?? 30);
    probes.forgetPod(pod.metadata.uid);
    volumes.unmount(pod);
    if (this.isRemoved) this.#finish();
    else statuses.set(this.pod, terminatedStatus(this.pod, generateStatus(this.#parts, this.pod, { isTerminal: true, verdict })));
    // The last of it: what fails before is tried again as a whole.
    this.state = "terminated";
    if (!this.isRemoved) this.#deleteFromApi();
  }

  /** Tells the API that a deleted pod has ended; when it does not take it, later again. */
  #deleteFromApi(): void {
    const { pod } = this;
    if (this.#isStopped || pod.metadata.deletionTimestamp === undefined || isStatic(pod) || isMirror(pod)) return;
    const { client, simulation } = this.#parts;
    const { name, namespace = "", uid } = pod.metadata;
    try {
      client.delete(podType, { namespace, name }, { gracePeriodSeconds: 0, uid });
    } catch (error) {
      // It is gone, or another one has its name.
      if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return;
      simulation.after(errorRetryMs, () => this.#deleteFromApi(), { background: true });
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable))
        simulation.faults.note(`kubelet ${this.#parts.nodeName}`, `${namespace}/${name}`, error);
    }
  }

  /** Nothing is left to be done: records and logs go too. */
  #finish(): void {
    const { runtime, statuses, logs, volumes, images, crashBackOff, startFailures, simulation } = this.#parts;
    const { uid } = this.pod.metadata;
    const containers = [...runtime.containersOf(uid)];
    for (const container of containers) {
      runtime.removeContainer(container.id);
      this.#parts.journal.removed(container);
    }
    for (const sandbox of runtime.sandboxesOf(uid)) runtime.removeSandbox(sandbox.id);
    logs.removePod(this.pod, containers);
    if (this.pod.spec?.hostUsers === false) this.#parts.userNamespaces().release(uid);
    volumes.remove(uid);
    statuses.forget(uid);
    images.forgetPod(uid);
    crashBackOff.forget(`${uid}/`);
    for (const key of startFailures.keys()) if (key.startsWith(`${uid}/`)) startFailures.delete(key);
    this.#isStopped = true;
    // The caller's loop may be over the workers.
    simulation.after(noticeRetryMs, () => this.#onGone(this));
  }
}

/** Whether a new version asks for anything: a status that was written here does not. */
function isChangedForSync(before: StoredPod, after: StoredPod): boolean {
  if (before.spec !== after.spec && before.metadata.generation !== after.metadata.generation) return true;
  const { labels, annotations, deletionTimestamp } = before.metadata;
  return (
    deletionTimestamp !== after.metadata.deletionTimestamp ||
    !isSameValue(labels, after.metadata.labels) ||
    !isSameValue(annotations, after.metadata.annotations)
  );
}

/** Only sidecars are left to be ended. */
function haveAppsEnded(pod: StoredPod, { containerStatuses = [], initContainerStatuses = [] }: PodStatus): boolean {
  return isFinishedPhase(appPhaseOf(pod, containerStatuses, initContainerStatuses, false));
}
