// What a pod needs next: compares its spec with what the runtime has, and says which containers to kill and to start
// (kubelet's computePodActions). Pure: all it needs is given.

import type { Container } from "#cluster/api/generated/types.ts";
import type { RuntimeContainer, Sandbox } from "../runtime/cri.ts";
import {
  containersOf,
  ephemeralContainersOf,
  initContainersOf,
  isRestartDue,
  isSidecar,
  restartPolicyOf,
  type StoredPod,
} from "./pod-spec.ts";
import { type ContainerResize, resizeOf } from "./resize.ts";

export interface ContainerToKill {
  readonly container: RuntimeContainer;
  readonly spec: Container;
  /** Text of the Killing event. */
  readonly message: string;
  readonly probe: "liveness" | "startup" | undefined;
}

export interface ContainerToStart {
  readonly spec: Container;
  readonly kind: "init" | "app" | "ephemeral";
}

export interface PodPlan {
  /** The sandbox is missing or gone: everything that runs is killed, then a new one is made. */
  readonly newSandbox: { readonly attempt: number } | undefined;
  readonly kill: readonly ContainerToKill[];
  readonly start: readonly ContainerToStart[];
  /** Containers that get other limits while they run. */
  readonly resize: readonly ContainerResize[];
  /** Nothing runs and nothing is to be started. */
  readonly isOver: boolean;
}

export interface PlanFacts {
  readonly sandboxes: readonly Sandbox[];
  /** Newest first. */
  readonly containers: readonly RuntimeContainer[];
  failedProbe(container: RuntimeContainer): "liveness" | "startup" | undefined;
  isStarted(container: RuntimeContainer, spec: Container): boolean;
}

type Latest = ReadonlyMap<string, RuntimeContainer>;

function latestOf(containers: readonly RuntimeContainer[], sandboxId: string | undefined): Latest {
  const latest = new Map<string, RuntimeContainer>();
  for (const container of containers) {
    if (container.sandboxId === sandboxId && !latest.has(container.config.name)) latest.set(container.config.name, container);
  }
  return latest;
}

/** A pod that has run and is not to run again gets no new sandbox. */
function wantsSandbox(pod: StoredPod, facts: PlanFacts): boolean {
  if (facts.sandboxes.length === 0) return true;
  const latest = new Map<string, RuntimeContainer>();
  for (const container of facts.containers) if (!latest.has(container.config.name)) latest.set(container.config.name, container);
  const anyRan = facts.containers.length > 0;
  const policy = pod.spec?.restartPolicy;
  if (policy === "Never" && anyRan) return false;
  if (policy !== "OnFailure") return true;
  return containersOf(pod).some((spec) => {
    const container = latest.get(spec.name);
    return container === undefined || container.state !== "exited" || container.exitCode !== 0;
  });
}

export function planPod(pod: StoredPod, facts: PlanFacts): PodPlan {
  const newest = facts.sandboxes[0];
  if (newest === undefined || newest.state !== "ready") {
    if (!wantsSandbox(pod, facts)) return { newSandbox: undefined, kill: [], start: [], resize: [], isOver: true };
    const attempt = newest === undefined ? 0 : newest.config.attempt + 1;
    return { newSandbox: { attempt }, kill: [], start: firstStarts(pod), resize: [], isOver: false };
  }
  const latest = latestOf(facts.containers, newest.id);
  const kill: ContainerToKill[] = [];
  const resize: ContainerResize[] = [];
  const start: ContainerToStart[] = ephemeralContainersOf(pod)
    .filter((spec) => !latest.has(spec.name))
    .map((spec) => ({ spec, kind: "ephemeral" as const }));
  const isInitialized = containersOf(pod).some((spec) => latest.has(spec.name));
  const mayStartApps = planInit(pod, facts, latest, isInitialized, { kill, start, resize });
  if (mayStartApps) planApps(pod, facts, latest, { kill, start, resize });
  const anyRunning = [...latest.values()].some((container) => container.state === "running");
  return { newSandbox: undefined, kill, start, resize, isOver: !anyRunning && start.length === 0 && kill.length === 0 };
}

/** The first of the init containers, or all app containers. */
function firstStarts(pod: StoredPod): readonly ContainerToStart[] {
  const first = initContainersOf(pod)[0];
  if (first !== undefined) return [{ spec: first, kind: "init" }];
  return containersOf(pod).map((spec) => ({ spec, kind: "app" }));
}

interface Actions {
  readonly kill: ContainerToKill[];
  readonly start: ContainerToStart[];
  readonly resize: ContainerResize[];
}

/** Whether the app containers' turn has come. */
function planInit(pod: StoredPod, facts: PlanFacts, latest: Latest, isInitialized: boolean, actions: Actions): boolean {
  for (const spec of initContainersOf(pod)) {
    const container = latest.get(spec.name);
    const blocks = isSidecar(spec)
      ? planSidecar(pod, facts, spec, container, actions)
      : planPlainInit(pod, spec, container, isInitialized, actions);
    if (blocks && !isInitialized) return false;
  }
  return true;
}

function planSidecar(
  pod: StoredPod,
  facts: PlanFacts,
  spec: Container,
  container: RuntimeContainer | undefined,
  actions: Actions,
): boolean {
  if (container === undefined || container.state !== "running") {
    actions.start.push({ spec, kind: "init" });
    return true;
  }
  planRunning(pod, facts, spec, container, actions);
  return !facts.isStarted(container, spec);
}

function planPlainInit(
  pod: StoredPod,
  spec: Container,
  container: RuntimeContainer | undefined,
  isInitialized: boolean,
  actions: Actions,
): boolean {
  if (isInitialized) return false;
  if (container?.state === "exited" && container.exitCode === 0) return false;
  if (container?.state === "running") return true;
  const isDue = container === undefined || container.state === "created" || isRestartDue(pod, spec, container.exitCode, true);
  if (isDue) actions.start.push({ spec, kind: "init" });
  return true;
}

function planApps(pod: StoredPod, facts: PlanFacts, latest: Latest, actions: Actions): void {
  for (const spec of containersOf(pod)) {
    const container = latest.get(spec.name);
    if (container?.state === "running") {
      planRunning(pod, facts, spec, container, actions);
    } else if (container === undefined || container.state === "created" || isRestartDue(pod, spec, container.exitCode)) {
      actions.start.push({ spec, kind: "app" });
    }
  }
}

function planRunning(pod: StoredPod, facts: PlanFacts, spec: Container, container: RuntimeContainer, actions: Actions): void {
  const failed = facts.failedProbe(container);
  let message: string | undefined;
  if (container.config.imageName !== spec.image) message = `Container ${spec.name} definition changed`;
  else if (failed !== undefined) message = `Container ${spec.name} failed ${failed} probe`;
  if (message === undefined) {
    planResize(spec, container, actions);
    return;
  }
  const willRestart = failed === undefined || restartPolicyOf(pod, spec) !== "Never";
  actions.kill.push({ container, spec, message: willRestart ? `${message}, will be restarted` : message, probe: failed });
  if (willRestart) actions.start.push({ spec, kind: isSidecar(spec) ? "init" : "app" });
}

function planResize(spec: Container, container: RuntimeContainer, actions: Actions): void {
  const resize = resizeOf(container, spec);
  if (resize === "inPlace") actions.resize.push({ container, spec });
  if (resize !== "restart") return;
  actions.kill.push({ container, spec, message: `Container ${spec.name} resize requires restart`, probe: undefined });
  actions.start.push({ spec, kind: isSidecar(spec) ? "init" : "app" });
}
