// What the scheduler knows of nodes and bound Pods, including Pods that it has just placed and the API has not confirmed.
// The world is single-threaded, so the cache itself serves as the snapshot of a cycle.

import type { Node, Pod } from "#cluster/api/generated/types.ts";
import type { Labels } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { AffinityCounts, hasAffinity } from "./affinity-counts.ts";
import { NodeInfo, zoneLabel } from "./node-info.ts";
import { PodCounts } from "./pod-counts.ts";
import { PodInfo } from "./pod-info.ts";

const regionLabel = "topology.kubernetes.io/region";

interface Placed {
  readonly info: PodInfo;
  readonly nodeName: string;
}

export class SchedulerCache {
  readonly counts = new PodCounts();
  /** Bound Pods with pod affinity of any kind, by uid: mostly none. */
  readonly withAffinity = new Map<string, Placed>();
  /** What they and others ask of each other. */
  readonly affinity: AffinityCounts = new AffinityCounts(this);
  readonly #namespaces = new Map<string, Labels | undefined>();
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #pods = new Map<string, Placed>();
  #ordered: readonly NodeInfo[] | undefined;
  #nextSlot = 0;
  /** Nodes that have an image, by its name. */
  readonly #imageNodes = new Map<string, number>();

  /** All nodes, taken from the zones in turn. */
  get nodes(): readonly NodeInfo[] {
    this.#ordered ??= orderByZone([...this.#nodes.values()].filter((info) => info.node !== undefined));
    return this.#ordered;
  }

  /** Labels of all namespaces, by name. */
  get namespaces(): ReadonlyMap<string, Labels | undefined> {
    return this.#namespaces;
  }

  setNamespace(name: string, labels: Labels | undefined): void {
    if (this.#namespaces.has(name) && this.#namespaces.get(name) === labels) return;
    this.#namespaces.set(name, labels);
    this.affinity.forgetNamespaces();
  }

  removeNamespace(name: string): void {
    if (this.#namespaces.delete(name)) this.affinity.forgetNamespaces();
  }

  node(name: string): NodeInfo | undefined {
    const info = this.#nodes.get(name);
    return info?.node === undefined ? undefined : info;
  }

  nodesWithImage(name: string): number {
    return this.#imageNodes.get(name) ?? 0;
  }

  setNode(node: Stored<Node>): void {
    const info = this.#entry(node.metadata.name);
    if (info.node === undefined || zoneOf(info) !== zoneOfNode(node)) this.#ordered = undefined;
    if (info.node === undefined || info.node.metadata.labels !== node.metadata.labels) this.#forgetDomains();
    this.#countImages(info, -1);
    info.setNode(node);
    this.#countImages(info, 1);
  }

  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (info === undefined) return;
    this.#forgetDomains();
    this.#countImages(info, -1);
    info.setNode(undefined);
    if (info.pods.size === 0) this.#nodes.delete(name);
    this.#ordered = undefined;
  }

  /** Adds or updates a Pod that has a node; confirms one that was assumed. */
  setPod(pod: Stored<Pod>, nodeName: string): void {
    const known = this.#pods.get(pod.metadata.uid);
    if (known !== undefined) {
      const former = known.info.pod;
      const same = known.nodeName === nodeName && former.spec === pod.spec && former.metadata.labels === pod.metadata.labels;
      if (same && former.metadata.deletionTimestamp === pod.metadata.deletionTimestamp) {
        known.info.pod = pod;
        return;
      }
      this.removePod(pod.metadata.uid);
    }
    this.assume(new PodInfo(pod), nodeName);
  }

  isPlaced(uid: string): boolean {
    return this.#pods.has(uid);
  }

  /** Counts a Pod on a node at once, whatever the API says so far. */
  assume(info: PodInfo, nodeName: string): void {
    const placed: Placed = { info, nodeName };
    this.#pods.set(info.uid, placed);
    const node = this.#entry(nodeName);
    node.addPod(info);
    this.counts.added(node, info);
    this.affinity.added(node, info);
    if (hasAffinity(info.pod)) this.withAffinity.set(info.uid, placed);
  }

  removePod(uid: string): void {
    const placed = this.#pods.get(uid);
    if (placed === undefined) return;
    this.#pods.delete(uid);
    this.withAffinity.delete(uid);
    const node = this.#nodes.get(placed.nodeName);
    if (node === undefined) return;
    this.counts.removed(node, placed.info);
    this.affinity.removed(node, placed.info);
    node.removePod(placed.info);
    if (node.node === undefined && node.pods.size === 0) this.#nodes.delete(placed.nodeName);
  }

  #forgetDomains(): void {
    this.counts.forgetDomains();
    this.affinity.forgetDomains();
  }

  #entry(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo(name, this.#nextSlot);
      this.#nextSlot += 1;
      this.#nodes.set(name, info);
    }
    return info;
  }

  #countImages(info: NodeInfo, by: 1 | -1): void {
    for (const name of info.images.keys()) this.#imageNodes.set(name, (this.#imageNodes.get(name) ?? 0) + by);
  }
}

function zoneOfNode(node: Stored<Node> | undefined): string {
  const labels = node?.metadata.labels ?? {};
  const region = labels[regionLabel] ?? labels["failure-domain.beta.kubernetes.io/region"] ?? "";
  const zone = labels[zoneLabel] ?? labels["failure-domain.beta.kubernetes.io/zone"] ?? "";
  return `${region}:${zone}`;
}

function zoneOf(info: NodeInfo): string {
  return zoneOfNode(info.node);
}

function orderByZone(nodes: readonly NodeInfo[]): readonly NodeInfo[] {
  const zones = new Map<string, NodeInfo[]>();
  for (const node of nodes) {
    const zone = zoneOf(node);
    const members = zones.get(zone);
    if (members === undefined) zones.set(zone, [node]);
    else members.push(node);
  }
  if (zones.size <= 1) return nodes;
  const ordered: NodeInfo[] = [];
  for (let index = 0; ordered.length < nodes.length; index += 1) {
    for (const members of zones.values()) {
      const node = members[index];
      if (node !== undefined) ordered.push(node);
    }
  }
  return ordered;
}
