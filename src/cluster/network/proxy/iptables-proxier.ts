// kube-proxy's iptables mode (pkg/proxy/iptables): chains of rules for each Service port and each endpoint.

import { keyOf } from "#cluster/api/objects.ts";
import type { PacketFilter } from "../netfilter/packet-filter.ts";
import type { Rule } from "../netfilter/rules.ts";
import type { NodeNetwork } from "../network.ts";
import { nodePortPlaces } from "./node-port-places.ts";
import type { Proxier, ProxierParts, ProxyView } from "./proxier.ts";
import type { RuleCache } from "./rule-cache.ts";
import type { ServiceRules } from "./service-rules.ts";
import type { ProxySettings } from "./settings.ts";
import { jumps, staticChains, toNodePorts } from "./static-rules.ts";

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
  /** The Services' own chains that are in place. */
  #installed: ReadonlySet<string>;
  #isLarge = false;
  #cleanedMs = Number.NEGATIVE_INFINITY;

  constructor({ network, settings, ruleCache }: ProxierParts) {
    this.#network = network;
    this.#filter = network.packetFilter;
    this.#settings = settings;
    this.#cache = ruleCache;
    this.#static = staticChains(settings.masqueradeMark);
    // A predecessor's chains are its successor's to clean up.
    this.#installed = new Set(serviceChains(this.#filter));
    if (this.#filter.hooked !== undefined) this.#filter.hooked = undefined;
  }

  stop(): void {}

  sync(view: ProxyView): boolean {
    const filter = this.#filter;
    for (const chain of this.#static) filter.setChain(...chain);
    for (const { table, from, rule } of jumps) filter.ensureRule(table, from, rule, "prepend");
    const all = this.#rules(view);
    const { addresses, isOnLoopback } = nodePortPlaces(this.#network, this.#settings);
    const last = toNodePorts(addresses, isOnLoopback);
    for (const { table, chain, of, end } of sharedChains(last))
      filter.setChain(table, chain, [...all.flatMap((rules) => rules[of]), ...end]);
    this.#installChains(all, view.nowMs);
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
  #installChains(all: readonly ServiceRules[], nowMs: number): void {
    const wanted = new Map<string, readonly Rule[]>();
    for (const { chains } of all) for (const [name, rules] of chains) wanted.set(name, rules);
    for (const [name, rules] of wanted) {
      if (this.#filter.chain("nat", name) !== rules) this.#filter.setChain("nat", name, rules);
    }
    const cleans = !this.#isLarge || nowMs - this.#cleanedMs > this.#settings.syncPeriodMs;
    const stale = [...this.#installed].filter((name) => !wanted.has(name));
    if (cleans) {
      for (const name of stale) this.#filter.deleteChain("nat", name);
      this.#cleanedMs = nowMs;
    }
    this.#installed = new Set(cleans ? wanted.keys() : [...wanted.keys(), ...stale]);
  }
}

export function serviceChains(filter: PacketFilter): readonly string[] {
  return filter.chains("nat").flatMap(({ name }) => (/^KUBE-(SVC|SVL|EXT|FW|SEP)-/.test(name) ? [name] : []));
}
