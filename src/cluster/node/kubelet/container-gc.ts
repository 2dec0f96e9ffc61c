// Removes dead containers every minute (pkg/kubelet/kuberuntime/kuberuntime_gc.go). A unit is a container's name in one pod: of each the
// newest dead one stays, for its log and its last state.

import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { Machine } from "../host/machine.ts";
import type { ContainerRuntime, RuntimeContainer } from "../runtime/cri.ts";

/** By flags only; all three are deprecated. */
export interface ContainerGcPolicy {
  /** --minimum-container-ttl-duration, default 0. */
  readonly minimumAgeMs?: number;
  /** --maximum-dead-containers-per-container, default 1; negative: no limit. */
  readonly perContainer?: number;
  /** --maximum-dead-containers, default -1; negative: no limit. */
  readonly total?: number;
}

export interface ContainerGcOptions {
  readonly simulation: Simulation;
  readonly machine: Machine;
  readonly runtime: ContainerRuntime;
  readonly recorder: EventRecorder;
  readonly policy: ContainerGcPolicy;
  /** No source has the pod any more, and nothing of it runs. */
  readonly isGone: (podUid: string) => boolean;
  readonly remove: (container: RuntimeContainer) => void;
}

const periodMs = 60_000;

/** Dead containers by unit, each list newest first. */
type Units = Map<string, RuntimeContainer[]>;

export class ContainerGarbageCollector {
  readonly #options: ContainerGcOptions;
  #timer: Timer | undefined;

  constructor(options: ContainerGcOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = this.#options.simulation.after(
      periodMs,
      () => {
        this.start();
        this.#collect();
      },
      { background: true },
    );
  }

  stop(): void {
    this.#options.simulation.cancel(this.#timer);
  }

  #collect(): void {
    const { runtime, recorder, machine } = this.#options;
    if (runtime.stoppedMs === undefined) {
      this.#collectContainers();
      this.#collectSandboxes();
      return;
    }
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: machine.name, uid: machine.name } };
    recorder.warning(node, "ContainerGCFailed", `rpc error: ${runtime.unreachable}`);
  }

  #collectContainers(): void {
    const { policy, isGone } = this.#options;
    const { perContainer = 1, total = -1 } = policy;
    const units = this.#dead();
    for (const [key, containers] of units) {
      if (!isGone(key.slice(0, key.indexOf("/")))) continue;
      this.#removeOldest(containers, 0);
      units.delete(key);
    }
    if (perContainer >= 0) for (const containers of units.values()) this.#removeOldest(containers, perContainer);
    if (total < 0) return;
    if (count(units) > total) {
      const share = Math.max(1, Math.floor(total / units.size));
      for (const containers of units.values()) this.#removeOldest(containers, share);
    }
    const left = [...units.values()].flat().sort((a, b) => b.createdMs - a.createdMs);
    this.#removeOldest(left, total);
  }

  #dead(): Units {
    const { runtime, simulation, policy } = this.#options;
    const youngestMs = simulation.nowMs - (policy.minimumAgeMs ?? 0);
    const units: Units = new Map();
    for (const uid of runtime.podUids()) {
      for (const container of runtime.containersOf(uid)) {
        if (container.state !== "exited" || container.createdMs > youngestMs) continue;
        const key = `${uid}/${container.config.name}`;
        units.set(key, [...(units.get(key) ?? []), container]);
      }
    }
    return units;
  }

  #removeOldest(containers: RuntimeContainer[], kept: number): void {
    for (const container of containers.splice(kept)) this.#options.remove(container);
  }

  /** Of a pod that goes on the newest sandbox stays, and those that containers belong to. */
  #collectSandboxes(): void {
    const { runtime, isGone } = this.#options;
    for (const uid of [...runtime.podUids()]) {
      const [newest, ...older] = runtime.sandboxesOf(uid);
      const used = new Set(runtime.containersOf(uid).map(({ sandboxId }) => sandboxId));
      const candidates = newest !== undefined && isGone(uid) ? [newest, ...older] : older;
      for (const { id, state } of [...candidates]) if (state !== "ready" && !used.has(id)) runtime.removeSandbox(id);
    }
  }
}

function count(units: Units): number {
  let sum = 0;
  for (const { length } of units.values()) sum += length;
  return sum;
}
