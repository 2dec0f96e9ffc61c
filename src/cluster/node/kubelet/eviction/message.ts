// Why a Pod was evicted for want of something on its node (pkg/kubelet/eviction/helpers.go: evictionMessage).

import { canonicalQuantity, formatQuantity, parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import { containersOf, initContainersOf, type StoredPod } from "../pod-spec.ts";
import type { PodUsage } from "./pod-usage.ts";
import { type Observations, type StarvedResource, signalFacts } from "./signals.ts";
import { type Threshold, unitsOf } from "./thresholds.ts";

export function evictionMessage(
  resource: StarvedResource,
  pod: StoredPod,
  usage: PodUsage,
  thresholds: readonly Threshold[],
  observations: Observations,
): string {
  let message = `The node was low on resource: ${resource}. `;
  const met = thresholds.find(({ signal }) => signalFacts[signal].resource === resource);
  if (met !== undefined) {
    const { available, capacity } = observations[met.signal];
    const isCount = resource === "inodes" || resource === "pids";
    const left = formatQuantity({ amount: available * 1000, format: isCount ? "DecimalSI" : "BinarySI" });
    message += `Threshold quantity: ${binary(unitsOf(met.value, capacity))}, available: ${left}. `;
  }
  if (resource !== "memory" && resource !== "ephemeral-storage") return message;
  const whole = resource === "memory" ? pod.spec?.resources?.requests?.["memory"] : undefined;
  if (whole !== undefined) message += larger("Pod", pod.metadata.name, usage.memoryBytes, whole, resource);
  const specs = [...containersOf(pod), ...initContainersOf(pod)];
  for (const container of usage.containers) {
    const spec = specs.find(({ name }) => name === container.name);
    if (spec === undefined) continue;
    const used = resource === "memory" ? container.memoryBytes : container.diskBytes;
    const request = spec.resources?.requests?.[resource] ?? "0";
    if (used > quantityValue(parseQuantity(request))) message += larger("Container", container.name, used, request, resource);
  }
  return message;
}

function larger(kind: string, name: string, used: number, request: string, resource: string): string {
  return `${kind} ${name} was using ${binary(used)}, request is ${canonicalQuantity(request)}, has larger consumption of ${resource}. `;
}

function binary(units: number): string {
  return formatQuantity({ amount: units * 1000, format: "BinarySI" });
}
