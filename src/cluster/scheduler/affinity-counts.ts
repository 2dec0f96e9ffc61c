// What inter-Pod affinity asks for every Pod, counted once and then kept up to date as Pods are placed and removed: how many
// Pods match a term in each domain of a topology, and what placed Pods wish of the Pods that come after them.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Labels } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo, PodTerm } from "./pod-info.ts";

/** When there are more, all are counted anew. */
const mostCounts = 256;

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

/** Pods that match all of some terms. */
interface Count {
  readonly terms: readonly PodTerm[];
  readonly sums: Sums;
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
    const id = `${topologyKey}\n${terms.map((term) => term.id).join("\n")}`;
    const known = this.#counts.get(id);
    if (known !== undefined) return known.sums;
    const count: Count = { terms, sums: new Sums(topologyKey) };
    for (const node of this.#placement.nodes) for (const { pod } of node.pods.values()) this.#changeCount(count, node, pod, 1);
    if (this.#counts.size >= mostCounts) this.#counts.clear();
    this.#counts.set(id, count);
    return count.sums;
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
    this.#counts.clear();
    this.#areWishesStale = true;
  }

  /** A namespace came, went or changed its labels. */
  forgetNamespaces(): void {
    this.#counts.clear();
  }

  #change(node: NodeInfo, info: PodInfo, direction: 1 | -1): void {
    for (const count of this.#counts.values()) this.#changeCount(count, node, info.pod, direction);
    if (hasAffinity(info.pod)) this.#changeWishes(node, info, direction);
  }

  #changeCount({ terms, sums }: Count, node: NodeInfo, pod: Stored<Pod>, direction: 1 | -1): void {
    if (terms.every((term) => term.matches(pod, this.#placement.namespaces))) sums.change(node, 1, direction);
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
