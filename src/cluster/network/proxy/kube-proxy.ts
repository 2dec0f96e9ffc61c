// kube-proxy: watches Services and EndpointSlices and keeps the node's rules in step, in the way of its mode. The rules stay when it
// stops.

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
import type { NodeNetwork } from "../network.ts";
import type { NodePlace } from "./endpoints.ts";
import { HealthServers } from "./health-servers.ts";
import { IptablesProxier } from "./iptables-proxier.ts";
import { lateProxy } from "./late-proxy.ts";
import type { ProxyLog } from "./log.ts";
import type { Proxier, ProxyView } from "./proxier.ts";
import { RuleCache } from "./rule-cache.ts";
import { isProxied } from "./service-ports.ts";
import { type ProxySettings, usualSettings } from "./settings.ts";

export interface KubeProxyOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly network: NodeNetwork;
  /** Where its process listens; absent: nobody is seen to. */
  readonly host?: Pick<NetworkStack, "listen">;
  /** Default: kubeadm's, with Pods in 10.244.0.0/16. */
  readonly settings?: ProxySettings;
  /** `ClusterNetwork.ruleCache`, so that nodes share what is the same for all. */
  readonly ruleCache?: RuleCache;
  /** The command line of its process. */
  readonly argv?: readonly string[];
  /** The container's log. */
  readonly log?: ProxyLog;
}

const zoneLabel = "topology.kubernetes.io/zone";
const serviceNameLabel = "kubernetes.io/service-name";
const byService = "service";

