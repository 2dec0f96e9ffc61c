// A cluster as kubeadm would make it: machines on a wire, kubelets on the machines, the control plane as static Pods of
// the first one, kube-proxy and CoreDNS applied once the API answers.

import { startLocalPathProvisioner } from "#cluster/addons/local-path-provisioner/local-path-provisioner.ts";
import { startMetricsServer } from "#cluster/addons/metrics-server/metrics-server.ts";
import { nodes as nodeType, pods } from "#cluster/api/kinds.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client, ClientWire } from "#cluster/client/client.ts";
import { WatchDelays } from "#cluster/client/watch-delays.ts";
import { serviceAccountUser } from "#cluster/controllers/controller-manager.ts";
import type { Image } from "#cluster/images/image.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { parseReference } from "#cluster/images/reference.ts";
import { createRegistry, publicHosts, type Registry, type RegistryHost, taggedName } from "#cluster/images/registry.ts";
import { shapedImages } from "#cluster/images/shaped-image.ts";
import { type SystemParts, systemImages } from "#cluster/images/system-images.ts";
import { createClusterNetwork, type WiredClusterNetwork } from "#cluster/network/cluster-network.ts";
import { startCoreDns } from "#cluster/network/dns/coredns.ts";
import { ThroughBoth, type WiredNode } from "#cluster/network/node-network.ts";
import { startKubeProxy } from "#cluster/network/proxy/kube-proxy.ts";
import { NodeGateway } from "#cluster/node/gateway.ts";
import { mayLabelItself } from "#cluster/node/kubelet/node-labels.ts";
import { Scheduler } from "#cluster/scheduler/scheduler.ts";
import type { Kernel } from "#sim/kernel.ts";
import { once } from "#sim/late.ts";
import type { DnsHandler, Listening } from "#sim/net.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { ClusterNode, type ClusterNodeOptions } from "./cluster-node.ts";
import { type ClusterShape, type NodeShape, stoppedManifests } from "./cluster-shape.ts";
import { flagsOfManifest } from "./component-start.ts";
import { apiServerPart, controllerManagerPart, etcdPart, podClient, schedulerPart } from "./control-plane-parts.ts";
import { EtcdLink } from "./etcd-link.ts";
import { adminKubeconfig } from "./kubeconfig.ts";
import { kubeletClientStack } from "./kubelet-client.ts";
import { lateMachineTools } from "./late-machine-tools.ts";
import type { MachinePower } from "./machine-power.ts";
import { machineTools } from "./machine-tools.ts";
import { applyAddons } from "./manifests/addons.ts";
import { applyLocalPathProvisioner } from "./manifests/local-path-provisioner.ts";
import { applyMetricsServer } from "./manifests/metrics-server.ts";
import { type controlPlaneComponents, staticPodManifests } from "./manifests/static-pods.ts";
import { systemImageNames } from "./manifests/versions.ts";
import { ClusterPki, clusterAuthority, pkiDirectory } from "./pki/cluster-pki.ts";
import { startPodNetworkPlugin } from "./pod-network-plugin.ts";

export interface ClusterOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly shape: ClusterShape;
}

const apiPort = 6443;
const kubeletPort = 10250;
/** The control plane takes some ten seconds, the add-ons some more; past this something is wrong. */
const bootLimitMs = 240_000;

