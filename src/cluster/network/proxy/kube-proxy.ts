// kube-proxy in its iptables mode: watches Services and EndpointSlices and keeps the node's packet filter in step. The
// rules stay when it stops.

import type { EndpointSlice, Service } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { endpointSlices, nodes, services } from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import { SeriesRecorder } from "#cluster/client/series-recorder.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { lateConntrack } from "../netfilter/late-conntrack.ts";
import type { PacketFilter } from "../netfilter/packet-filter.ts";
import type { Rule } from "../netfilter/rules.ts";
import type { NodeNetwork } from "../network.ts";
import { HealthServers } from "./health-servers.ts";
import { lateProxy } from "./late-proxy.ts";
import type { ProxyLog } from "./log.ts";
import { RuleCache } from "./rule-cache.ts";
import { isProxied } from "./service-ports.ts";
import type { ServiceRules } from "./service-rules.ts";
import type { ProxySettings } from "./settings.ts";
import { installStaticRules, toNodePorts } from "./static-rules.ts";

export interface KubeProxyOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly network: NodeNetwork;
  /** Where its process listens; absent: nobody is seen to. */
  readonly host?: Pick<NetworkStack, "listen">;
  /** Pods everywhere: other sources of Service traffic are masqueraded. Default 10.244.0.0/16. */
  readonly clusterCidr?: string;
  /** `ClusterNetwork.ruleCache`, so that nodes share what is the same for all. */
  readonly ruleCache?: RuleCache;
  /** The command line of its process. */
  readonly argv?: readonly string[];
  /** What its configuration says beside kubeadm's. */
  readonly settings?: ProxySettings | undefined;
  /** The container's log. */
  readonly log?: ProxyLog;
}

const defaultClusterCidr = "10.244.0.0/16";
/** --iptables-min-sync-period */
const minimumSyncMs = 1000;
/** --iptables-sync-period: how long a flushed table may stay unnoticed. */
const syncPeriodMs = 30_000;
/** Above, rules about endpoints have no comments, and chains that are no longer in use stay for a while. */
const largeClusterEndpoints = 1000;
const zoneLabel = "topology.kubernetes.io/zone";
const serviceNameLabel = "kubernetes.io/service-name";
const byService = "service";

class KubeProxy {
  readonly #simulation: Simulation;
  readonly #network: NodeNetwork;
  readonly #filter: PacketFilter;
  readonly #nodeName: string;
  readonly #clusterCidr: string;
  readonly #cache: RuleCache;
  readonly #health: HealthServers;
  readonly #log: ProxyLog | undefined;
  readonly #settings: ProxySettings | undefined;
  readonly #services;
  readonly #slices;
  readonly #node;
  #timer: Timer | undefined;
  readonly #stopHearing: () => void;
  #lastSyncMs = Number.NEGATIVE_INFINITY;
  /** The Services' own chains that are in place. */
  #installed: ReadonlySet<string>;
  #lastCleanUpMs = Number.NEGATIVE_INFINITY;
  #isLarge = false;
  #stopped = false;