class KubeProxy implements ProxyView {
  readonly #simulation: Simulation;
  readonly #network: NodeNetwork;
  readonly #nodeName: string;
  readonly #settings: ProxySettings;
  readonly #proxier: Proxier;
  readonly #health: HealthServers;
  readonly #log: ProxyLog | undefined;
  readonly #services;
  readonly #slices;
  readonly #node;
  #timer: Timer | undefined;
  readonly #stopHearing: () => void;
  #lastSyncMs = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(options: KubeProxyOptions) {
    const { simulation, client, network, host = network.host, argv = [], ruleCache = new RuleCache(), log } = options;
    const { settings = usualSettings("10.244.0.0/16") } = options;
    const { packetFilter, nodeName } = network;
    this.#simulation = simulation;
    this.#network = network;
    this.#nodeName = nodeName;
    this.#settings = settings;
    this.#services = new Informer(simulation, client, services);
    this.#slices = new Informer(simulation, client, endpointSlices);
    this.#slices.addIndex(byService, (slice) => [serviceKeyOf(slice)]);
    this.#node = new Informer(simulation, client, nodes, { fieldSelector: `metadata.name=${nodeName}` });
    log?.((at) => lateProxy.code.startLines(at, network, settings));
    this.#log = log;
    const parts = { settings, network, ruleCache };
    const changed = (): void => this.#changed();
    const tellFailure = (): void => log?.((at) => lateProxy.code.failedLine(at));
    this.#proxier =
      settings.mode === "iptables"
        ? new IptablesProxier({
            ...parts,
            tellFailure: (failed) => log?.((at) => lateProxy.code.failedRestoreLines(at, failed, settings.syncPeriodMs)),
          })
        : lateProxy.code.proxierFor({ ...parts, simulation, client, changed, tellFailure });
    const about = {
      lastSyncMs: () => this.#lastSyncMs,
      node: () => this.#node.get(nodeName),
      argv,
      settings,
    };
    this.#health = new HealthServers(simulation, host, network, about);
    new SeriesRecorder(simulation, client, "kube-proxy", `kube-proxy-${nodeName}`).record(
      { kind: "Node", metadata: { name: nodeName, uid: nodeName } },
      { type: "Normal", reason: "Starting", action: "StartKubeProxy", note: "" },
    );
    this.#services.addHandler((service, _previous, deleted) => {
      if (deleted) ruleCache.forget(keyOf(service));
      this.#changed();
    });
    this.#slices.addHandler(() => this.#changed());
    this.#node.addHandler((node, previous) => {
      if (node.metadata.labels?.[zoneLabel] !== previous?.metadata.labels?.[zoneLabel]) this.#changed();
    });
    const startedMs = simulation.nowMs;
    let watch: { edited(): void; stop(): void } | undefined;
    const stopHearing = packetFilter.onEdit.add(() => {
      if (settings.mode !== "iptables") return;
      const lastSyncMs = (): number => this.#lastSyncMs;
      const sync = (isForced: boolean): void => this.#sync(isForced);
      watch ??= lateProxy.code.watchRules({ simulation, filter: packetFilter, startedMs, settings, lastSyncMs, sync, log });
      watch.edited();
    });
    this.#stopHearing = () => {
      stopHearing();
      watch?.stop();
    };
    for (const informer of [this.#node, this.#services, this.#slices]) informer.start();
    this.#changed();
  }

  stop(): void {
    this.#stopped = true;
    this.#simulation.cancel(this.#timer);
    for (const informer of [this.#node, this.#services, this.#slices]) informer.stop();
    this.#proxier.stop();
    this.#health.close();
    this.#stopHearing();
  }

  get nowMs(): number {
    return this.#simulation.nowMs;
  }

  get place(): NodePlace {
    const zone = this.#node.get(this.#nodeName)?.metadata.labels?.[zoneLabel];
    return { nodeName: this.#nodeName, address: this.#network.address, zone };
  }

  services(): readonly Stored<Service>[] {
    return [...this.#services.list()].sort((a, b) => compareBytes(keyOf(a), keyOf(b)));
  }

  slicesOf(service: Stored<Service>): readonly Stored<EndpointSlice>[] {
    return this.#slicesUnder(keyOf(service));
  }

  #slicesUnder(serviceKey: string): readonly Stored<EndpointSlice>[] {
    return [...this.#slices.byIndex(byService, serviceKey)].filter(isProxied);
  }

  #changed(): void {
    this.#syncWithin(0);
  }

  /** Syncs are at least a second apart; after a quiet second a change is applied at once. */
  #syncWithin(delayMs: number): void {
    if (this.#timer !== undefined && this.#timer.callback !== undefined && delayMs > 0) return;
    const { nowMs } = this.#simulation;
    const atMs = Math.max(nowMs + delayMs, this.#lastSyncMs + this.#settings.minimumSyncMs);
    if (this.#timer?.callback !== undefined && this.#timer.timeMs <= atMs) return;
    this.#simulation.cancel(this.#timer);
    this.#timer = this.#simulation.at(atMs, () => this.#sync());
  }

  #sync(isForced = false): void {
    if (this.#stopped || !this.#services.hasSynced || !this.#slices.hasSynced) return;
    if (this.#lastSyncMs < 0) this.#log?.((at) => lateProxy.code.syncedLines(at));
    this.#lastSyncMs = this.#simulation.nowMs;
    try {
      if (!this.#proxier.sync(this, isForced)) {
        this.#syncWithin(this.#settings.syncPeriodMs);
        return;
      }
      const { conntrack } = this.#network;
      if (conntrack !== undefined)
        lateConntrack.code.clearStaleFlows(conntrack, this.#services.list(), (service) => this.slicesOf(service));
      this.#health.update([...this.#services.list()].filter(isProxied), (key) => this.#countLocal(key));
    } catch (error) {
      this.#simulation.faults.note(`kube-proxy ${this.#nodeName}`, "its rules", error);
      this.#syncWithin(this.#settings.syncPeriodMs);
    }
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

function serviceKeyOf(slice: Stored<EndpointSlice>): string {
  return `${slice.metadata.namespace ?? ""}/${slice.metadata.labels?.[serviceNameLabel] ?? ""}`;
}

/** Runs until `stop`; several on one node would fight over the rules, as in reality. */
export function startKubeProxy(options: KubeProxyOptions): { stop(): void } {
  return new KubeProxy(options);
}
