// kube-proxy's iptables mode (pkg/proxy/iptables): chains of rules for each Service port and each endpoint.

import { keyOf } from "#cluster/api/objects.ts";
import { loopbackBlock } from "../netfilter/kubelet-rules.ts";
import type { PacketFilter } from "../netfilter/packet-filter.ts";
import type { Rule } from "../netfilter/rules.ts";
import type { NodeNetwork } from "../network.ts";
import { nodePortPlaces } from "./node-port-places.ts";
import type { IptablesParts, Proxier, ProxyView } from "./proxier.ts";
import type { RuleCache } from "./rule-cache.ts";
import type { ServiceRules } from "./service-rules.ts";
import type { ProxySettings } from "./settings.ts";
import { canary, jumps, staticChains, toNodePorts } from "./static-rules.ts";

/** Everything is written anew at the first sync after this time (proxyutil.FullSyncPeriod). */
export const fullSyncMs = 3_600_000;

/** More endpoints than these make a large cluster, whose chains are quick rather than easy to read. */
const manyEndpoints = 1000;

/** Chains in which all Services have rules, and what stands behind these. */
const sharedChains = (nodePorts: readonly Rule[]) =>
  [
    { table: "nat", chain: "KUBE-SERVICES", of: "natServices", end: nodePorts },
    { table: "nat", chain: "KUBE-NODEPORTS", of: "natNodePorts", end: [] },
    { table: "filter", chain: "KUBE-SERVICES", of: "filterServices", end: [] },
    { table: "filter", chain: "KUBE-EXTERNAL-SERVICES", of: "filterExternalServices", end: [] },
    { table: "filter", chain: "KUBE-NODEPORTS", of: "filterNodePorts", end: [] },
    { table: "filter", chain: "KUBE-PROXY-FIREWALL", of: "filterFirewall", end: [] },
  ] as const;

export class IptablesProxier implements Proxier {
  readonly #filter: PacketFilter;
  readonly #network: NodeNetwork;
  readonly #settings: ProxySettings;
  readonly #cache: RuleCache;
  readonly #static: ReturnType<typeof staticChains>;
  readonly #tellFailure: IptablesParts["tellFailure"];
  /** The Services' own chains that are in place, with the rules that were written there. */
  #written: ReadonlyMap<string, readonly Rule[]>;
  /** The next sync writes every chain, whoever has changed what. */
  #needsFull = true;
  #fullMs = Number.NEGATIVE_INFINITY;
  #isLarge = false;
  #cleanedMs = Number.NEGATIVE_INFINITY;

  constructor({ network, settings, ruleCache, tellFailure }: IptablesParts) {
    this.#network = network;
    this.#filter = network.packetFilter;
    this.#settings = settings;
    this.#cache = ruleCache;
    this.#tellFailure = tellFailure;
    this.#static = staticChains(settings.masqueradeMark);
    // A predecessor's chains are its successor's to clean up.
    this.#written = new Map(serviceChains(this.#filter).map((name) => [name, []]));
    for (const table of ["mangle", "nat", "filter"] as const) this.#filter.setChain(table, canary, []);
    if (this.#filter.hooked !== undefined) this.#filter.hooked = undefined;
  }

  stop(): void {}

  /**
   * A full sync sees to the jumps and writes every chain. A partial one writes the chains that all Services share, and of the others those of
   * Services that have changed: what somebody has done to the rest stays.
   */
  sync(view: ProxyView, isForced: boolean): boolean {
    const filter = this.#filter;
    const { nowMs } = view;
    const isFull = isForced || this.#needsFull || (nowMs - this.#fullMs >= fullSyncMs && !this.#isLarge);
    this.#needsFull = true;
    if (isFull) {
      for (const { table, from, rule } of jumps) filter.ensureRule(table, from, rule, "prepend");
      if (this.#settings.localhostNodePorts) loopbackBlock(filter);
    }
    const all = this.#rules(view);
    const { addresses, isOnLoopback } = nodePortPlaces(this.#network, this.#settings);
    const shared = sharedChains(toNodePorts(addresses, isOnLoopback)).map(
      ({ table, chain, of, end }) => [table, chain, [...all.flatMap((rules) => rules[of]), ...end]] as const,
    );
    const wanted = new Map<string, readonly Rule[]>();
    for (const { chains } of all) for (const [name, rules] of chains) wanted.set(name, rules);
    const isWritten = (name: string): boolean => isFull || this.#written.get(name) !== wanted.get(name);
    const isThere = ({ target }: Rule): boolean =>
      target?.kind !== "jump" || !wanted.has(target.chain) || isWritten(target.chain) || filter.hasChain("nat", target.chain);
    const chains = [...this.#static, ...shared];
    // Tables are restored one after the other, each as a whole or not at all.
    for (const [table, name, rules] of chains) if (table === "filter") filter.setChain(table, name, rules);
    if (shared.some(([table, , rules]) => table === "nat" && !rules.every(isThere))) {
      this.#tellFailure({ chains, ownChains: [...wanted.keys()].filter(isWritten).length, isThere });
      return false;
    }
    for (const [table, name, rules] of chains) if (table === "nat") filter.setChain(table, name, rules);
    for (const [name, rules] of wanted)
      if (isWritten(name) && filter.chain("nat", name) !== rules) filter.setChain("nat", name, rules);
    this.#deleteStale(wanted, nowMs);
    this.#needsFull = false;
    if (isFull) this.#fullMs = nowMs;
    return true;
  }

  /** Whether the cluster is large shows only when all endpoints have been counted. */
  #rules(view: ProxyView): readonly ServiceRules[] {
    const services = view.services();
    const rules = this.#rulesAt(view, services);
    const count = services.reduce((sum, service) => sum + this.#cache.endpointCount(keyOf(service)), 0);
    if (count > manyEndpoints === this.#isLarge) return rules;
    this.#isLarge = !this.#isLarge;
    return this.#rulesAt(view, services);
  }

  #rulesAt(view: ProxyView, services: ReturnType<ProxyView["services"]>): readonly ServiceRules[] {
    const { place } = view;
    const { podRange, masqueradeAll } = this.#settings;
    const options = { podRange, masqueradeAll, isTerse: this.#isLarge };
    return services.flatMap((service) => this.#cache.rulesFor(service, view.slicesOf(service), place, options));
  }

  /** Chains that nobody jumps to any more do no harm: a large cluster cleans them up once a sync period. */
  #deleteStale(wanted: ReadonlyMap<string, readonly Rule[]>, nowMs: number): void {
    const cleans = !this.#isLarge || nowMs - this.#cleanedMs > this.#settings.syncPeriodMs;
    const stale = [...this.#written].filter(([name]) => !wanted.has(name));
    if (cleans) {
      for (const [name] of stale) this.#filter.deleteChain("nat", name);
      this.#cleanedMs = nowMs;
    }
    this.#written = cleans ? wanted : new Map([...wanted, ...stale]);
  }
}

export function serviceChains(filter: PacketFilter): readonly string[] {
  return filter.chains("nat").flatMap(({ name }) => (/^KUBE-(SVC|SVL|EXT|FW|SEP)-/.test(name) ? [name] : []));
}
