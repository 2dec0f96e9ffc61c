// Whether a node takes a pod that was bound to it: the kubelet looks again at what the scheduler looked at. A pod that is
// refused becomes Failed and is never tried again.

import type { Container, Node, NodeSelectorRequirement, NodeSelectorTerm } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { parseQuantity, quantityMilliValue, quantityValue } from "#cluster/api/quantity.ts";
import { containersOf, initContainersOf, isSidecar, type StoredPod } from "./pod-spec.ts";

export interface Refusal {
  readonly reason: string;
  /** Without the `Pod was rejected: ` of the status. */
  readonly message: string;
}

type Amounts = Map<string, number>;

function amountOf(resource: string, text: string): number {
  const quantity = parseQuantity(text);
  return resource === "cpu" ? quantityMilliValue(quantity) : quantityValue(quantity);
}

function requestsOf(container: Container): Amounts {
  const { requests = {}, limits = {} } = container.resources ?? {};
  const amounts: Amounts = new Map();
  for (const [resource, text] of Object.entries({ ...limits, ...requests })) amounts.set(resource, amountOf(resource, text));
  return amounts;
}

function add(total: Amounts, amounts: Amounts): void {
  for (const [resource, amount] of amounts) total.set(resource, (total.get(resource) ?? 0) + amount);
}

function raise(total: Amounts, amounts: Amounts): void {
  for (const [resource, amount] of amounts) total.set(resource, Math.max(total.get(resource) ?? 0, amount));
}

/** What a pod reserves: cpu in millicores, all else in whole units. */
export function podRequests(pod: StoredPod): ReadonlyMap<string, number> {
  const total: Amounts = new Map();
  for (const container of containersOf(pod)) add(total, requestsOf(container));
  const sidecars: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of initContainersOf(pod)) {
    const own = requestsOf(container);
    if (isSidecar(container)) {
      add(total, own);
      add(sidecars, own);
      raise(peak, sidecars);
    } else {
      add(own, sidecars);
      raise(peak, own);
    }
  }
  raise(total, peak);
  for (const [resource, text] of Object.entries(pod.spec?.overhead ?? {})) {
    total.set(resource, (total.get(resource) ?? 0) + amountOf(resource, text));
  }
  return total;
}

function matchesRequirement(requirement: NodeSelectorRequirement, value: string | undefined): boolean {
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

function matchesTerm(term: NodeSelectorTerm, node: Stored<Node>): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return false;
  return (
    expressions.every((each) => matchesRequirement(each, node.metadata.labels?.[each.key])) &&
    fields.every((each) => matchesRequirement(each, each.key === "metadata.name" ? node.metadata.name : undefined))
  );
}

function matchesNode(pod: StoredPod, node: Stored<Node>): boolean {
  for (const [key, value] of Object.entries(pod.spec?.nodeSelector ?? {})) {
    if (node.metadata.labels?.[key] !== value) return false;
  }
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** What the pods that a node has admitted reserve together. */
export class NodeUsage {
  readonly #pods = new Map<string, ReadonlyMap<string, number>>();
  readonly #used: Amounts = new Map();

  get count(): number {
    return this.#pods.size;
  }

  used(resource: string): number {
    return this.#used.get(resource) ?? 0;
  }

  add(pod: StoredPod): void {
    this.remove(pod.metadata.uid);
    const requests = podRequests(pod);
    this.#pods.set(pod.metadata.uid, requests);
    for (const [resource, amount] of requests) this.#used.set(resource, this.used(resource) + amount);
  }

  remove(uid: string): void {
    const requests = this.#pods.get(uid);
    if (requests === undefined) return;
    this.#pods.delete(uid);
    for (const [resource, amount] of requests) this.#used.set(resource, this.used(resource) - amount);
  }
}

/** Undefined: the pod may run. */
export function admit(
  pod: StoredPod,
  node: Stored<Node> | undefined,
  allocatable: { readonly [resource: string]: string },
  usage: NodeUsage,
): Refusal | undefined {
  if (node !== undefined && !matchesNode(pod, node)) {
    return { reason: "NodeAffinity", message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector" };
  }
  const capacity = Number(allocatable["pods"] ?? "110");
  if (usage.count + 1 > capacity) {
    const message = `Node didn't have enough resource: pods, requested: 1, used: ${usage.count}, capacity: ${capacity}`;
    return { reason: "OutOfpods", message };
  }
  for (const [resource, requested] of podRequests(pod)) {
    const text = allocatable[resource];
    if (requested === 0 || text === undefined) continue;
    const limit = amountOf(resource, text);
    const used = usage.used(resource);
    if (used + requested <= limit) continue;
    const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${limit}`;
    return { reason: `OutOf${resource}`, message };
  }
  return undefined;
}
