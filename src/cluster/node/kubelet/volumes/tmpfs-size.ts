// How large an emptyDir in memory may become (pkg/volume/emptydir: calculateEmptyDirMemorySize).

import { parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import { resourcesToRun } from "../container-resources.ts";
import { containersOf, type StoredPod } from "../pod-spec.ts";

/** The least of what the node can give, what the Pod may use, and what the volume says. */
export function tmpfsBytes(
  pod: StoredPod,
  sizeLimit: string | undefined,
  allocatable: { readonly [resource: string]: string },
): number {
  const own = sizeLimit === undefined ? 0 : quantityValue(parseQuantity(sizeLimit));
  return Math.min(
    quantityValue(parseQuantity(allocatable["memory"] ?? "0")),
    podLimitBytes(pod),
    own > 0 ? own : Number.POSITIVE_INFINITY,
  );
}

function podLimitBytes(pod: StoredPod): number {
  const whole = resourcesToRun(pod.spec ?? {}).memoryLimitBytes;
  if (whole !== undefined) return whole;
  let sum = 0;
  for (const container of containersOf(pod)) sum += resourcesToRun(container).memoryLimitBytes ?? Number.POSITIVE_INFINITY;
  return sum;
}
