// What a Pod asks for and a node has, as numbers: cpu in millicores, all else in whole units.

import type { Container, PodSpec } from "#cluster/api/generated/types.ts";
import { parseQuantity, quantityMilliValue, quantityValue } from "#cluster/api/quantity.ts";

export interface Resources {
  milliCpu: number;
  memory: number;
  ephemeralStorage: number;
  /** Extended resources and huge pages. */
  scalars: Map<string, number> | undefined;
}

type Quantities = { readonly [name: string]: string } | undefined;

export function noResources(): Resources {
  return { milliCpu: 0, memory: 0, ephemeralStorage: 0, scalars: undefined };
}

export function resourcesOf(quantities: Quantities): Resources {
  const result = noResources();
  if (quantities === undefined) return result;
  for (const name in quantities) {
    const quantity = parseQuantity(String(quantities[name]));
    if (name === "cpu") result.milliCpu = quantityMilliValue(quantity);
    else if (name === "memory") result.memory = quantityValue(quantity);
    else if (name === "ephemeral-storage") result.ephemeralStorage = quantityValue(quantity);
    else if (isScalar(name)) {
      result.scalars ??= new Map();
      result.scalars.set(name, quantityValue(quantity));
    }
  }
  return result;
}

/** Extended resources have a domain; huge pages are native. */
function isScalar(name: string): boolean {
  return (
    name.startsWith("hugepages-") || name.startsWith("attachable-volumes-") || (name.includes("/") && !name.startsWith("requests."))
  );
}

/** Adds in place, `sign` times. */
export function addResources(total: Resources, other: Resources, sign: 1 | -1): void {
  total.milliCpu += sign * other.milliCpu;
  total.memory += sign * other.memory;
  total.ephemeralStorage += sign * other.ephemeralStorage;
  if (other.scalars === undefined) return;
  total.scalars ??= new Map();
  for (const [name, amount] of other.scalars) total.scalars.set(name, (total.scalars.get(name) ?? 0) + sign * amount);
}

/** More than before of something that is wanted. */
export function isMoreOf(wanted: Resources, more: Resources, less: Resources): boolean {
  if (wanted.milliCpu > 0 && more.milliCpu > less.milliCpu) return true;
  if (wanted.memory > 0 && more.memory > less.memory) return true;
  if (wanted.ephemeralStorage > 0 && more.ephemeralStorage > less.ephemeralStorage) return true;
  for (const [name, amount] of wanted.scalars ?? [])
    if (amount > 0 && (more.scalars?.get(name) ?? 0) > (less.scalars?.get(name) ?? 0)) return true;
  return false;
}

function raiseTo(total: Resources, other: Resources): void {
  total.milliCpu = Math.max(total.milliCpu, other.milliCpu);
  total.memory = Math.max(total.memory, other.memory);
  total.ephemeralStorage = Math.max(total.ephemeralStorage, other.ephemeralStorage);
  if (other.scalars === undefined) return;
  total.scalars ??= new Map();
  for (const [name, amount] of other.scalars) total.scalars.set(name, Math.max(total.scalars.get(name) ?? 0, amount));
}

const defaultMilliCpu = 100;
const defaultMemory = 200 * 1024 * 1024;

/** For scores a container without request counts as 100m and 200 MiB. */
function scoredResources(container: Container): Resources {
  const resources = resourcesOf(container.resources?.requests);
  const requests = container.resources?.requests;
  if (requests?.cpu === undefined) resources.milliCpu = defaultMilliCpu;
  if (requests?.memory === undefined) resources.memory = defaultMemory;
  return resources;
}

/**
 * The effective request: containers and sidecars together, or the largest step of the initialisation (an init container
 * beside the sidecars started before it), and the overhead.
 */
export function podRequests(spec: PodSpec, scored = false): Resources {
  const read = scored ? scoredResources : (container: Container) => resourcesOf(container.resources?.requests);
  const total = noResources();
  for (const container of spec.containers) addResources(total, read(container), 1);
  if (spec.initContainers !== undefined) {
    const sidecars = noResources();
    const initialisation = noResources();
    for (const container of spec.initContainers) {
      const step = read(container);
      if (container.restartPolicy === "Always") {
        addResources(total, step, 1);
        addResources(sidecars, step, 1);
        raiseTo(initialisation, sidecars);
      } else {
        addResources(step, sidecars, 1);
        raiseTo(initialisation, step);
      }
    }
    raiseTo(total, initialisation);
  }
  if (spec.resources?.requests !== undefined) overrideByPodLevel(total, spec.resources.requests);
  addResources(total, resourcesOf(spec.overhead), 1);
  return total;
}

/** Pod-level requests replace the sum of containers for the resources they name. */
function overrideByPodLevel(total: Resources, requests: NonNullable<Quantities>): void {
  const own = resourcesOf(requests);
  if (requests["cpu"] !== undefined) total.milliCpu = own.milliCpu;
  if (requests["memory"] !== undefined) total.memory = own.memory;
}