  constructor({
    simulation,
    client,
    network,
    host = network.host,
    argv = [],
    ruleCache,
    log,
    settings,
    ...options
  }: KubeProxyOptions) {
    const { clusterCidr = defaultClusterCidr } = options;
    this.#simulation = simulation;
    this.#network = network;
    this.#filter = network.packetFilter;
    this.#nodeName = network.nodeName;
    // A predecessor's chains are its successor's to clean up.
    this.#installed = new Set(ownChains(this.#filter));
    this.#clusterCidr = clusterCidr;
    this.#cache = ruleCache ?? new RuleCache();
    this.#services = new Informer(simulation, client, services);
    this.#slices = new Informer(simulation, client, endpointSlices);
    this.#slices.addIndex(byService, (slice) => [serviceKeyOf(slice)]);
    this.#node = new Informer(simulation, client, nodes, { fieldSelector: `metadata.name=${network.nodeName}` });
    this.#health = new HealthServers(simulation, host, network, () => this.#lastSyncMs, { argv, clusterCidr, settings });
    log?.((at) => lateProxy.code.startLines(at, network.address, settings));
    this.#log = log;
    this.#settings = settings;
    new SeriesRecorder(simulation, client, "kube-proxy", `kube-proxy-${network.nodeName}`).record(
      { kind: "Node", metadata: { name: network.nodeName, uid: network.nodeName } },
      { type: "Normal", reason: "Starting", action: "StartKubeProxy", note: "" },
    );
    this.#services.addHandler((service, _previous, deleted) => {
      if (deleted) this.#cache.forget(keyOf(service));
      this.#changed();
    });
    this.#slices.addHandler(() => this.#changed());
    this.#node.addHandler((node, previous) => {
      if (node.metadata.labels?.[zoneLabel] !== previous?.metadata.labels?.[zoneLabel]) this.#changed();
    });
    this.#stopHearing = this.#filter.onFlush.add(() => this.#syncWithin(syncPeriodMs));
    for (const informer of [this.#node, this.#services, this.#slices]) informer.start();
    this.#changed();
  }

  stop(): void {
    this.#stopped = true;
    this.#simulation.cancel(this.#timer);
    for (const informer of [this.#node, this.#services, this.#slices]) informer.stop();
    this.#health.close();
    this.#stopHearing();
  }

  #changed(): void {
    this.#syncWithin(0);
  }

  /** Syncs are at least a second apart; after a quiet second a change is applied at once. */
  #syncWithin(delayMs: number): void {
    if (this.#timer !== undefined && this.#timer.callback !== undefined && delayMs > 0) return;
    const { nowMs } = this.#simulation;
    const atMs = Math.max(nowMs + delayMs, this.#lastSyncMs + minimumSyncMs);
    if (this.#timer?.callback !== undefined && this.#timer.timeMs <= atMs) return;
    this.#simulation.cancel(this.#timer);
    this.#timer = this.#simulation.at(atMs, () => this.#sync());
  }

  #sync(): void {
    if (this.#stopped || !this.#services.hasSynced || !this.#slices.hasSynced) return;
    if (this.#lastSyncMs < 0) this.#log?.((at) => lateProxy.code.syncedLines(at));
    this.#lastSyncMs = this.#simulation.nowMs;
    try {
      this.#install();
    } catch (error) {
      this.#simulation.faults.note(`kube-proxy ${this.#nodeName}`, "its rules", error);
      this.#syncWithin(syncPeriodMs);
    }
  }

  #install(): void {
    installStaticRules(this.#filter);
    const all = this.#rules();
    const collect = (pick: (rules: ServiceRules) => readonly Rule[]): Rule[] => all.flatMap(pick);
    const filter = this.#filter;
    filter.setChain("nat", "KUBE-SERVICES", [...collect((rules) => rules.natServices), ...this.#toNodePorts()]);
    filter.setChain(
      "nat",
      "KUBE-NODEPORTS",
      collect((rules) => rules.natNodePorts),
    );
    filter.setChain(
      "filter",
      "KUBE-SERVICES",
      collect((rules) => rules.filterServices),
    );
    filter.setChain(
      "filter",
      "KUBE-EXTERNAL-SERVICES",
      collect((rules) => rules.filterExternalServices),
    );
    filter.setChain(
      "filter",
      "KUBE-NODEPORTS",
      collect((rules) => rules.filterNodePorts),
    );
    filter.setChain(
      "filter",
      "KUBE-PROXY-FIREWALL",
      collect((rules) => rules.filterFirewall),
    );
    this.#installChains(all);
    const { conntrack } = this.#network;
    if (conntrack !== undefined)
      lateConntrack.code.clearStaleFlows(conntrack, this.#services.list(), (service) => this.#slicesOf(service));
    this.#health.update([...this.#services.list()].filter(isProxied), (key) => this.#countLocal(key));
  }

  #toNodePorts(): readonly Rule[] {
    return this.#settings === undefined ? [toNodePorts] : lateProxy.code.nodePortRules(this.#settings, this.#network.addresses);
  }

  #rules(): readonly ServiceRules[] {
    const place = { nodeName: this.#nodeName, zone: this.#node.get(this.#nodeName)?.metadata.labels?.[zoneLabel] };
    const sorted = [...this.#services.list()].sort((a, b) => compareBytes(keyOf(a), keyOf(b)));
    const entries = sorted.map((service) => this.#cache.entryOf(service, this.#slicesOf(service), this.#clusterCidr));
    let total = 0;
    for (const { ports } of entries) for (const { endpoints } of ports) total += endpoints.length;
    this.#isLarge = total > largeClusterEndpoints;
    return entries.flatMap((entry) => this.#cache.rulesFor(entry, place, this.#clusterCidr, !this.#isLarge));
  }

  #slicesOf(service: Stored<Service>): readonly Stored<EndpointSlice>[] {
    return this.#slicesUnder(keyOf(service));
  }

  #slicesUnder(serviceKey: string): readonly Stored<EndpointSlice>[] {
    return [...this.#slices.byIndex(byService, serviceKey)].filter(isProxied);
  }

  #installChains(all: readonly ServiceRules[]): void {
    const wanted = new Map<string, readonly Rule[]>();
    for (const { chains } of all) for (const [name, rules] of chains) wanted.set(name, rules);
    for (const [name, rules] of wanted) {
      if (this.#filter.chain("nat", name) !== rules) this.#filter.setChain("nat", name, rules);
    }
    const { nowMs } = this.#simulation;
    if (this.#isLarge && nowMs - this.#lastCleanUpMs <= syncPeriodMs) {
      this.#installed = new Set([...this.#installed, ...wanted.keys()]);
      return;
    }
    this.#lastCleanUpMs = nowMs;
    for (const name of this.#installed) if (!wanted.has(name)) this.#filter.deleteChain("nat", name);
    this.#installed = new Set(wanted.keys());
  }

  /** Ready endpoints of a Service on this node. */
  #countLocal(serviceKey: string): number {
    const addresses = new Set<string>();
    for (const slice of this.#slicesUnder(serviceKey)) {
      for (const endpoint of slice.endpoints ?? []) {
        const [first] = endpoint.addresses;
        if (endpoint.nodeName === this.#nodeName && endpoint.conditions?.ready !== false && first !== undefined)
          addresses.add(first);
      }
    }
    return addresses.size;
  }
}

function ownChains(filter: PacketFilter): readonly string[] {
  return filter.chains("nat").flatMap(({ name }) => (/^KUBE-(SVC|SVL|EXT|FW|SEP)-/.test(name) ? [name] : []));
}

function serviceKeyOf(slice: Stored<EndpointSlice>): string {
  return `${slice.metadata.namespace ?? ""}/${slice.metadata.labels?.[serviceNameLabel] ?? ""}`;
}

/** Runs until `stop`; several on one node would fight over the rules, as in reality. */
export function startKubeProxy(options: KubeProxyOptions): { stop(): void } {
  return new KubeProxy(options);
}
