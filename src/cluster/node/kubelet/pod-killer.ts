// Ends containers: preStop hook, stop signal, grace period, KILL; sidecars after the app containers, in reverse order.

import type { Container } from "#cluster/api/generated/types.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { RuntimeContainer } from "../runtime/cri.ts";
import { containerFieldPath } from "./field-path.ts";
import type { KubeletParts } from "./parts.ts";
import { containersOf, ephemeralContainersOf, initContainersOf, isSidecar, type StoredPod } from "./pod-spec.ts";
import { isTrigger } from "./restart-all.ts";
import { call, runTask, type Task, type Wait } from "./task.ts";

/** What is left for a container to end by itself, however long its preStop hook took. */
const minimumGraceSeconds = 2;

/** Between the end of a container and the runtime's word of it. */
const endNoticeMs = 20;

export interface KillOptions {
  readonly graceSeconds: number;
  /** Text of the Killing event. */
  readonly message: string;
  /** Waits for its turn to be signalled; runs after the preStop hook, and for no longer than the grace period. */
  readonly turn?: Wait;
}

/** Ends one running container; returns when it has ended. */
export function* killContainer(
  parts: KubeletParts,
  pod: StoredPod,
  container: RuntimeContainer,
  spec: Container | undefined,
  options: KillOptions,
): Task<void> {
  const { simulation, recorder, hooks, runtime } = parts;
  recorder.normal(pod, "Killing", options.message, containerFieldPath(pod, container.config.name));
  parts.journal.killing(pod, container, options.graceSeconds);
  let left = options.graceSeconds;
  const wait = function* (task: Task<void>): Task<void> {
    const startedMs = simulation.nowMs;
    yield* task;
    // Only whole seconds are taken off.
    left -= Math.floor((simulation.nowMs - startedMs) / 1000);
  };
  if (spec?.lifecycle?.preStop !== undefined && left > 0) yield* wait(hooks.runPreStop(pod, container, spec, left));
  if (options.turn !== undefined && left > 0) yield* wait(orAfter(simulation, left * 1000, options.turn));
  const graceMs = Math.max(left, minimumGraceSeconds) * 1000;
  yield* call<void>((done) => runtime.stopContainer(container.id, graceMs, () => done()));
}

/** Waits for what is to come, and not for longer than this. */
function* orAfter(simulation: Simulation, limitMs: number, wait: Wait): Task<void> {
  let timer: Timer | undefined;
  try {
    yield (resume) => {
      timer = simulation.after(limitMs, resume);
      wait(resume);
    };
  } finally {
    simulation.cancel(timer);
  }
}

interface Victim {
  readonly container: RuntimeContainer;
  readonly spec: Container | undefined;
}

/** Ends all containers of a pod, then its sandbox. */
export function* killPod(parts: KubeletParts, pod: StoredPod, graceSeconds: number): Task<void> {
  const { runtime } = parts;
  const { uid } = pod.metadata;
  yield* killContainers(parts, pod, graceSeconds);
  for (const sandbox of runtime.sandboxesOf(uid)) {
    if (sandbox.state === "ready") yield* call<void>((done) => runtime.stopSandbox(sandbox.id, () => done()));
  }
}

/** Ends all running containers of a pod, side by side. */
export function* killContainers(parts: KubeletParts, pod: StoredPod, graceSeconds: number): Task<void> {
  const { simulation } = parts;
  const sidecars = initContainersOf(pod).filter(isSidecar);
  const specs = new Map<string, Container>();
  for (const spec of [...containersOf(pod), ...initContainersOf(pod), ...ephemeralContainersOf(pod)]) specs.set(spec.name, spec);
  const victims: Victim[] = [];
  for (const container of parts.runtime.containersOf(pod.metadata.uid)) {
    if (container.state === "running") victims.push({ container, spec: specs.get(container.config.name) });
  }
  victims.reverse();
  const ordering = new SidecarOrder(
    victims.filter(({ spec }) => spec === undefined || !sidecars.includes(spec)).length,
    sidecars.map((spec) => spec.name).filter((name) => victims.some(({ container }) => container.config.name === name)),
  );
  yield* allOf(
    victims.map(({ container, spec }) => {
      const { name } = container.config;
      const isLate = spec !== undefined && sidecars.includes(spec);
      const turn: { turn?: Wait } = isLate ? { turn: (resume) => ordering.whenTurn(name, resume) } : {};
      const options: KillOptions = { graceSeconds, message: `Stopping container ${name}`, ...turn };
      return {
        task: killContainer(parts, pod, container, spec, options),
        onEnd: () => simulation.after(endNoticeMs, () => ordering.ended(name)),
      };
    }),
  );
}

/**
 * Ends and removes all containers but the ephemeral ones, one after the other, to start them again in the same sandbox; those
 * whose end was the cause come last (kuberuntime's getContainersToReset).
 */
export function* removeAllContainers(parts: KubeletParts, pod: StoredPod): Task<void> {
  const containers = [...parts.runtime.containersOf(pod.metadata.uid)];
  const others: [RuntimeContainer, Container][] = [];
  const triggers: [RuntimeContainer, Container][] = [];
  for (const spec of [...containersOf(pod), ...initContainersOf(pod)]) {
    for (const container of containers) {
      if (container.config.name === spec.name) (isTrigger(spec, container) ? triggers : others).push([container, spec]);
    }
  }
  for (const [container, spec] of [...others, ...triggers]) {
    // No grace, and so no preStop hook.
    if (container.state === "running") yield* killContainer(parts, pod, container, spec, { graceSeconds: 0, message: "killing" });
    parts.probes.containerEnded(container.id);
    // Its log stays until the pod goes.
    parts.runtime.removeContainer(container.id);
    parts.journal.removed(container);
  }
}

/**
 * App containers first; then the sidecars, last one first, each after the one before it has gone. Whoever has waited to the end of
 * the grace period is signalled then, whatever still runs (kuberuntime's terminationOrdering).
 */
class SidecarOrder {
  #apps: number;
  readonly #sidecars: string[];
  readonly #waiting = new Map<string, () => void>();

  constructor(apps: number, sidecars: readonly string[]) {
    this.#apps = apps;
    this.#sidecars = [...sidecars];
  }

  whenTurn(name: string, resume: () => void): void {
    this.#waiting.set(name, resume);
    this.#call();
  }

  ended(name: string): void {
    const index = this.#sidecars.indexOf(name);
    if (index < 0) this.#apps -= 1;
    else this.#sidecars.splice(index, 1);
    this.#call();
  }

  #call(): void {
    const next = this.#sidecars.at(-1);
    if (this.#apps > 0 || next === undefined) return;
    const resume = this.#waiting.get(next);
    this.#waiting.delete(next);
    resume?.();
  }
}

/** Runs tasks side by side until all have ended; then throws what one of them threw. */
export function* allOf(jobs: readonly { readonly task: Task<void>; readonly onEnd: () => void }[]): Task<void> {
  let left = jobs.length;
  let wake: (() => void) | undefined;
  const thrown: unknown[] = [];
  const running = jobs.map(({ task, onEnd }) => {
    const ended = (): void => {
      left -= 1;
      onEnd();
      if (left === 0) wake?.();
    };
    return runTask(task, ended, (error) => {
      thrown.push(error);
      ended();
    });
  });
  try {
    if (left > 0) {
      yield (resume) => {
        wake = resume;
      };
    }
  } finally {
    for (const task of running) task.cancel();
  }
  if (thrown.length > 0) throw thrown[0];
}
