// The limits and the weight that a container, or a Pod as a whole, runs with.

import type { Container } from "#cluster/api/generated/types.ts";
import { parseQuantity, quantityMilliValue, quantityValue } from "#cluster/api/quantity.ts";
import { podRequests } from "#cluster/scheduler/resources.ts";
import type { ContainerResources } from "../runtime/cri.ts";
import { isCritical, isSidecar, type StoredPod } from "./pod-spec.ts";
import { qosClassOf } from "./status/qos.ts";

function limitOf(spec: Pick<Container, "resources">, resource: string): string | undefined {
  const text = spec.resources?.limits?.[resource];
  return text === undefined || text === "0" ? undefined : text;
}

/** Of processor time where there is not enough for all (pkg/kubelet/cm: MilliCPUToShares). */
export function cpuSharesOf(millicores: number): number {
  return Math.min(262_144, Math.max(2, Math.floor((millicores * 1024) / 1000)));
}

/** The least quota is a millisecond in a period of a hundred (pkg/kubelet/cm: MinQuotaPeriod, MilliCPUToQuota). */
const leastLimitMillicores = 10;

function enforcedLimit(millicores: number | undefined): number | undefined {
  return millicores === undefined ? undefined : Math.max(leastLimitMillicores, millicores);
}

/** Of a container. */
export function resourcesToRun(spec: Pick<Container, "resources">, swapLimitBytes = 0): ContainerResources {
  const resources = writtenResources(spec);
  return { ...resources, cpuLimitMillicores: enforcedLimit(resources.cpuLimitMillicores), swapLimitBytes };
}

/**
 * How much of the node's swap a container may use: its part of the node's memory, by its request, of those that Pods may use. Only
 * Burstable Pods that are not critical have it, and of them only containers that ask for memory and may have more than they ask for
 * (kuberuntime's GetContainerSwapBehavior, calcSwapForBurstablePods).
 */
export function swapLimitOf(
  { memoryBytes, podSwapBytes }: { readonly memoryBytes: number; readonly podSwapBytes: number },
  pod: StoredPod,
  { resources }: Pick<Container, "resources">,
): number {
  if (podSwapBytes === 0 || isCritical(pod) || qosClassOf(pod) !== "Burstable") return 0;
  const [request, limit] = [resources?.requests, resources?.limits].map((list) =>
    quantityValue(parseQuantity(list?.["memory"] ?? "0")),
  ) as [number, number];
  return request === limit || request > memoryBytes ? 0 : Math.trunc((request / memoryBytes) * podSwapBytes);
}

/** Of a container, or of a Pod as a whole, with limits as they are written. */
function writtenResources(spec: Pick<Container, "resources">): ContainerResources {
  const memory = limitOf(spec, "memory");
  const cpu = limitOf(spec, "cpu");
  return {
    memoryLimitBytes: memory === undefined ? undefined : quantityValue(parseQuantity(memory)),
    cpuLimitMillicores: cpu === undefined ? undefined : quantityMilliValue(parseQuantity(cpu)),
    cpuShares: cpuSharesOf(quantityMilliValue(parseQuantity(spec.resources?.requests?.["cpu"] ?? cpu ?? "0"))),
    written: spec.resources ?? {},
  };
}

/**
 * Of a Pod's control group: its own limits, or the sum of its containers' where all have one, with the overhead of its
 * runtime; a best-effort Pod has the least weight even with one (pkg/kubelet/cm: ResourceConfigForPod).
 */
export function podGroupLimits(pod: StoredPod): Omit<ContainerResources, "written"> {
  const spec = pod.spec ?? { containers: [] };
  const overhead = writtenResources({ resources: { limits: spec.overhead ?? {} } });
  const whole = writtenResources(spec);
  const each = [...spec.containers, ...(spec.initContainers ?? [])].map((container) => writtenResources(container));
  const running = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)].map((container) =>
    writtenResources(container),
  );
  const limit = (name: "memoryLimitBytes" | "cpuLimitMillicores"): number | undefined => {
    const beside = overhead[name] ?? 0;
    if (whole[name] !== undefined) return whole[name] + beside;
    if (each.some((resources) => resources[name] === undefined)) return undefined;
    const sum = running.reduce((total, resources) => total + (resources[name] ?? 0), 0);
    return Math.max(sum, ...each.map((resources) => resources[name] ?? 0)) + beside;
  };
  return {
    memoryLimitBytes: limit("memoryLimitBytes"),
    cpuLimitMillicores: enforcedLimit(limit("cpuLimitMillicores")),
    cpuShares: cpuSharesOf(qosClassOf(pod) === "BestEffort" ? 0 : podRequests(spec).milliCpu),
  };
}
