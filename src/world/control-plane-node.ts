// What a control-plane node has of its own: an API server, a scheduler, a member of etcd, certificates and manifests. Several nodes share
// the cluster's store, and Leases say which scheduler and which controller manager acts.

import { ApiServer } from "#cluster/apiserver/server.ts";
import type { WatchDelays } from "#cluster/client/watch-delays.ts";
import type { Exit } from "#cluster/images/system-images.ts";
import type { NodeGateway } from "#cluster/node/gateway.ts";
import { Scheduler } from "#cluster/scheduler/scheduler.ts";
import type { DecisionLog } from "#cluster/scheduler/trace.ts";
import type { Errno } from "#sim/errors.ts";
import { once } from "#sim/late.ts";
import type { Endpoint } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ClusterShape, NodeShape } from "./cluster-shape.ts";
import { flagsOfManifest } from "./component-start.ts";
import type { EtcdCluster, EtcdMember } from "./etcd-cluster.ts";
import { type controlPlaneComponents, staticPodManifests } from "./manifests/static-pods.ts";
import { ClusterPki, clusterAuthority } from "./pki/cluster-pki.ts";

export interface ControlPlaneNodeOptions {
  readonly simulation: Simulation;
  readonly cluster: ClusterShape;
  /** Those before it, in order. */
  readonly before: readonly ControlPlaneNode[];
  readonly gateway: NodeGateway;
  readonly etcd: EtcdCluster;
  readonly decisions: DecisionLog;
  /** How far copies of the scheduler's resources lag. */
  readonly schedulerDelays: WatchDelays;
  isCut(): boolean;
  /** What the network says to a new connection from this node; undefined: it lets it through. */
  dial(target: Endpoint): Errno | undefined;
}

export const apiPort = 6443;

export class ControlPlaneNode {
  readonly shape: NodeShape;
  readonly apiServer: ApiServer;
  readonly scheduler: Scheduler;
  readonly etcd: EtcdMember;
  readonly pki: ClusterPki;
  /** File name → text of what kubeadm writes. */
  readonly manifests: ReadonlyMap<string, string>;
  /** Ends the process in which the scheduler runs. */
  endScheduler: Exit | undefined;
  readonly #usualFlags = once(
    () => new Map([...this.manifests].map(([file, text]) => [file.replace(".yaml", ""), flagsOfManifest(text)])),
  );

  constructor(shape: NodeShape, options: ControlPlaneNodeOptions) {
    const { simulation, cluster, before, dial } = options;
    const { name, address } = shape;
    this.shape = shape;
    const gateway = options.gateway.seenFrom({ simulation, dial, authorities: () => this.apiServer.kubeletAuthorities });
    this.apiServer = new ApiServer({
      simulation,
      gateway,
      serviceCidr: cluster.serviceCidr,
      advertisedAddress: `${address}:${apiPort}`,
      hostname: name,
      clientAuthority: clusterAuthority,
      ...(before[0] === undefined ? {} : { peer: before[0].apiServer }),
    });
    this.scheduler = new Scheduler({
      simulation,
      clients: this.apiServer,
      hostname: name,
      decisions: options.decisions,
      watchDelays: options.schedulerDelays,
      onExit: () => this.endScheduler?.(1),
    });
    this.pki = new ClusterPki({
      nodeName: name,
      nodeAddress: address,
      serviceAddress: "10.96.0.1",
      nowMs: simulation.nowMs,
      node: before.length,
      endpoint: cluster.balancer === undefined ? undefined : [cluster.balancer.name, cluster.balancer.address],
    });
    this.etcd = options.etcd.addMachine({
      address,
      connection: this.apiServer.etcd,
      isCut: () => options.isCut(),
      onLost: () => this.apiServer.endWatches(),
    });
    this.manifests = staticPodManifests({
      nodeName: name,
      nodeAddress: address,
      serviceCidr: cluster.serviceCidr,
      podCidr: cluster.podCidr,
      etcdBefore: before.map((each) => each.shape),
    });
  }

  /** The flags that kubeadm gives a component. */
  usualFlags(component: (typeof controlPlaneComponents)[number]): ReadonlySet<string> {
    return this.#usualFlags().get(component) ?? new Set();
  }
}
