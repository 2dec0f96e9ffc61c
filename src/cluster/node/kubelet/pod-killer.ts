// Ends containers: preStop hook, stop signal, grace period, KILL; sidecars after the app containers, in reverse order.

import type { Container } from "#cluster/api/generated/types.ts";
import type { RuntimeContainer } from "../runtime/cri.ts";
import { containerFieldPath } from "./field-path.ts";
import type { KubeletParts } from "./parts.ts";
import { containersOf, ephemeralContainersOf, initContainersOf, isSidecar, type StoredPod } from "./pod-spec.ts";
import { isTrigger } from "./restart-all.ts";
import { call, runTask, type Task } from "./task.ts";

/** What is left for a container to end by itself, however long its preStop hook took. */
const minimumGraceSeconds = 2;

export interface KillOptions {
  readonly graceSeconds: number;
  /** Text of the Killing event. */
  readonly message: string;
  /** Waits for its turn to be signalled; runs after the preStop hook. */
  readonly turn?: (resume: () => void) => void;
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
  const startedMs = simulation.nowMs;
  if (spec?.lifecycle?.preStop !== undefined && options.graceSeconds > 0) {
    yield* hooks.runPreStop(pod, container, spec, options.graceSeconds);
  }
  if (options.turn !== undefined) yield options.turn;
  const left = options.graceSeconds - (simulation.nowMs - startedMs) / 1000;
  const graceMs = Math.max(left, minimumGraceSeconds) * 1000;
  yield* call<void>((done) => runtime.stopContainer(container.id, graceMs, () => done()));
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
      const turn = isLate ? { turn: (resume: () => void) => ordering.whenTurn(name, resume) } : {};
      const options: KillOptions = { graceSeconds, message: `Stopping container ${name}`, ...turn };
      return { task: killContainer(parts, pod, container, spec, options), onEnd: () => ordering.ended(name) };
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

/** App containers first; then the sidecars, last one first, each after the one before it has gone. */
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
