// Quality of service class of a Pod (the API server writes it at creation; the kubelet needs it for static pods).

import type { Container } from "#cluster/api/generated/types.ts";
import { compareQuantities, isZeroQuantity, parseQuantity } from "#cluster/api/quantity.ts";
import { containersOf, initContainersOf, type StoredPod } from "../pod-spec.ts";

const counted = ["cpu", "memory"] as const;

function amount(map: { readonly [name: string]: string } | undefined, name: string): string | undefined {
  const text = map?.[name];
  return text === undefined || isZeroQuantity(parseQuantity(text)) ? undefined : text;
}

function isGuaranteed({ resources }: Container): boolean {
  return counted.every((name) => {
    const limit = amount(resources?.limits, name);
    if (limit === undefined) return false;
    const request = amount(resources?.requests, name) ?? limit;
    return compareQuantities(parseQuantity(limit), parseQuantity(request)) === 0;
  });
}

function asksNothing({ resources }: Container): boolean {
  return counted.every((name) => amount(resources?.limits, name) === undefined && amount(resources?.requests, name) === undefined);
}

export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

export function qosClassOf(pod: StoredPod): QosClass {
  const written = pod.status?.qosClass;
  if (written !== undefined && written !== "") return written as QosClass;
  const containers = [...containersOf(pod), ...initContainersOf(pod)];
  if (containers.every(isGuaranteed)) return "Guaranteed";
  return containers.every(asksNothing) ? "BestEffort" : "Burstable";
}
