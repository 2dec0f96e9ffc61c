// How many Pods of a namespace match a selector on each node: asked for by topology spreading for every Pod of a set, so
// counted once and then kept up to date.

import type { LabelMatcher } from "#cluster/api/labels.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";

const countedSelectors = 256;

interface Count {
  readonly namespace: string;
  readonly matches: LabelMatcher;
  readonly perNode: Map<string, number>;
}

export class PodCounts {
  readonly #counts = new Map<string, Count>();

  /** By node name; nodes without a match are absent. `id` names the selector. Pods being deleted do not count. */
  perNode(namespace: string, id: string, matches: LabelMatcher, nodes: Iterable<NodeInfo>): ReadonlyMap<string, number> {
    const key = `${namespace}\n${id}`;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      // Moves to the end: least recently used go first.
      this.#counts.delete(key);
      this.#counts.set(key, known);
      return known.perNode;
    }
    const count: Count = { namespace, matches, perNode: new Map() };
    for (const node of nodes) for (const pod of node.pods.values()) change(count, node.name, pod, 1);
    this.#counts.set(key, count);
    if (this.#counts.size > countedSelectors) {
      const [oldest] = this.#counts.keys();
      if (oldest !== undefined) this.#counts.delete(oldest);
    }
    return count.perNode;
  }

  added(nodeName: string, pod: PodInfo): void {
    for (const count of this.#counts.values()) change(count, nodeName, pod, 1);
  }

  removed(nodeName: string, pod: PodInfo): void {
    for (const count of this.#counts.values()) change(count, nodeName, pod, -1);
  }
}

function change(count: Count, nodeName: string, info: PodInfo, by: 1 | -1): void {
  const { metadata } = info.pod;
  if (metadata.namespace !== count.namespace || metadata.deletionTimestamp !== undefined || !count.matches(metadata.labels)) return;
  const total = (count.perNode.get(nodeName) ?? 0) + by;
  if (total === 0) count.perNode.delete(nodeName);
  else count.perNode.set(nodeName, total);
}
