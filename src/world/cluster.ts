// A cluster as kubeadm would make it: machines on a wire, kubelets on the machines, the control plane as static Pods of
// the first one or ones, kube-proxy and CoreDNS applied once the API answers.

import { startLocalPathProvisioner } from "#cluster/addons/local-path-provisioner/local-path-provisioner.ts";
import { startMetricsServer } from "#cluster/addons/metrics-server/metrics-server.ts";
import { leases, nodes as nodeType, pods } from "#cluster/api/kinds.ts";
import type { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client, ClientFactory, ClientWire } from "#cluster/client/client.ts";
import { WatchDelays } from "#cluster/client/watch-delays.ts";
import { serviceAccountUser } from "#cluster/controllers/controller-manager.ts";
import type { EtcdServer } from "#cluster/etcd/gateway.ts";
import { lateEtcd } from "#cluster/etcd/late-etcd.ts";
import type { Image } from "#cluster/images/image.ts";
import { lateImages } from "#cluster/images/late-images.ts";
import { logLater } from "#cluster/images/log-line.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { parseReference } from "#cluster/images/reference.ts";
import { createRegistry, publicHosts, type Registry, type RegistryHost, taggedName } from "#cluster/images/registry.ts";
import { shapedImages } from "#cluster/images/shaped-image.ts";
import { type Part, type StartPart, type SystemParts, systemImages } from "#cluster/images/system-images.ts";
import { createClusterNetwork, type WiredClusterNetwork } from "#cluster/network/cluster-network.ts";
import { serveOutsideNames, wellKnownNames } from "#cluster/network/dns/coredns.ts";
import { CoreDnsProgram, type CoreDnsProgramOptions } from "#cluster/network/dns/coredns-program.ts";
import { ThroughBoth, type WiredNode } from "#cluster/network/node-network.ts";
import { startKubeProxy } from "#cluster/network/proxy/kube-proxy.ts";
import { startSettings } from "#cluster/network/proxy/start.ts";
import { NodeGateway } from "#cluster/node/gateway.ts";
import { machineNameServer } from "#cluster/node/host/machine-files.ts";
import { mayLabelItself } from "#cluster/node/kubelet/node-labels.ts";
import { DecisionLog } from "#cluster/scheduler/trace.ts";
import type { Errno } from "#sim/errors.ts";
import type { HttpHandler } from "#sim/http.ts";
import type { Kernel } from "#sim/kernel.ts";
import { once } from "#sim/late.ts";
import type { DnsHandler, Endpoint, Listening, NetworkStack } from "#sim/net.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { ApiBalancer, ThroughBalancer } from "./api-balancer.ts";
import { ClusterNode, type ClusterNodeOptions } from "./cluster-node.ts";
import { type CloudWish, type ClusterShape, type NodeShape, stoppedManifests } from "./cluster-shape.ts";
import { apiPort, ControlPlaneNode } from "./control-plane-node.ts";
import { apiServerPart, controllerManagerPart, etcdPart, podClient, schedulerPart } from "./control-plane-parts.ts";
import type { CsiCluster } from "./csi-cluster.ts";
import { EtcdCluster } from "./etcd-cluster.ts";
import { adminKubeconfig } from "./kubeconfig.ts";
import { kubeletClientStack } from "./kubelet-client.ts";
import { lateComponentAnswers } from "./late-component-answers.ts";
import { lateMachineTools } from "./late-machine-tools.ts";
import type { MachinePower } from "./machine-power.ts";
import { machineTools, withEtcdTools } from "./machine-tools.ts";
import { applyAddons } from "./manifests/addons.ts";
import { applyLocalPathProvisioner } from "./manifests/local-path-provisioner.ts";
import { applyMetricsServer } from "./manifests/metrics-server.ts";
import { systemImageNames } from "./manifests/versions.ts";
import { type ClusterPki, clusterAuthority, pkiDirectory } from "./pki/cluster-pki.ts";
import { startPodNetworkPlugin } from "./pod-network-plugin.ts";
import type { SimulatedCloud } from "./simulated-cloud.ts";

export interface ClusterOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly shape: ClusterShape;
}

const kubeletPort = 10250;
/** The control plane takes some ten seconds, the add-ons some more; past this something is wrong. */
const bootLimitMs = 240_000;

