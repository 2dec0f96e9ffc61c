// The cluster as the picture shows it, read off the API objects.

import type { EndpointSlice, Node, Pod, Service } from "#cluster/api/generated/types.ts";
import { endpointSlices, jobs, nodes, pods, replicaSets, services } from "#cluster/api/kinds.ts";
import type { ResourceType, Stored } from "#cluster/api/objects.ts";
import { controllerOf } from "#cluster/controllers/ownership.ts";
import type { World } from "#world/world.ts";
import type { PictureWish } from "./definition.ts";
import { type ClusterView, emptyCluster, type NodeView, type PodView, type ServiceView } from "./picture-view.ts";
import { podStatus } from "./pod-status.ts";
import { shownObjects } from "./shown-objects.ts";
import { workloadViews } from "./workload-views.ts";

/** All objects of a kind, at one moment. */
export type ObjectLister = <T>(type: ResourceType<T>) => readonly Stored<T>[];

export interface ViewOptions {
  /** What the lab has in its picture beyond nodes, Pods, their owners and Services. */
  readonly wishes: readonly PictureWish[];
  /** The custom kinds that there are. */
  readonly customTypes: () => readonly ResourceType<unknown>[];
}

/** Makes view after view; a Pod that is as before has the same view as before. */
export class ClusterViewer {
  /** Stored objects never change: a Pod's view holds as long as its object and its topmost owner. */
  readonly #podViews = new WeakMap<Stored<Pod>, PodView>();

  viewOf(world: World, wishes: readonly PictureWish[]): ClusterView {
    const { client } = world;
    if (!world.apiAvailable) return emptyCluster;
    return this.view((type) => client.list(type).items, { wishes, customTypes: () => client.customTypes() });
  }

  view(list: ObjectLister, { wishes, customTypes }: ViewOptions): ClusterView {
    const podObjects = list(pods);
    const between = new Map([...list(replicaSets), ...list(jobs)].map((object) => [object.metadata.uid, object]));
    return {
      nodes: list(nodes).map(nodeView),
      pods: podObjects.map((pod) => this.#podView(pod, between)),
      workloads: workloadViews(list),
      services: serviceViews(list(services), list(endpointSlices)),
      ...shownObjects(wishes, list, podObjects, customTypes),
    };
  }

  #podView(pod: Stored<Pod>, between: ReadonlyMap<string, Stored<unknown>>): PodView {
    const direct = controllerOf(pod);
    const owner = direct === undefined ? undefined : between.get(direct.uid);
    const top = (owner === undefined ? undefined : controllerOf(owner)) ?? direct;
    const known = this.#podViews.get(pod);
    if (known !== undefined && known.ownerKind === (top?.kind ?? "") && known.ownerName === (top?.name ?? "")) return known;
    const { metadata, spec, status } = pod;
    const { shape, text, ready } = podStatus(pod);
    const labels = metadata.labels ?? {};
    const view: PodView = {
      uid: metadata.uid,
      namespace: metadata.namespace ?? "",
      name: metadata.name,
      nodeName: spec?.nodeName ?? "",
      shape,
      statusText: text,
      ready,
      ownerKind: top?.kind ?? "",
      ownerName: top?.name ?? "",
      revision: top === undefined ? "" : (labels["pod-template-hash"] ?? labels["controller-revision-hash"] ?? ""),
      ip: status?.podIP ?? "",
      heldBy: metadata.deletionTimestamp === undefined ? [] : (metadata.finalizers ?? []),
    };
    this.#podViews.set(pod, view);
    return view;
  }
}

function serviceViews(all: readonly Stored<Service>[], slices: readonly Stored<EndpointSlice>[]): readonly ServiceView[] {
  return all.map(({ metadata, spec }) => ({
    namespace: metadata.namespace ?? "",
    name: metadata.name,
    type: spec?.type ?? "",
    clusterIp: spec?.clusterIP ?? "",
    nodePorts: spec?.ports?.flatMap(({ nodePort }) => nodePort ?? []) ?? [],
    endpoints: slices
      .filter(
        (slice) =>
          slice.metadata.namespace === metadata.namespace &&
          slice.metadata.labels?.["kubernetes.io/service-name"] === metadata.name,
      )
      .flatMap((slice) => slice.endpoints ?? [])
      .filter((endpoint) => endpoint.conditions?.ready !== false)
      .flatMap((endpoint) => endpoint.targetRef?.uid ?? []),
  }));
}

function nodeView({ metadata, spec, status }: Stored<Node>): NodeView {
  return {
    name: metadata.name,
    address: status?.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "",
    ready: status?.conditions?.find(({ type }) => type === "Ready")?.status === "True",
    unschedulable: spec?.unschedulable === true,
    zone: metadata.labels?.["topology.kubernetes.io/zone"] ?? "",
    controlPlane: metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined,
  };
}
