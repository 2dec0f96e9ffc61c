// A cluster as kubeadm would make it: machines on a wire, kubelets on the machines, the control plane as static Pods of
// the first one, kube-proxy and CoreDNS applied once the API answers.

import { nodes as nodeType, pods } from "#cluster/api/kinds.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client } from "#cluster/client/client.ts";
import { ControllerManager } from "#cluster/controllers/controller-manager.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { createRegistry } from "#cluster/images/registry.ts";
import { type SystemParts, systemImages } from "#cluster/images/system-images.ts";
import { createClusterNetwork, type WiredClusterNetwork } from "#cluster/network/cluster-network.ts";
import { startCoreDns } from "#cluster/network/dns/coredns.ts";
import { startKubeProxy } from "#cluster/network/proxy/kube-proxy.ts";
import { NodeGateway } from "#cluster/node/gateway.ts";
import { Scheduler } from "#cluster/scheduler/scheduler.ts";
import type { Kernel } from "#sim/kernel.ts";
import type { DnsHandler, Listening } from "#sim/net.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { issue } from "./certificates.ts";
import { ClusterNode } from "./cluster-node.ts";
import type { ClusterShape, NodeShape } from "./cluster-shape.ts";
import { machineTools } from "./machine-tools.ts";
import { applyAddons } from "./manifests/addons.ts";
import { staticPodManifests } from "./manifests/static-pods.ts";
import { systemImageNames } from "./manifests/versions.ts";
import { startPodNetworkPlugin } from "./pod-network-plugin.ts";

export interface ClusterOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly shape: ClusterShape;
}

const apiPort = 6443;
/** The control plane takes some ten seconds, the add-ons some more; past this something is wrong. */
const bootLimitMs = 240_000;

export class Cluster {
  readonly apiServer: ApiServer;
  readonly network: WiredClusterNetwork;
  readonly scheduler: Scheduler;
  readonly nodes: readonly ClusterNode[];
  readonly adminClient: Client;
  readonly #simulation: Simulation;
  readonly #shape: ClusterShape;