export class Cluster {
  readonly network: WiredClusterNetwork;
  /** Of all schedulers that kubeadm installs. */
  readonly decisions = new DecisionLog();
  readonly nodes: readonly ClusterNode[];
  readonly adminClient: Client;
  readonly registry: Registry;
  /** As somebody reaches them whom neither cables nor rules stop; each API server has a way of its own. */
  readonly kubelets = new NodeGateway();
  /** Of components whose copies of resources can be made to lag, by their names. */
  readonly watchDelays: ReadonlyMap<string, WatchDelays> = new Map([
    ["kube-controller-manager", new WatchDelays()],
    ["kube-scheduler", new WatchDelays()],
  ]);
  readonly #simulation: Simulation;
  readonly #shape: ClusterShape;
  readonly #powers = once(() => lateMachineTools.code.machinePowers((hostname) => this.node(hostname)));
  /** What the machines are of, where the shape has a cloud. */
  readonly cloud: SimulatedCloud | undefined;
  /** Of the add-on csi-driver. */
  readonly #csi: CsiCluster | undefined;
  readonly #etcd = new EtcdCluster();
  readonly #outsideNames: ReadonlyMap<string, readonly string[]> = wellKnownNames;
  readonly #controlPlane: readonly [ControlPlaneNode, ...ControlPlaneNode[]];
  /** By the address that all know: the only server's, or the load balancer's. */
  readonly #clients: ClientFactory;