export class Cluster {
  readonly apiServer: ApiServer;
  readonly network: WiredClusterNetwork;
  readonly scheduler: Scheduler;
  readonly nodes: readonly ClusterNode[];
  readonly adminClient: Client;
  readonly pki: ClusterPki;
  readonly registry: Registry;
  /** Of components whose copies of resources can be made to lag, by their names. */
  readonly watchDelays: ReadonlyMap<string, WatchDelays> = new Map([
    ["kube-controller-manager", new WatchDelays()],
    ["kube-scheduler", new WatchDelays()],
  ]);
  readonly #simulation: Simulation;
  readonly #shape: ClusterShape;
  readonly #powers = once(() => lateMachineTools.code.machinePowers((hostname) => this.node(hostname)));
  /** Ends the process in which the scheduler runs. */
  #endScheduler: ((code: number) => void) | undefined;

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
      hostname: controlPlane.name,
      clientAuthority: clusterAuthority,
    });
    this.adminClient = this.apiServer.clientFor(
      { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
      "kubeadm",
    );
    this.network = createClusterNetwork({ simulation, clusterCidr: shape.podCidr });
    this.scheduler = new Scheduler({
      simulation,
      clients: this.apiServer,
      hostname: controlPlane.name,
      watchDelays: this.#delaysOf("kube-scheduler"),
      onExit: () => this.#endScheduler?.(1),
    });
    this.pki = new ClusterPki({
      nodeName: controlPlane.name,
      nodeAddress: controlPlane.address,
      serviceAddress: "10.96.0.1",
      nowMs: simulation.nowMs,
    });
    this.registry = registryOf(shape, systemImages(this.#parts(controlPlane.name)), simulation);
    const tools = machineTools(
      this.network,
      (hostname) => this.node(hostname),
      (hostname) => this.powerOf(hostname),
    );
    this.nodes = shape.nodes.map((node) => {
      const made = this.#makeNode(node, kernel, tools);
      gateway.add(made.kubelet);
      return made;
    });
    const kubelets = new Set(shape.nodes.map(({ address }) => address));
    this.apiServer.network = kubeletClientStack(
      (this.nodes[0] as ClusterNode).network.host,
      ({ address, port }) => port === kubeletPort && kubelets.has(address),
      () => this.pki.kubeletClient().certificate,
    );
  }

  /** `172.18.0.2:6443` */
  get apiAddress(): string {
    return this.apiServer.advertisedAddress;
  }

  /** Where Pods ask for names. */
  get dnsAddress(): string {
    return this.#shape.dnsAddress;
  }

  /** PEM of the authority whose client certificates the API server takes. */
  get authorityPem(): string {
    return clusterAuthority.pem;
  }

  /** Address → names of every machine, for /etc/hosts. */
  get hostNames(): ReadonlyMap<string, readonly string[]> {
    return new Map(this.#shape.nodes.map(({ address, name }) => [address, [name]]));
  }

  /** The power of a node's machine, by its host name. */
  powerOf(name: string): MachinePower | undefined {
    return this.#powers()(name);
  }

  node(name: string): ClusterNode | undefined {
    return this.nodes.find(({ shape }) => shape.name === name);
  }

  /** What kubeadm does: static Pods, then the add-ons, then the other nodes. Runs until everything is Ready. */
  boot(): void {
    const [controlPlane, ...workers] = this.nodes as [ClusterNode, ...ClusterNode[]];
    const { podCidr, dnsAddress } = this.#shape;
    const { name: nodeName } = controlPlane.shape;
    const { files } = controlPlane.machine;
    files.makeDirectories(`${pkiDirectory}/etcd`);
    files.makeDirectories("/etc/kubernetes/manifests");
    for (const { path, permissions, make } of this.pki.files()) files.provideFile(path, make, { permissions });
    files.provideFile("/etc/kubernetes/admin.conf", () => adminKubeconfig(this.apiAddress, this.pki.administrator()), {
      permissions: 0o600,
    });
    for (const [file, text] of this.#manifests()) {
      files.writeFile(`/etc/kubernetes/manifests/${file}`, text, { permissions: 0o600 });
    }
    for (const { machine } of workers) {
      machine.files.makeDirectories(pkiDirectory);
      machine.files.provideFile(`${pkiDirectory}/ca.crt`, () => clusterAuthority.pem);
    }
    controlPlane.kubelet.start();
    const wires = new Map(this.nodes.map(({ shape, network }) => [shape.name, network]));
    this.#until(() => this.apiServer.running && this.#hasNode(nodeName), "the API server to answer");
    markControlPlane(this.adminClient, nodeName);
    const { nowMs } = this.#simulation;
    const apiServerUrl = `https://${this.apiAddress}`;
    applyAddons(this.adminClient, { dnsAddress, podCidr, apiServerUrl, authority: clusterAuthority.pem, nowMs });
    startPodNetworkPlugin(this.#simulation, this.#serviceAccountClient("pod-network"), wires);
    if (this.#shape.addons.includes("metrics-server")) applyMetricsServer(this.adminClient);
    if (this.#shape.addons.includes("local-path-provisioner")) applyLocalPathProvisioner(this.adminClient);
    for (const worker of workers) worker.kubelet.start();
    this.#until(() => this.isReady(), "the system Pods to be Ready");
    for (const { name, labels } of this.#shape.nodes) labelAsAdministrator(this.adminClient, name, labels);
    for (const component of this.#shape.stopped) {
      files.rename(`/etc/kubernetes/manifests/${component}.yaml`, `${stoppedManifests}/${component}.yaml`);
    }
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
      system.length >= proxies.length + 4 + (this.#shape.addons.includes("metrics-server") ? 1 : 0) &&
      system.every(({ metadata, status }) => isTrue(status?.conditions) || this.#hasNoPlaceFor(metadata.labels))
    );
  }

  /** The add-ons tolerate no taints: where every node has some, their Pods wait. */
  #hasNoPlaceFor(labels: { readonly [key: string]: string } | undefined): boolean {
    return this.#shape.nodes.every(({ taints }) => taints.length > 0) && labels?.["k8s-app"] === "metrics-server";
  }

  /** From a node's machine to the API server; undefined on the machine where that runs. */
  #wireOf(network: WiredNode, { controlPlane, address }: NodeShape): ClientWire | undefined {
    const first = this.network.node(this.#shape.nodes[0]?.name ?? "");
    return controlPlane || first === undefined ? undefined : new ThroughBoth(address, network.cable, first.cable);
  }

  #delaysOf(component: string): WatchDelays {
    const found = this.watchDelays.get(component);
    if (found === undefined) throw new Error(`${component} has no delays`);
    return found;
  }

  /** A program in a Pod of kube-system acts as its service account. */
  #serviceAccountClient(name: string): Client {
    return this.apiServer.clientFor(serviceAccountUser(name), name);
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

  #makeNode(shape: NodeShape, kernel: Kernel, tools: ClusterNodeOptions["files"]): ClusterNode {
    const network = this.network.addNode(shape.name, shape.address);
    const node = new ClusterNode({
      simulation: this.#simulation,
      kernel,
      registry: this.registry,
      shape,
      network,
      clients: this.apiServer,
      wire: this.#wireOf(network, shape),
      dnsAddress: this.#shape.dnsAddress,
      clientAuthority: clusterAuthority,
      files: tools,
    });
    for (const name of systemImageNames(shape.controlPlane)) {
      const image = imageNamed(this.registry, name);
      if (image === undefined) throw new Error(`no registry has ${name}`);
      node.runtime.importImage(image, { pinned: name.startsWith("registry.k8s.io/pause:") });
    }
    return node;
  }

  #usualFlags(component: (typeof controlPlaneComponents)[number]): ReadonlySet<string> {
    return flagsOfManifest(this.#manifests().get(`${component}.yaml`) ?? "");
  }

  /** File name → text of what kubeadm writes. */
  #manifests(): ReadonlyMap<string, string> {
    const { nodes, serviceCidr, podCidr } = this.#shape;
    const [{ name: nodeName, address: nodeAddress }] = nodes as [NodeShape, ...NodeShape[]];
    return staticPodManifests({ nodeName, nodeAddress, serviceCidr, podCidr });
  }

  /** What the components' containers start and stop. */
  #parts(hostname: string): SystemParts {
    const simulation = this.#simulation;
    const { apiServer, network, scheduler } = this;
    const link = new EtcdLink(apiServer.store);
    return {
      startEtcd: etcdPart(link, this.#usualFlags("etcd")),
      startApiServer: apiServerPart({
        simulation,
        apiServer,
        link,
        usual: this.#usualFlags("kube-apiserver"),
        listen: (self) => {
          apiServer.webhooks.network = network.node(hostname)?.host;
          apiServer.remoteServers.network = network.node(hostname)?.host;
          apiServer.remoteServers.certificate = this.pki.frontProxyClient;
          self.serveHttp({ port: apiPort, tls: this.pki.apiServer(), handler: apiServer.handler });
        },
      }),
      startControllerManager: (self, exit) =>
        controllerManagerPart(
          {
            simulation,
            clients: apiServer,
            hostname,
            watchDelays: this.#delaysOf("kube-controller-manager"),
            clusterCidr: network.clusterCidr,
            rootCa: clusterAuthority.pem,
            signing: { authority: this.pki.signer, authorityNotAfterMs: clusterAuthority.notAfterMs, durationMs: 365 * 86_400_000 },
          },
          this.#usualFlags("kube-controller-manager"),
        )(self, exit),
      startScheduler: schedulerPart({
        simulation,
        apiServer,
        usual: this.#usualFlags("kube-scheduler"),
        installed: scheduler,
        onInstalled: (exit) => {
          this.#endScheduler = exit;
        },
      }),
      startProxy: (self: Process) => this.#startProxy(self),
      startMetricsServer: (self: Process) =>
        startMetricsServer({ simulation, client: this.#serviceAccountClient("metrics-server"), self }),
      startLocalPathProvisioner: (self: Process) =>
        startLocalPathProvisioner({
          simulation,
          client: podClient(self, apiServer, "local-path-provisioner"),
          self,
        }),
      startCoreDns: (self: Process) =>
        startCoreDns({ simulation, client: this.#serviceAccountClient("coredns"), stack: dnsStackOf(self) }),
    };
  }

  #startProxy(self: Process): ReturnType<typeof startKubeProxy> {
    const name = self.env.get("NODE_NAME") ?? self.hostname;
    const found = this.node(name);
    if (found === undefined) throw new Error(`kube-proxy runs on a node without a name: ${name}`);
    const { network, shape } = found;
    const client = this.apiServer.clientFor(serviceAccountUser("kube-proxy"), "kube-proxy", this.#wireOf(network, shape));
    const { clusterCidr, ruleCache } = this.network;
    return startKubeProxy({ simulation: this.#simulation, client, network, clusterCidr, ruleCache });
  }
}

function dnsStackOf(self: Process): Parameters<typeof startCoreDns>[0]["stack"] {
  return {
    addresses: self.addresses(),
    serveDns: (handler: DnsHandler): Listening => {
      const descriptor = self.serveDns(handler);
      // What a signal has ended closes all that it had open by itself, and may ask for nothing any more.
      const close = (): void => {
        if (self.exit === undefined) self.close(descriptor);
      };
      return { port: 53, close };
    },
  };
}

/** All images that there are, but for those that the shape says are missing. */
function registryOf(shape: ClusterShape, system: readonly Image[], simulation: Simulation): Registry {
  const missing = new Set(shape.missingImages.map(taggedName));
  const known = [...publicImages, ...system];
  const registry = createRegistry({
    images: known.filter(({ repository, tag }) => !missing.has(`${repository}:${tag}`)),
    hosts: shape.registries.flatMap(({ host, accounts }): readonly RegistryHost[] =>
      publicHosts.some((each) => each.host === host)
        ? []
        : [{ host, unknownRepository: "notFound", ...(accounts === undefined ? {} : { accounts }) }],
    ),
    pullMs: shape.imagePullMs,
    now: () => simulation.nowMs,
  });
  for (const image of shapedImages(shape.registries, known, taggedName)) registry.push(image);
  return registry;
}

function imageNamed(registry: Registry, name: string): Image | undefined {
  const parsed = parseReference(name);
  return parsed.ok ? registry.find(parsed.reference) : undefined;
}

/** Labels that a kubelet may not give its node. */
function labelAsAdministrator(client: Client, name: string, all: { readonly [key: string]: string }): void {
  const labels = Object.fromEntries(Object.entries(all).filter(([key]) => !mayLabelItself(key)));
  if (Object.keys(labels).length > 0) client.patch(nodeType, { namespace: "", name }, "strategic", { metadata: { labels } });
}

/** A kubelet may not give itself these labels: kubeadm sets them. */
function markControlPlane(client: Client, name: string): void {
  const labels = { "node-role.kubernetes.io/control-plane": "", "node.kubernetes.io/exclude-from-external-load-balancers": "" };
  client.patch(nodeType, { namespace: "", name }, "strategic", { metadata: { labels } });
}
