// Carries out what a resize has given: other limits for containers that run, or their restart when their policy asks for it
// (kuberuntime's computePodResizeAction and doPodResizeAction).

import type { Container, ResourceRequirements } from "#cluster/api/generated/types.ts";
import { compareQuantities, parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import type { RuntimeContainer } from "../runtime/cri.ts";
import { podGroupLimits, resourcesToRun, swapLimitOf } from "./container-resources.ts";
import type { KubeletParts } from "./parts.ts";
import { containersOf, initContainersOf, isSidecar, type StoredPod } from "./pod-spec.ts";

export interface ContainerResize {
  readonly container: RuntimeContainer;
  readonly spec: Container;
}

const resizable = ["cpu", "memory"] as const;

function isSameAmount(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
}

/** What is to be done with a running container so that it has what its spec says. */
export function resizeOf({ resources: { written } }: RuntimeContainer, spec: Container): "none" | "inPlace" | "restart" {
  if (written === spec.resources) return "none";
  let result: "none" | "inPlace" | "restart" = "none";
  for (const resource of resizable) {
    const isSame = (["limits", "requests"] as const).every((list) =>
      isSameAmount(written[list]?.[resource], spec.resources?.[list]?.[resource]),
    );
    if (isSame) continue;
    const policy = spec.resizePolicy?.find(({ resourceName }) => resourceName === resource);
    if (policy?.restartPolicy === "RestartContainer") return "restart";
    result = "inPlace";
  }
  return result;
}

/** Whether every running container has what it was given. */
export function isResized(parts: KubeletParts, pod: StoredPod): boolean {
  const specs = new Map([...containersOf(pod), ...initContainersOf(pod)].map((spec) => [spec.name, spec]));
  return parts.runtime.containersOf(pod.metadata.uid).every((container) => {
    const spec = specs.get(container.config.name);
    return container.state !== "running" || spec === undefined || resizeOf(container, spec) === "none";
  });
}

/** False when it cannot be done now: the programs have more memory than they are to be left. */
export function carryOutResize(parts: KubeletParts, pod: StoredPod, resizes: readonly ContainerResize[]): boolean {
  const { runtime } = parts;
  const isGiven = parts.allocations.isInProgress(pod);
  if (resizes.length === 0) {
    if (isGiven) runtime.updatePod(pod.metadata.uid, podGroupLimits(pod));
    return true;
  }
  const obstacles = memoryObstacles(parts, pod, resizes);
  if (obstacles.length > 0) {
    const list = obstacles.length === 1 ? obstacles[0] : `[${obstacles.join(", ")}]`;
    parts.allocations.failed(pod, `cannot decrease memory limits: ${list}`);
    return false;
  }
  if (isGiven) runtime.updatePod(pod.metadata.uid, podGroupLimits(pod));
  for (const { container, spec } of resizes)
    runtime.updateContainer(container.id, resourcesToRun(spec, swapLimitOf(parts, pod, spec)));
  return true;
}

function memoryObstacles(parts: KubeletParts, pod: StoredPod, resizes: readonly ContainerResize[]): readonly string[] {
  const { runtime } = parts;
  const obstacles: string[] = [];
  const running = runtime.containersOf(pod.metadata.uid).filter(({ state }) => state === "running");
  const before = memoryLimitOf(running.map(({ resources }) => resources.written));
  const isAlive = (spec: Container) => isSidecar(spec) || running.some(({ config }) => config.name === spec.name);
  const after = memoryLimitOf(
    [...containersOf(pod), ...initContainersOf(pod).filter(isAlive)].map(({ resources }) => resources ?? {}),
  );
  if (after !== undefined && (before === undefined || after < before)) {
    let used = 0;
    for (const { id } of running) used += runtime.use(id).memoryBytes;
    if (used >= after) obstacles.push(`attempting to set pod memory limit (${after}) below current usage (${used})`);
  }
  for (const { container, spec } of resizes) {
    const [now, wanted] = [container.resources.memoryLimitBytes, resourcesToRun(spec).memoryLimitBytes];
    if (wanted === undefined || (now !== undefined && wanted >= now)) continue;
    const used = runtime.use(container.id).memoryBytes;
    if (used < wanted) continue;
    obstacles.push(`attempting to set container "${spec.name}" memory limit (${wanted}) below current usage (${used})`);
  }
  return obstacles;
}

/** Of a pod whose containers all have one. */
function memoryLimitOf(containers: readonly ResourceRequirements[]): number | undefined {
  let sum = 0;
  for (const { limits } of containers) {
    if (limits?.memory === undefined) return undefined;
    sum += quantityValue(parseQuantity(limits.memory));
  }
  return sum;
}
