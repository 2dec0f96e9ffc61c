// A pod's quality of service (pkg/apis/core/v1/helper/qos): Guaranteed, Burstable, BestEffort.

import type { Container, PodSpec } from "#cluster/api/generated/types.ts";
import { compareQuantities, isZeroQuantity, tryParseQuantity } from "#cluster/api/quantity.ts";

const counted = ["cpu", "memory"];

export function podQosClass(spec: PodSpec): "Guaranteed" | "Burstable" | "BestEffort" {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const resources = spec.resources === undefined ? containers.map((container) => container.resources) : [spec.resources];
  const asks = resources.some((one) => counted.some((name) => isSet(one?.requests?.[name]) || isSet(one?.limits?.[name])));
  if (!asks) return "BestEffort";
  return resources.every(isGuaranteed) ? "Guaranteed" : "Burstable";
}

function isGuaranteed(resources: Container["resources"]): boolean {
  return counted.every((name) => {
    const limit = resources?.limits?.[name];
    if (!isSet(limit)) return false;
    const request = resources?.requests?.[name];
    return request === undefined || equal(request, limit as string);
  });
}

function isSet(text: string | undefined): boolean {
  const quantity = text === undefined ? undefined : tryParseQuantity(text);
  return quantity !== undefined && !isZeroQuantity(quantity);
}

function equal(a: string, b: string): boolean {
  const [left, right] = [tryParseQuantity(a), tryParseQuantity(b)];
  return left !== undefined && right !== undefined && compareQuantities(left, right) === 0;
}
