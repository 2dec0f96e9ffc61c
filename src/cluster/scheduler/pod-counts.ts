// How many Pods of a namespace match a selector on each node: asked for by topology spreading for every Pod of a set, so
// counted once and then kept up to date.

import type { LabelMatcher } from "#cluster/api/labels.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";

const countedSelectors = 256;

interface Count {
  readonly namespace: string;
  readonly matches: LabelMatcher;
  readonly perNode: number[];
  /** By topology key, then value. */
  readonly domains: Map<string, Map<string, number>>;
}

export class PodCounts {
  readonly #counts = new Map<string, Count>();

  /** By the nodes' slots; there may be nothing for nodes without a match. `id` names the selector. Pods being deleted do not count. */
  perNode(namespace: string, id: string, matches: LabelMatcher, nodes: Iterable<NodeInfo>): readonly (number | undefined)[] {
    const key = `${namespace}\n${id}`;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      // Moves to the end: least recently used go first.
      this.#counts.delete(key);
      this.#counts.set(key, known);
      return known.perNode;
    }
    const count: Count = { namespace, matches, perNode: [], domains: new Map() };
    for (const node of nodes) for (const pod of node.pods.values()) change(count, node, pod, 1);
    this.#counts.set(key, count);
    if (this.#counts.size > countedSelectors) {
      const [oldest] = this.#counts.keys();
      if (oldest !== undefined) this.#counts.delete(oldest);
    }
    return count.perNode;
  }

  /** The same by value of a node label, over all nodes; values without a match may be absent. */
  perDomain(
    namespace: string,
    id: string,
    matches: LabelMatcher,
    topologyKey: string,
    nodes: readonly NodeInfo[],
  ): ReadonlyMap<string, number> {
    const perNode = this.perNode(namespace, id, matches, nodes);
    const count = this.#counts.get(`${namespace}\n${id}`);
    const known = count?.domains.get(topologyKey);
    if (known !== undefined) return known;
    const domains = new Map<string, number>();
    for (const node of nodes) {
      const value = node.domain(topologyKey);
      if (value !== undefined) domains.set(value, (domains.get(value) ?? 0) + (perNode[node.slot] ?? 0));
    }
    count?.domains.set(topologyKey, domains);
    return domains;
  }

  /** Nodes came, went or changed their labels. */
  forgetDomains(): void {
    for (const count of this.#counts.values()) count.domains.clear();
  }

  added(node: NodeInfo, pod: PodInfo): void {
    for (const count of this.#counts.values()) change(count, node, pod, 1);
  }

  removed(node: NodeInfo, pod: PodInfo): void {
    for (const count of this.#counts.values()) change(count, node, pod, -1);
  }
}

function change(count: Count, node: NodeInfo, info: PodInfo, by: 1 | -1): void {
  const { metadata } = info.pod;
  if (metadata.namespace !== count.namespace || metadata.deletionTimestamp !== undefined || !count.matches(metadata.labels)) return;
  // Without holes: an array that has some is kept, and read, as a slow one.
  while (count.perNode.length <= node.slot) count.perNode.push(0);
  count.perNode[node.slot] = (count.perNode[node.slot] ?? 0) + by;
  for (const [topologyKey, domains] of count.domains) {
    const value = node.domain(topologyKey);
    if (value !== undefined) domains.set(value, (domains.get(value) ?? 0) + by);
  }
}
