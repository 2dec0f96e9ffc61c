// Whether a node takes a pod that was bound to it: the kubelet looks again at what the scheduler looked at. A pod that is
// refused becomes Failed and is never tried again.

import type { Node } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { requiredNodeMatcher } from "#cluster/scheduler/node-selector.ts";
import { addResources, noResources, podRequests, type Resources, resourcesOf } from "#cluster/scheduler/resources.ts";
import type { StoredPod } from "./pod-spec.ts";

export interface Refusal {
  readonly reason: string;
  /** Without the `Pod was rejected: ` of the status. */
  readonly message: string;
}

/** What the pods that a node has admitted reserve together. */
export class NodeUsage {
  readonly #pods = new Map<string, Resources>();
  readonly #used = noResources();

  get count(): number {
    return this.#pods.size;
  }

  get used(): Readonly<Resources> {
    return this.#used;
  }

  add(pod: StoredPod): void {
    this.remove(pod.metadata.uid);
    this.#count(pod.metadata.uid, requestsOf(pod));
  }

  /** What `read` says when that pod is not counted. */
  without<T>(uid: string, read: () => T): T {
    const requests = this.#pods.get(uid);
    this.remove(uid);
    const result = read();
    if (requests !== undefined) this.#count(uid, requests);
    return result;
  }

  remove(uid: string): void {
    const requests = this.#pods.get(uid);
    if (requests === undefined) return;
    this.#pods.delete(uid);
    addResources(this.#used, requests, -1);
  }

  #count(uid: string, requests: Resources): void {
    this.#pods.set(uid, requests);
    addResources(this.#used, requests, 1);
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

/** Undefined: the pod may run. Resources first, then affinity, as the scheduler's AdmissionCheck has them. */
export function admit(
  pod: StoredPod,
  node: Stored<Node> | undefined,
  allocatable: { readonly [resource: string]: string },
  usage: NodeUsage,
): Refusal | undefined {
  const capacity = Number(allocatable["pods"] ?? "110");
  if (usage.count + 1 > capacity) {
    const message = `Node didn't have enough resource: pods, requested: 1, used: ${usage.count}, capacity: ${capacity}`;
    return { reason: "OutOfpods", message };
  }
  const requests = requestsOf(pod);
  const limits = resourcesOf(allocatable);
  for (const resource of ["cpu", "memory", "ephemeral-storage", ...(requests.scalars?.keys() ?? [])]) {
    const requested = amountOf(requests, resource);
    if (requested === 0 || allocatable[resource] === undefined) continue;
    const limit = amountOf(limits, resource);
    const used = amountOf(usage.used, resource);
    if (used + requested <= limit) continue;
    const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${limit}`;
    return { reason: `OutOf${resource}`, message };
  }
  if (node !== undefined && pod.spec !== undefined && requiredNodeMatcher(pod.spec)?.(node) === false) {
    return { reason: "NodeAffinity", message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector" };
  }
  return undefined;
}