  constructor({ simulation, kernel, shape }: ClusterOptions) {
    this.#simulation = simulation;
    this.#shape = shape;
    const [controlPlane] = shape.nodes;
    if (controlPlane === undefined) throw new Error("a cluster has a control-plane node");
    const gateway = new NodeGateway();
    this.apiServer = new ApiServer({
      simulation,
      gateway,
      serviceCidr: shape.serviceCidr,
      advertisedAddress: `${controlPlane.address}:${apiPort}`,
    });
    this.adminClient = this.apiServer.clientFor(
      { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
      "kubeadm",
    );
    this.network = createClusterNetwork({ simulation, clusterCidr: shape.podCidr });
    this.scheduler = new Scheduler({ simulation, clients: this.apiServer, hostname: controlPlane.name });
    const registry = createRegistry({ images: [...publicImages, ...systemImages(this.#parts(controlPlane))] });
    const tools = machineTools(this.network);
    this.nodes = shape.nodes.map((node) => {
      const made = new ClusterNode({
        simulation,
        kernel,
        registry,
        shape: node,
        network: this.network.addNode(node.name, node.address),
        clients: this.apiServer,
        dnsAddress: shape.dnsAddress,
        files: tools,
      });
      gateway.add(made.kubelet);
      for (const name of systemImageNames(node.controlPlane)) {
        const pulled = registry.pull(name, undefined);
        if (pulled.ok) made.runtime.imageStore.add(pulled.image, false);
        else throw new Error(pulled.message);
      }
      return made;
    });
  }

  /** `172.18.0.2:6443` */
  get apiAddress(): string {
    return this.apiServer.advertisedAddress;
  }

  /** Address → names of every machine, for /etc/hosts. */
  get hostNames(): ReadonlyMap<string, readonly string[]> {
    return new Map(this.#shape.nodes.map(({ address, name }) => [address, [name]]));
  }

  node(name: string): ClusterNode | undefined {
    return this.nodes.find(({ shape }) => shape.name === name);
  }

  /** What kubeadm does: static Pods, then the add-ons, then the other nodes. Runs until everything is Ready. */
  boot(): void {
    const [controlPlane, ...workers] = this.nodes as [ClusterNode, ...ClusterNode[]];
    const { serviceCidr, podCidr, dnsAddress } = this.#shape;
    const { name: nodeName, address: nodeAddress } = controlPlane.shape;
    for (const [file, text] of staticPodManifests({ nodeName, nodeAddress, serviceCidr, podCidr })) {
      controlPlane.machine.files.makeDirectories("/etc/kubernetes/manifests");
      controlPlane.machine.files.writeFile(`/etc/kubernetes/manifests/${file}`, text, { permissions: 0o600 });
    }
    controlPlane.kubelet.start();
    const wires = new Map(this.nodes.map(({ shape, network }) => [shape.name, network]));
    const plugin = this.apiServer.clientFor(
      { name: "system:serviceaccount:kube-system:pod-network", groups: serviceAccountGroups },
      "pod-network",
    );
    startPodNetworkPlugin(this.#simulation, plugin, wires);
    this.#until(() => this.apiServer.running && this.#hasNode(nodeName), "the API server to answer");
    applyAddons(this.adminClient, { dnsAddress, podCidr, apiServerUrl: `https://${this.apiAddress}` });
    for (const worker of workers) worker.kubelet.start();
    this.#until(() => this.isReady(), "the system Pods to be Ready");
  }

  /** Every node is there and Ready, and so is every Pod of kube-system. */
  isReady(): boolean {
    const isTrue = (conditions: readonly { readonly type: string; readonly status: string }[] | undefined): boolean =>
      conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
    const machines = this.adminClient.list(nodeType).items;
    if (machines.length < this.nodes.length || !machines.every(({ status }) => isTrue(status?.conditions))) return false;
    const system = this.adminClient.list(pods, { namespace: "kube-system" }).items;
    const proxies = system.filter(({ metadata }) => metadata.labels?.["k8s-app"] === "kube-proxy");
    return (
      proxies.length === this.nodes.length &&
      system.length >= proxies.length + 4 &&
      system.every(({ status }) => isTrue(status?.conditions))
    );
  }

  #hasNode(name: string): boolean {
    return this.adminClient.list(nodeType).items.some(({ metadata }) => metadata.name === name);
  }

  #until(condition: () => boolean, what: string): void {
    let nextLookMs = 0;
    let holds = false;
    // Conditions read whole lists: looking twice a virtual second is enough.
    const look = (): boolean => {
      if (this.#simulation.nowMs < nextLookMs) return holds;
      nextLookMs = this.#simulation.nowMs + 500;
      holds = condition();
      return holds;
    };
    if (!this.#simulation.runUntil(look, { limitMs: bootLimitMs }))
      throw new Error(`the cluster did not come up: waited for ${what}`);
  }

  /** What the components' containers start and stop. */
  #parts(controlPlane: NodeShape): SystemParts {
    const simulation = this.#simulation;
    const { apiServer, network, scheduler } = this;
    const certificate = issue({
      commonName: "kube-apiserver",
      alternativeNames: [
        controlPlane.name,
        controlPlane.address,
        "127.0.0.1",
        "10.96.0.1",
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "kubernetes.default.svc.cluster.local",
        "localhost",
      ],
      nowMs: simulation.nowMs,
    });
    return {
      startApiServer: (self: Process) => {
        apiServer.webhooks.network = network.node(controlPlane.name)?.host;
        self.serveHttp({ port: apiPort, tls: { certificate }, handler: apiServer.handler });
        apiServer.start();
        return { stop: () => apiServer.stop() };
      },
      startControllerManager: () => {
        const { clusterCidr } = network;
        const manager = new ControllerManager({ simulation, clients: apiServer, hostname: controlPlane.name, clusterCidr });
        manager.start();
        return { stop: () => manager.stop() };
      },
      startScheduler: () => {
        scheduler.start();
        return { stop: () => scheduler.stop() };
      },
      startProxy: (self: Process) => {
        const name = self.env.get("NODE_NAME") ?? self.hostname;
        const node = this.nodes.find(({ shape }) => shape.name === name)?.network;
        if (node === undefined) throw new Error(`kube-proxy runs on a node without a name: ${name}`);
        const client = apiServer.clientFor(
          { name: "system:serviceaccount:kube-system:kube-proxy", groups: serviceAccountGroups },
          "kube-proxy",
        );
        return startKubeProxy({
          simulation,
          client,
          network: node,
          clusterCidr: network.clusterCidr,
          ruleCache: network.ruleCache,
        });
      },
      startCoreDns: (self: Process) => {
        const client = apiServer.clientFor(
          { name: "system:serviceaccount:kube-system:coredns", groups: serviceAccountGroups },
          "coredns",
        );
        const stack = {
          addresses: self.addresses(),
          serveDns: (handler: DnsHandler): Listening => {
            const descriptor = self.serveDns(handler);
            // An ended process has closed it already.
            return { port: 53, close: () => self.descriptors().includes(descriptor) && self.close(descriptor) };
          },
        };
        return startCoreDns({ simulation, client, stack });
      },
    };
  }
}

const serviceAccountGroups = ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"];
