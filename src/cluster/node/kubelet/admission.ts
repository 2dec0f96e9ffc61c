// Whether a node takes a pod that was bound to it: the kubelet looks again at what the scheduler looked at. A pod that is
// refused becomes Failed and is never tried again.

import type { Node } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { clash, type HostPort, hostPorts } from "#cluster/scheduler/host-ports.ts";
import { requiredNodeMatcher } from "#cluster/scheduler/node-selector.ts";
import { addResources, noResources, podRequests, type Resources, resourcesOf } from "#cluster/scheduler/resources.ts";
import { findUntolerated } from "#cluster/scheduler/tolerations.ts";
import type { StoredPod } from "./pod-spec.ts";

export interface Refusal {
  readonly reason: string;
  /** Without the `Pod was rejected: ` of the status. */
  readonly message: string;
}

/** What a pod reserves. */
interface Reserved {
  readonly requests: Resources;
  readonly ports: readonly HostPort[];
}

/** What the pods that a node has admitted reserve together. */
export class NodeUsage {
  readonly #pods = new Map<string, Reserved>();
  readonly #used = noResources();

  get count(): number {
    return this.#pods.size;
  }

  get used(): Readonly<Resources> {
    return this.#used;
  }

  add(pod: StoredPod): void {
    this.remove(pod.metadata.uid);
    this.#count(pod.metadata.uid, { requests: requestsOf(pod), ports: hostPorts(pod) });
  }

  /** What `read` says when that pod is not counted. */
  without<T>(uid: string, read: () => T): T {
    const reserved = this.#pods.get(uid);
    this.remove(uid);
    const result = read();
    if (reserved !== undefined) this.#count(uid, reserved);
    return result;
  }

  remove(uid: string): void {
    const reserved = this.#pods.get(uid);
    if (reserved === undefined) return;
    this.#pods.delete(uid);
    addResources(this.#used, reserved.requests, -1);
  }

  isPortTaken(port: HostPort): boolean {
    for (const { ports } of this.#pods.values()) if (ports.some((used) => clash(used, port))) return true;
    return false;
  }

  #count(uid: string, reserved: Reserved): void {
    this.#pods.set(uid, reserved);
    addResources(this.#used, reserved.requests, 1);
  }
}

function requestsOf(pod: StoredPod): Resources {
  return pod.spec === undefined ? noResources() : podRequests(pod.spec);
}

function amountOf(resources: Resources, name: string): number {
  if (name === "cpu") return resources.milliCpu;
  if (name === "memory") return resources.memory;
  return name === "ephemeral-storage" ? resources.ephemeralStorage : (resources.scalars?.get(name) ?? 0);
}

/** A resource of which the node has too little left for a pod, in the units of `Resources`. */
export interface Shortage {
  readonly resource: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

/** What a pod asks for of one resource; of `pods` it takes one. */
export function requestOf(pod: StoredPod, resource: string): number {
  return resource === "pods" ? 1 : amountOf(requestsOf(pod), resource);
}

export function shortagesOf(
  pod: StoredPod,
  allocatable: { readonly [resource: string]: string },
  usage: NodeUsage,
): readonly Shortage[] {
  const shortages: Shortage[] = [];
  const podCapacity = Number(allocatable["pods"] ?? "110");
  if (usage.count + 1 > podCapacity) {
    shortages.push({ resource: "pods", requested: 1, used: usage.count, capacity: podCapacity });
  }
  const requests = requestsOf(pod);
  const limits = resourcesOf(allocatable);
  for (const resource of ["cpu", "memory", "ephemeral-storage", ...(requests.scalars?.keys() ?? [])]) {
    const requested = amountOf(requests, resource);
    if (requested === 0 || allocatable[resource] === undefined) continue;
    const capacity = amountOf(limits, resource);
    const used = amountOf(usage.used, resource);
    if (used + requested > capacity) shortages.push({ resource, requested, used, capacity });
  }
  return shortages;
}

/** Undefined: the pod may run. Resources first, as the scheduler's AdmissionCheck has them. */
export function admit(
  pod: StoredPod,
  node: Stored<Node> | undefined,
  allocatable: { readonly [resource: string]: string },
  usage: NodeUsage,
): Refusal | undefined {
  const [shortage] = shortagesOf(pod, allocatable, usage);
  if (shortage !== undefined) {
    const { resource, requested, used, capacity } = shortage;
    const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
    return { reason: `OutOf${resource}`, message };
  }
  return placementRefusal(pod, node, usage);
}

/** What no room on the node mends: affinity, ports, taints (generalFilter in pkg/kubelet/lifecycle). Static pods have no `node`. */
export function placementRefusal(pod: StoredPod, node: Stored<Node> | undefined, usage: NodeUsage): Refusal | undefined {
  if (pod.spec === undefined) return undefined;
  if (node !== undefined && requiredNodeMatcher(pod.spec)?.(node) === false) {
    return failed("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
  }
  if (hostPorts(pod).some((port) => usage.isPortTaken(port))) {
    return failed("NodePorts", "node(s) didn't have free ports for the requested pod ports");
  }
  if (findUntolerated(node?.spec?.taints, pod.spec.tolerations, ["NoExecute"]) !== undefined) {
    return failed("TaintToleration", "node(s) had taints that the pod didn't tolerate");
  }
  return undefined;
}

function failed(reason: string, cause: string): Refusal {
  return { reason, message: `Predicate ${reason} failed: ${cause}` };
}
