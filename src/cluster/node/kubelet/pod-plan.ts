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
  const mayStartApps = planInit(pod, facts, latest, { kill, start, resize });
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

/**
 * What the init containers need, and whether the app containers' turn has come (kubelet's computeInitContainerActions). From the last to the
 * first: behind one that has been started all have had their turn, and a sidecar among them that is down keeps nobody waiting.
 */
function planInit(pod: StoredPod, facts: PlanFacts, latest: Latest, actions: Actions): boolean {
  const specs = initContainersOf(pod);
  const apps = containersOf(pod).flatMap(({ name }) => latest.get(name) ?? []);
  let isPast = apps.some(({ state }) => state !== "exited");
  let mayStartApps = isPast || specs.length === 0;
  const start: Container[] = [];
  for (const [index, spec] of [...specs.entries()].reverse()) {
    const container = latest.get(spec.name);
    // Plain init containers are not run again for want of a record.
    const hasHadItsTurn = isPast || (apps.length > 0 && !isSidecar(spec));
    if (container === undefined && !hasHadItsTurn) continue;
    if (isSidecar(spec) ? hasStarted(facts, spec, container) : hasHadItsTurn || hasSucceeded(container)) {
      const next = specs[index + 1];
      if (next === undefined) mayStartApps = true;
      else if (!isPast) start.push(next);
    }
    if (!isSidecar(spec) && container?.state === "running" && resizeOf(container, spec) === "inPlace")
      actions.resize.push({ container, spec });
    const isDue = isSidecar(spec)
      ? isSidecarDue(pod, facts, spec, container, actions)
      : !hasHadItsTurn && isPlainInitDue(pod, spec, container);
    if (isDue) start.push(spec);
    isPast = true;
  }
  const [first] = specs;
  if (first !== undefined && !isPast) start.push(first);
  actions.start.push(...start.reverse().map((spec) => ({ spec, kind: "init" as const })));
  return mayStartApps;
}

function hasStarted(facts: PlanFacts, spec: Container, container: RuntimeContainer | undefined): boolean {
  return container?.state === "running" && facts.isStarted(container, spec);
}

function hasSucceeded(container: RuntimeContainer | undefined): boolean {
  return container?.state === "exited" && container.exitCode === 0;
}

/** Looks after a sidecar that runs; one that does not, or is to be killed, is to be started. */
function isSidecarDue(
  pod: StoredPod,
  facts: PlanFacts,
  spec: Container,
  container: RuntimeContainer | undefined,
  actions: Actions,
): boolean {
  return container?.state !== "running" || planRunning(pod, facts, spec, container, actions);
}

function isPlainInitDue(pod: StoredPod, spec: Container, container: RuntimeContainer | undefined): boolean {
  if (container === undefined || container.state === "running") return false;
  return container.state === "created" || (container.exitCode !== 0 && isRestartDue(pod, spec, container.exitCode, true));
}

function planApps(pod: StoredPod, facts: PlanFacts, latest: Latest, actions: Actions): void {
  for (const spec of containersOf(pod)) {
    const container = latest.get(spec.name);
    if (container?.state === "running") {
      if (planRunning(pod, facts, spec, container, actions)) actions.start.push({ spec, kind: "app" });
    } else if (container === undefined || container.state === "created" || isRestartDue(pod, spec, container.exitCode)) {
      actions.start.push({ spec, kind: "app" });
    }
  }
}

/** Whether it is to be started again after it has been killed. */
function planRunning(pod: StoredPod, facts: PlanFacts, spec: Container, container: RuntimeContainer, actions: Actions): boolean {
  const failed = facts.failedProbe(container);
  const isInit = initContainersOf(pod).includes(spec);
  const name = `${isInit ? "Init container" : "Container"} ${spec.name}`;
  let message: string | undefined;
  if (container.config.imageName !== spec.image) message = `${name} definition changed`;
  else if (failed !== undefined) message = `${name} failed ${failed} probe`;
  if (message === undefined) return planResize(spec, container, actions);
  const willRestart = failed === undefined || restartPolicyOf(pod, spec) !== "Never";
  if (willRestart && !isInit) message += ", will be restarted";
  actions.kill.push({ container, spec, message, probe: failed });
  return willRestart;
}

/** Whether the container is to be started again for it. */
function planResize(spec: Container, container: RuntimeContainer, actions: Actions): boolean {
  const resize = resizeOf(container, spec);
  if (resize === "inPlace") actions.resize.push({ container, spec });
  if (resize !== "restart") return false;
  actions.kill.push({ container, spec, message: `Container ${spec.name} resize requires restart`, probe: undefined });
  return true;
}