  constructor({ simulation, kernel, shape }: ClusterOptions) {
    this.#simulation = simulation;
    this.#shape = shape;
    this.network = createClusterNetwork({ simulation, clusterCidr: shape.podCidr });
    const { hosts } = shape;
    if (hosts.length > 0) this.#outsideNames = new Map([...wellKnownNames, ...lateMachineTools.code.outsideNames(hosts)]);
    serveOutsideNames(this.network.addHost("resolver", machineNameServer), machineNameServer, this.#outsideNames);
    this.#controlPlane = this.#makeControlPlane(this.kubelets);
    this.#clients = this.#entrance();
    this.adminClient = this.#clients.clientFor(
      { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
      "kubeadm",
    );
    this.registry = registryOf(shape, systemImages(this.#parts()), simulation, () => this.#lateImages());
    if (shape.addons.includes("csi-driver")) this.#csi = new lateMachineTools.code.CsiCluster({ kernel, ...this.#podParts });
    if (shape.cloud !== undefined) this.cloud = this.#makeCloud(shape.cloud);
    if (hosts.length > 0) {
      const { network, registry } = this;
      lateMachineTools.code.startOutsideHosts({ kernel, network, hosts, imageNamed: (name) => imageNamed(registry, name) });
    }
    const tools = machineTools(
      this.network,
      (hostname) => this.node(hostname),
      (hostname) => this.powerOf(hostname),
    );
    const controlPlaneTools = withEtcdTools(tools);
    this.nodes = shape.nodes.map((node) => {
      const made = this.#makeNode(this.#csi?.on(node) ?? node, kernel, node.controlPlane ? controlPlaneTools : tools);
      this.kubelets.add(made.kubelet);
      return made;
    });
    const kubelets = new Set(shape.nodes.map(({ address }) => address));
    for (const [index, { apiServer, pki }] of this.#controlPlane.entries()) {
      const { network } = this.nodes[index] as ClusterNode;
      apiServer.network = kubeletClientStack(
        network.host,
        ({ address, port }) => port === kubeletPort && kubelets.has(address),
        () => pki.kubeletClient().certificate,
        () => apiServer.kubeletAuthorities,
      );
      for (const change of [network.cable.onCut, network.cable.onMend]) change.add(() => this.#etcd.decide());
    }
  }

  /** One that is ready, or else one that answers, if any does. */
  get apiServer(): ApiServer {
    const [{ apiServer: first }] = this.#controlPlane;
    if (first.running && first.etcd.isReachable) return first;
    const running = this.apiServers.filter((server) => server.running);
    return running.find(({ etcd }) => etcd.isReachable) ?? running[0] ?? first;
  }

  /** Of each control-plane node. */
  get apiServers(): readonly ApiServer[] {
    return this.#controlPlane.map(({ apiServer }) => apiServer);
  }

  /** Of the first control-plane node. */
  get pki(): ClusterPki {
    return this.#controlPlane[0].pki;
  }

  /** `172.18.0.2:6443` */
  get apiAddress(): string {
    const { balancer } = this.#shape;
    return balancer === undefined ? this.#controlPlane[0].apiServer.advertisedAddress : `${balancer.address}:${apiPort}`;
  }

  /** Where Pods ask for names. */
  get dnsAddress(): string {
    return this.#shape.dnsAddress;
  }

  /** PEM of the authority whose client certificates the API server takes. */
  get authorityPem(): string {
    return clusterAuthority.pem;
  }

  /** Address → names of every machine, for /etc/hosts; a machine outside may have none. */
  get hostNames(): ReadonlyMap<string, readonly string[]> {
    const { nodes, balancer, hosts } = this.#shape;
    const own = [...nodes, ...(balancer === undefined ? [] : [balancer])];
    return new Map([
      ...own.map(({ address, name }) => [address, [name]] as const),
      ...hosts.map(({ address, names = [] }) => [address, names] as const),
    ]);
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
    const [first, ...others] = this.nodes as [ClusterNode, ...ClusterNode[]];
    const { podCidr, dnsAddress } = this.#shape;
    for (const [index, member] of this.#controlPlane.entries()) this.#writeControlPlane(this.nodes[index] as ClusterNode, member);
    for (const { machine, shape } of others) {
      if (shape.controlPlane) continue;
      machine.files.makeDirectories(pkiDirectory);
      machine.files.provideFile(`${pkiDirectory}/ca.crt`, () => clusterAuthority.pem);
    }
    first.kubelet.start();
    this.#until(() => this.apiServer.running && this.#hasNode(first.shape.name), "the API server to answer");
    markControlPlane(this.adminClient, first.shape.name);
    const { nowMs } = this.#simulation;
    const apiServerUrl = `https://${this.apiAddress}`;
    applyAddons(this.adminClient, { dnsAddress, podCidr, apiServerUrl, authority: clusterAuthority.pem, nowMs });
    startPodNetworkPlugin({
      simulation: this.#simulation,
      client: this.#serviceAccountClient("pod-network"),
      network: this.network,
      nodes: this.nodes,
      networkPolicies: this.#shape.networkPolicies,
    });
    if (this.#shape.addons.includes("metrics-server")) applyMetricsServer(this.adminClient);
    if (this.#shape.addons.includes("local-path-provisioner")) applyLocalPathProvisioner(this.adminClient);
    if (this.#shape.addons.includes("ingress-controller"))
      lateMachineTools.code.applyIngressController(this.adminClient, this.#shape.cloud !== undefined);
    this.#csi?.apply(this.adminClient);
    for (const { kubelet, shape } of others) if (!shape.controlPlane) kubelet.start();
    this.#joinControlPlane(others.filter(({ shape }) => shape.controlPlane));
    this.#until(() => this.isReady(), "the system Pods to be Ready");
    for (const { shape } of this.#joined) labelAsAdministrator(this.adminClient, shape.name, shape.labels);
    for (const [index] of this.#controlPlane.entries()) {
      const { files } = (this.nodes[index] as ClusterNode).machine;
      for (const component of this.#shape.stopped)
        files.rename(`/etc/kubernetes/manifests/${component}.yaml`, `${stoppedManifests}/${component}.yaml`);
    }
  }

  #writeControlPlane({ machine }: ClusterNode, { pki, manifests }: ControlPlaneNode): void {
    const { files } = machine;
    files.makeDirectories(`${pkiDirectory}/etcd`);
    files.makeDirectories("/etc/kubernetes/manifests");
    for (const { path, permissions, make } of pki.files()) files.provideFile(path, make, { permissions });
    files.provideFile("/etc/kubernetes/admin.conf", () => adminKubeconfig(this.apiAddress, pki.administrator()), {
      permissions: 0o600,
    });
    for (const [file, text] of manifests) files.writeFile(`/etc/kubernetes/manifests/${file}`, text, { permissions: 0o600 });
  }

  /** Once the first node's components are up, and marked when they are there. */
  #joinControlPlane(joining: readonly ClusterNode[]): void {
    if (joining.length === 0) return;
    const isLed = (name: string): boolean =>
      this.adminClient.list(leases, { fieldSelector: `metadata.name=${name}` }).items.length > 0;
    this.#until(() => isLed("kube-controller-manager") && isLed("kube-scheduler"), "the control plane to be whole");
    for (const { kubelet } of joining) kubelet.start();
    this.#until(() => joining.every(({ shape }) => this.#hasNode(shape.name)), "the other control-plane nodes to join");
    for (const { shape } of joining) markControlPlane(this.adminClient, shape.name);
  }

  #makeCloud({ routeLimit }: CloudWish): SimulatedCloud {
    return new lateMachineTools.code.SimulatedCloud({
      simulation: this.#simulation,
      network: this.network,
      nodes: this.#shape.nodes,
      routeLimit,
      registry: this.registry,
      clients: this.#clients,
      authenticator: () => this.apiServer.authenticator,
      powerOf: (name) => this.powerOf(name),
    });
  }

  /** Without those whose kubelets do not start with what their machines have. */
  get #joined(): readonly ClusterNode[] {
    return this.nodes.filter(({ kubelet }) => kubelet.state !== "restarting");
  }

  /** Every node that can be is there and Ready, and so is every Pod of kube-system. */
  isReady(): boolean {
    const isTrue = (conditions: readonly { readonly type: string; readonly status: string }[] | undefined): boolean =>
      conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
    const machines = this.adminClient.list(nodeType).items;
    const joined = this.#joined.length;
    if (machines.length < joined || !machines.every(({ status }) => isTrue(status?.conditions))) return false;
    const system = this.adminClient.list(pods, { namespace: "kube-system" }).items;
    const proxies = system.filter(({ metadata }) => metadata.labels?.["k8s-app"] === "kube-proxy");
    return (
      proxies.length === joined &&
      system.length >= proxies.length + 4 * this.#controlPlane.length + (this.#shape.addons.includes("metrics-server") ? 1 : 0) &&
      system.every(({ metadata, status }) => isTrue(status?.conditions) || this.#hasNoPlaceFor(metadata.labels))
    );
  }

  /** The add-ons tolerate no taints: where every node has some, their Pods wait. */
  #hasNoPlaceFor(labels: { readonly [key: string]: string } | undefined): boolean {
    return (
      this.#shape.nodes.every(({ taints, kubeletOptions }) => taints.length > 0 || kubeletOptions.cloud?.isAwaited === true) &&
      labels?.["k8s-app"] === "metrics-server"
    );
  }

  /** From a node's machine to the API server or the load balancer before it; undefined on the machine where the only server runs. */
  #wireOf(network: WiredNode, { controlPlane }: Pick<NodeShape, "controlPlane">): ClientWire | undefined {
    const { balancer } = this.#shape;
    if (balancer !== undefined) return new ThroughBalancer(balancer.address, network.cable);
    const first = this.network.node(this.#shape.nodes[0]?.name ?? "");
    return controlPlane || first === undefined ? undefined : new ThroughBoth(network, first, apiPort);
  }

  #makeControlPlane(gateway: NodeGateway): readonly [ControlPlaneNode, ...ControlPlaneNode[]] {
    const made: ControlPlaneNode[] = [];
    for (const shape of this.#shape.nodes.filter(({ controlPlane }) => controlPlane)) {
      const isCut = (): boolean => this.network.node(shape.name)?.cable.isCut === true;
      const { decisions } = this;
      const schedulerDelays = this.#delaysOf("kube-scheduler");
      const shared = { simulation: this.#simulation, cluster: this.#shape, gateway, etcd: this.#etcd, decisions, schedulerDelays };
      const dial = (target: Endpoint): Errno | undefined => {
        const route = this.network.node(shape.name)?.host.routeTo(target, "tcp");
        return route === undefined || route.ok ? undefined : route.error;
      };
      made.push(new ControlPlaneNode(shape, { ...shared, before: [...made], isCut, dial }));
    }
    const [first, ...others] = made;
    if (first === undefined) throw new Error("a cluster has a control-plane node");
    return [first, ...others];
  }

  /** What the only API server is to its clients, a load balancer is to those of several. */
  #entrance(): ClientFactory {
    const { balancer } = this.#shape;
    const [first, ...others] = this.#controlPlane;
    if (balancer === undefined) return first.apiServer;
    const behind = ({ apiServer, shape }: ControlPlaneNode) => ({
      apiServer,
      isReachable: () => this.network.node(shape.name)?.isReachable === true,
    });
    const servers = new ApiBalancer([behind(first), ...others.map(behind)]);
    this.network.addBalancer(balancer.address, apiPort, () => servers.takeAddress());
    return servers;
  }

  /** A kubelet asks the API server of its own machine, where there is one (kubeadm's ControlPlaneKubeletLocalMode). */
  #kubeletEntrance(
    { name }: NodeShape,
    network: WiredNode,
  ): { readonly clients: ClientFactory; readonly wire: ClientWire | undefined } {
    const own = this.#controlPlane.find(({ shape }) => shape.name === name);
    if (own !== undefined) return { clients: own.apiServer, wire: undefined };
    return { clients: this.#clients, wire: this.#wireOf(network, { controlPlane: false }) };
  }

  /** The control-plane node that a process runs on. */
  #controlPlaneOf({ hostname }: Process): ControlPlaneNode {
    return this.#controlPlane.find(({ shape }) => shape.name === hostname) ?? this.#controlPlane[0];
  }

  #delaysOf(component: string): WatchDelays {
    const found = this.watchDelays.get(component);
    if (found === undefined) throw new Error(`${component} has no delays`);
    return found;
  }

  /** A program in a Pod of kube-system acts as its service account. */
  #serviceAccountClient(name: string): Client {
    return this.#clients.clientFor(serviceAccountUser(name), name);
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
      ...this.#kubeletEntrance(shape, network),
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

  /** What the components' containers start and stop. */
  #parts(): SystemParts {
    const simulation = this.#simulation;
    const clients = this.#clients;
    const authenticator = () => this.apiServer.authenticator;
    const onNode =
      (start: (node: ControlPlaneNode) => StartPart): StartPart =>
      (self, ...rest) =>
        start(this.#controlPlaneOf(self))(self, ...rest);
    return {
      startEtcd: onNode((node) =>
        etcdPart({
          member: node.etcd,
          machines: { member: node.shape, members: this.#controlPlane.map(({ shape }) => shape) },
          usual: node.usualFlags("etcd"),
          store: node.apiServer.store,
          answer:
            (self, authorityFile) =>
            (...exchange) =>
              lateEtcd.code.answer(this.#etcdServer(node, self, authorityFile), ...exchange),
        }),
      ),
      startApiServer: onNode((node) => this.#apiServerPart(node)),
      startControllerManager: onNode((node) => this.#controllerManagerPart(node)),
      startScheduler: onNode((node) =>
        schedulerPart({
          simulation,
          clients,
          authenticator,
          usual: node.usualFlags("kube-scheduler"),
          installed: node.scheduler,
          onInstalled: (exit) => {
            node.endScheduler = exit;
          },
        }),
      ),
      startProxy: (...start) => this.#startProxy(...start),
      startMetricsServer: (self: Process) =>
        startMetricsServer({ simulation, client: this.#serviceAccountClient("metrics-server"), self }),
      startLocalPathProvisioner: (self: Process) =>
        startLocalPathProvisioner({
          simulation,
          client: podClient(self, clients, authenticator(), "local-path-provisioner"),
          self,
        }),
      startCoreDns: (...start) => this.#startCoreDns(...start),
    };
  }

  /** What somebody may pull once the tools have come. */
  #lateImages(): readonly Image[] {
    const own = this.#csi?.images ?? [];
    return [...lateImages.code, ...lateMachineTools.code.ingressControllerImages(this.#podParts), ...own];
  }

  get #podParts() {
    return {
      simulation: this.#simulation,
      clients: this.#clients,
      authenticator: () => this.apiServer.authenticator,
    };
  }

  #startCoreDns(...[self, exit, tag]: Parameters<StartPart>): Part {
    const simulation = this.#simulation;
    const startedMs = simulation.nowMs;
    const counts = new Map<string, number>();
    const handler: HttpHandler = (...exchange) => lateComponentAnswers.code.dnsMetrics(counts, startedMs, ...exchange);
    self.serveHttp({ port: 9153, handler });
    return new CoreDnsProgram({
      simulation,
      client: this.#serviceAccountClient("coredns"),
      self,
      exit,
      tag,
      stack: dnsStackOf(self),
      upstream: this.#outsideNames,
      onAnswer: ({ question, answer }) => {
        const key = `${question.type} ${answer.code}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      },
    });
  }

  #etcdServer({ apiServer, shape }: ControlPlaneNode, self: Process, authorityFile: string): EtcdServer {
    return {
      self,
      server: apiServer,
      member: shape,
      members: () => this.#controlPlane.map((node) => node.shape),
      hasLeader: () => apiServer.etcd.isReachable,
      authorityFile,
    };
  }

  #apiServerPart(node: ControlPlaneNode): StartPart {
    const { apiServer, etcd, pki, shape } = node;
    return apiServerPart({
      simulation: this.#simulation,
      apiServer,
      etcd,
      usual: node.usualFlags("kube-apiserver"),
      listen: (self) => {
        const host = this.network.node(shape.name)?.host;
        apiServer.webhooks.network = host;
        apiServer.remoteServers.network = host;
        apiServer.remoteServers.certificate = pki.frontProxyClient;
        self.serveHttp({ port: apiPort, tls: pki.apiServer(), handler: apiServer.handler });
      },
    });
  }

  #controllerManagerPart(node: ControlPlaneNode): StartPart {
    const { apiServer, pki, shape } = node;
    const { notAfterMs: authorityNotAfterMs, pem: rootCa } = clusterAuthority;
    return controllerManagerPart(
      {
        simulation: this.#simulation,
        clients: apiServer,
        hostname: shape.name,
        more: this.#csi?.controllers,
        watchDelays: this.#delaysOf("kube-controller-manager"),
        clusterCidr: this.network.clusterCidr,
        rootCa,
        signing: { authority: pki.signer, authorityNotAfterMs, durationMs: 365 * 86_400_000 },
      },
      node.usualFlags("kube-controller-manager"),
    );
  }

  #startProxy(...[self, exit]: Parameters<StartPart>): Part {
    const name = self.env.get("NODE_NAME") ?? self.hostname;
    const found = this.node(name);
    if (found === undefined) throw new Error(`kube-proxy runs on a node without a name: ${name}`);
    const { network, shape } = found;
    const { clusterCidr, ruleCache } = this.network;
    const settings = startSettings(self, exit, network, clusterCidr);
    if (settings === undefined) return { stop: () => {} };
    return startKubeProxy({
      simulation: this.#simulation,
      client: this.#clients.clientFor(serviceAccountUser("kube-proxy"), "kube-proxy", this.#wireOf(network, shape)),
      network,
      host: listenerOf(self),
      settings,
      ruleCache,
      argv: self.argv,
      log: (words) => logLater(self, 2, words),
    });
  }
}

function listenerOf(self: Process): Pick<NetworkStack, "listen"> {
  return {
    listen: ({ onHttp, ...place }) => {
      if (onHttp === undefined) throw new TypeError("listens for HTTP only");
      return listeningOf(self, place.port, self.serveHttp({ ...place, handler: onHttp }));
    },
  };
}

/** What a signal has ended closes all that it had open by itself, and may ask for nothing any more. */
function listeningOf(self: Process, port: number, descriptor: number): Listening {
  return {
    port,
    close: () => {
      if (self.exit === undefined) self.close(descriptor);
    },
  };
}

function dnsStackOf(self: Process): CoreDnsProgramOptions["stack"] {
  return {
    addresses: self.addresses(),
    serveDns: (handler: DnsHandler): Listening => listeningOf(self, 53, self.serveDns(handler)),
  };
}

/** All images that there are, but for those that the shape says are missing. */
function registryOf(
  shape: ClusterShape,
  system: readonly Image[],
  simulation: Simulation,
  lateImages: () => readonly Image[],
): Registry {
  const missing = new Set(shape.missingImages.map(taggedName));
  const known = [...publicImages, ...system];
  const registry = createRegistry({
    images: known.filter(({ repository, tag }) => !missing.has(`${repository}:${tag}`)),
    lateImages,
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
