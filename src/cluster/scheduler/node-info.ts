// A node with the sums over its Pods, kept up to date as Pods come and go: filters and scores read, never count.

import type { Node, Taint } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { clash, type HostPort } from "./host-ports.ts";
import type { PodInfo } from "./pod-info.ts";
import { addResources, noResources, type Resources, resourcesOf } from "./resources.ts";

export const hostnameLabel = "kubernetes.io/hostname";
export const zoneLabel = "topology.kubernetes.io/zone";

const noTaints: readonly Taint[] = [];

export class NodeInfo {
  readonly name: string;
  /** Its place in lists that have one for each node of the cache. */
  readonly slot: number;
  #node: Stored<Node> | undefined;
  readonly pods = new Map<string, PodInfo>();
  /** As many as `pods` has: each cycle asks hundreds of nodes, and a map's size lies elsewhere in memory. */
  podCount = 0;
  readonly requested: Resources = noResources();
  readonly scored: Resources = noResources();
  allocatable: Resources = noResources();
  allowedPods = 0;
  taints: readonly Taint[] = noTaints;
  unschedulable = false;
  /** Bytes by image name. */
  images: ReadonlyMap<string, number> = new Map();
  readonly #ports: HostPort[] = [];
  /** The last score of NodeResourcesFit, and the request that it is for: Pods of a set ask for the same. -1: none since a change. */
  readonly fit = { milliCpu: -1, memory: -1, score: 0 };
  #hostname: string | undefined;
  #zone: string | undefined;

  constructor(name: string, slot: number) {
    this.name = name;
    this.slot = slot;
  }

  /** Undefined while Pods are known and the node is not (or no more). */
  get node(): Stored<Node> | undefined {
    return this.#node;
  }

  setNode(node: Stored<Node> | undefined): void {
    this.#node = node;
    this.allocatable = resourcesOf(node?.status?.allocatable);
    this.allowedPods = Number(node?.status?.allocatable?.["pods"] ?? 0);
    this.taints = node?.spec?.taints ?? noTaints;
    this.unschedulable = node?.spec?.unschedulable === true;
    const images = new Map<string, number>();
    for (const image of node?.status?.images ?? [])
      for (const name of image.names ?? []) images.set(name, Number(image.sizeBytes ?? 0));
    this.images = images;
    this.fit.milliCpu = -1;
    const labels = node?.metadata.labels;
    this.#hostname = labels?.[hostnameLabel];
    this.#zone = labels?.[zoneLabel];
  }

  /** The value of a topology label: what every scorer asks every node for. */
  domain(topologyKey: string): string | undefined {
    if (topologyKey === hostnameLabel) return this.#hostname;
    if (topologyKey === zoneLabel) return this.#zone;
    return this.#node?.metadata.labels?.[topologyKey];
  }

  addPod(info: PodInfo): void {
    this.pods.set(info.uid, info);
    this.podCount = this.pods.size;
    addResources(this.requested, info.requests, 1);
    addResources(this.scored, info.scored, 1);
    this.fit.milliCpu = -1;
    for (const port of info.ports) this.#ports.push(port);
  }

  removePod(info: PodInfo): void {
    if (!this.pods.delete(info.uid)) return;
    this.podCount = this.pods.size;
    addResources(this.requested, info.requests, -1);
    addResources(this.scored, info.scored, -1);
    this.fit.milliCpu = -1;
    for (const port of info.ports) this.#ports.splice(this.#ports.indexOf(port), 1);
  }

  isPortTaken(port: HostPort): boolean {
    return this.#ports.some((used) => clash(used, port));
  }
}
