// The cluster as the picture shows it, read off the API objects.

import type { Node, Pod, ReplicaSet } from "#cluster/api/generated/types.ts";
import { deployments, endpointSlices, nodes, pods, replicaSets, services } from "#cluster/api/kinds.ts";
import type { ResourceType, Stored } from "#cluster/api/objects.ts";
import { controllerOf } from "#cluster/controllers/ownership.ts";
import type { World } from "#world/world.ts";
import { podStatus } from "./pod-status.ts";
import type { ClusterView, PodView } from "./session.ts";

/** All objects of a kind, at one moment. */
export type ObjectLister = <T>(type: ResourceType<T>) => readonly Stored<T>[];

export function clusterView(world: World): ClusterView {
  const { client } = world;
  if (!world.apiAvailable) return { nodes: [], pods: [], deployments: [], replicaSets: [], services: [] };
  return clusterViewOf((type) => client.list(type).items);
}

export function clusterViewOf(list: ObjectLister): ClusterView {
  const sets = list(replicaSets);
  const owners = new Map(sets.map((set) => [set.metadata.uid, set]));
  const slices = list(endpointSlices);
  return {
    nodes: list(nodes).map(nodeView),
    pods: list(pods).map((pod) => podView(pod, owners)),
    deployments: list(deployments).map(({ metadata, spec, status }) => ({
      namespace: metadata.namespace ?? "",
      name: metadata.name,
      ready: status?.readyReplicas ?? 0,
      desired: spec?.replicas ?? 0,
    })),
    replicaSets: sets.map(({ metadata, spec, status }) => ({
      namespace: metadata.namespace ?? "",
      name: metadata.name,
      ready: status?.readyReplicas ?? 0,
      desired: spec?.replicas ?? 0,
      deployment: controllerOf({ metadata })?.name ?? "",
    })),
    services: list(services).map(({ metadata, spec }) => ({
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
    })),
  };
}

function nodeView({ metadata, spec, status }: Stored<Node>): ClusterView["nodes"][number] {
  return {
    name: metadata.name,
    address: status?.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "",
    ready: status?.conditions?.find(({ type }) => type === "Ready")?.status === "True",
    unschedulable: spec?.unschedulable === true,
    zone: metadata.labels?.["topology.kubernetes.io/zone"] ?? "",
    controlPlane: metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined,
  };
}

function podView(pod: Stored<Pod>, owners: ReadonlyMap<string, Stored<ReplicaSet>>): PodView {
  const { metadata, spec, status } = pod;
  const direct = controllerOf(pod);
  const set = direct === undefined ? undefined : owners.get(direct.uid);
  const top = (set === undefined ? undefined : controllerOf(set)) ?? direct;
  const { shape, text, ready } = podStatus(pod);
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? "",
    name: metadata.name,
    nodeName: spec?.nodeName ?? "",
    shape,
    statusText: text,
    ready,
    ownerKind: top?.kind ?? "",
    ownerName: top?.name ?? "",
    revision: metadata.labels?.["pod-template-hash"] ?? "",
    ip: status?.podIP ?? "",
  };
}
