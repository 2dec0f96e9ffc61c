// What inter-Pod affinity asks for every Pod, counted once and then kept up to date as Pods are placed and removed: how many
// Pods match a term in each domain of a topology, and what placed Pods wish of the Pods that come after them.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Labels } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo, PodTerm } from "./pod-info.ts";

const countedTerms = 256;

/** Sums by the value of a topology label. Values that nothing was added for may be there with 0. */
export interface DomainSums {
  readonly topologyKey: string;
  /** How often something was added that is there still: 0 says more than sums that cancel each other out. */
  readonly additions: number;
  readonly byValue: ReadonlyMap<string, number>;
}

class Sums implements DomainSums {
  readonly topologyKey: string;
  readonly byValue = new Map<string, number>();
  additions = 0;

  constructor(topologyKey: string) {
    this.topologyKey = topologyKey;
  }

  change(node: NodeInfo | undefined, amount: number, direction: 1 | -1): void {
    const value = node?.domain(this.topologyKey);
    if (value === undefined) return;
    this.additions += direction;
    this.byValue.set(value, (this.byValue.get(value) ?? 0) + direction * amount);
  }
}

/** Which Pods match all of some terms. */
interface Count {
  readonly terms: readonly PodTerm[];
  readonly domains: Map<string, Sums>;
}

/** One wish that placed Pods share. */
interface Wish {
  readonly term: PodTerm;
  readonly sums: Sums;
  /** Those on nodes without the label too. */
  pods: number;
}

/** Who wishes what of others. */
export type WishKind = "requiredAffinity" | "requiredAntiAffinity" | "preferredAffinity" | "preferredAntiAffinity";
const wishKinds: readonly WishKind[] = ["requiredAffinity", "requiredAntiAffinity", "preferredAffinity", "preferredAntiAffinity"];

interface Placed {
  readonly info: PodInfo;
  readonly nodeName: string;
}

/** Where the Pods are that are counted. */
export interface Placement {
  readonly nodes: readonly NodeInfo[];
  readonly withAffinity: ReadonlyMap<string, Placed>;
  readonly namespaces: ReadonlyMap<string, Labels | undefined>;
  node(name: string): NodeInfo | undefined;
}

export class AffinityCounts {
  readonly #placement: Placement;
  readonly #counts = new Map<string, Count>();
  readonly #wishes: { readonly [kind in WishKind]: Map<string, Wish> } = {
    requiredAffinity: new Map(),
    requiredAntiAffinity: new Map(),
    preferredAffinity: new Map(),
    preferredAntiAffinity: new Map(),
  };
  /** Labels of nodes changed since the wishes were summed. */
  #areWishesStale = false;

  constructor(placement: Placement) {
    this.#placement = placement;
  }

  /** Placed Pods that match all of the terms, by domains of `topologyKey`. */
  matching(terms: readonly PodTerm[], topologyKey: string): DomainSums {
    const { domains } = this.#count(terms);
    const known = domains.get(topologyKey);
    if (known !== undefined) return known;
    const sums = new Sums(topologyKey);
    for (const node of this.#placement.nodes)
      for (const { pod } of node.pods.values()) if (this.#matchAll(terms, pod)) sums.change(node, 1, 1);
    domains.set(topologyKey, sums);
    return sums;
  }

  /** The weights of what placed Pods wish of this one; their required terms weigh 1 each. */
  wishesOf(kind: WishKind, pod: Stored<Pod>): readonly DomainSums[] {
    if (this.#areWishesStale) this.#sumWishes();
    const found: DomainSums[] = [];
    for (const { term, sums } of this.#wishes[kind].values())
      if (sums.additions > 0 && term.matches(pod, this.#placement.namespaces)) found.push(sums);
    return found;
  }

  added(node: NodeInfo, pod: PodInfo): void {
    this.#change(node, pod, 1);
  }

  removed(node: NodeInfo, pod: PodInfo): void {
    this.#change(node, pod, -1);
  }

  /** Nodes came, went or changed their labels. */
  forgetDomains(): void {
    for (const { domains } of this.#counts.values()) domains.clear();
    this.#areWishesStale = true;
  }

  /** A namespace came, went or changed its labels. */
  forgetNamespaces(): void {
    for (const [id, { terms }] of this.#counts) if (terms.some((term) => term.selectsNamespaces)) this.#counts.delete(id);
  }

  #count(terms: readonly PodTerm[]): Count {
    const id = terms.length === 1 ? (terms[0] as PodTerm).id : terms.map((term) => term.id).join("\n");
    const count = this.#counts.get(id) ?? { terms, domains: new Map<string, Sums>() };
    // Moves to the end: least recently used go first.
    this.#counts.delete(id);
    this.#counts.set(id, count);
    if (this.#counts.size > countedTerms) {
      const [oldest] = this.#counts.keys();
      if (oldest !== undefined) this.#counts.delete(oldest);
    }
    return count;
  }

  #matchAll(terms: readonly PodTerm[], pod: Stored<Pod>): boolean {
    return terms.every((term) => term.matches(pod, this.#placement.namespaces));
  }

  #change(node: NodeInfo, info: PodInfo, direction: 1 | -1): void {
    if (node.node !== undefined)
      for (const { terms, domains } of this.#counts.values())
        if (domains.size > 0 && this.#matchAll(terms, info.pod))
          for (const sums of domains.values()) sums.change(node, 1, direction);
    if (hasAffinity(info.pod)) this.#changeWishes(node, info, direction);
  }

  #changeWishes(node: NodeInfo | undefined, { terms }: PodInfo, direction: 1 | -1): void {
    for (const kind of wishKinds) {
      const wishes = this.#wishes[kind];
      for (const term of terms[kind]) {
        const id = `${term.topologyKey}\n${term.id}`;
        let wish = wishes.get(id);
        if (wish === undefined) {
          wish = { term, sums: new Sums(term.topologyKey), pods: 0 };
          wishes.set(id, wish);
        }
        wish.pods += direction;
        if (wish.pods === 0) wishes.delete(id);
        else wish.sums.change(node, term.weight, direction);
      }
    }
  }

  #sumWishes(): void {
    this.#areWishesStale = false;
    for (const kind of wishKinds) this.#wishes[kind].clear();
    for (const { info, nodeName } of this.#placement.withAffinity.values())
      this.#changeWishes(this.#placement.node(nodeName), info, 1);
  }
}

/** Whether a Pod wishes anything of others. */
export function hasAffinity(pod: Stored<Pod>): boolean {
  const affinity = pod.spec?.affinity;
  return affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined;
}
