// kube-proxy's nftables mode (pkg/proxy/nftables): one table with maps from addresses and ports to chains.

import { serviceCidrs } from "#cluster/api/kinds.ts";
import { Informer } from "#cluster/client/informer.ts";
import { isLoopback } from "../../addresses.ts";
import { NftTable } from "../../netfilter/nftables/nft-table.ts";
import type { PacketFilter } from "../../netfilter/packet-filter.ts";
import { chosenPlaces } from "../chosen-places.ts";
import { cleanUpIptables } from "../cleanup.ts";
import { endpointsOf, usableEndpoints } from "../endpoints.ts";
import type { OtherParts, Proxier, ProxyView } from "../proxier.ts";
import { servicePortsOf } from "../service-ports.ts";
import { baseChains, maps, setMark, sets } from "./base-chains.ts";
import { NftContents } from "./port-rules.ts";

/** A chain that nothing leads to any more is emptied at once, and deleted when the kernel has noticed. */
const staleMs = 1000;

export class NftablesProxier implements Proxier {
  readonly #parts: OtherParts;
  readonly #filter: PacketFilter;
  readonly #serviceCidrs;
  /** Undefined until the first sync, and after one that failed. */
  #table: NftTable | undefined;
  readonly #stale = new Map<string, number>();

  constructor(parts: OtherParts) {
    const { simulation, client, network, changed } = parts;
    this.#parts = parts;
    this.#filter = network.packetFilter;
    cleanUpIptables(this.#filter);
    this.#serviceCidrs = new Informer(simulation, client, serviceCidrs);
    this.#serviceCidrs.addHandler(changed);
    this.#serviceCidrs.start();
  }

  stop(): void {
    this.#serviceCidrs.stop();
  }

  sync(view: ProxyView): boolean {
    const { hooked } = this.#filter;
    // What is to be changed is not there any more: next time everything is written.
    if (this.#table !== undefined && hooked !== this.#table) {
      this.#table = undefined;
      this.#stale.clear();
      this.#parts.tellFailure();
      return false;
    }
    const before = hooked instanceof NftTable ? hooked : undefined;
    const table = this.#table ?? before ?? new NftTable("kube-proxy", "rules for kube-proxy", this.#filter.surroundings);
    this.#table = table;
    this.#write(table, view);
    this.#filter.hooked = table;
    return true;
  }

  #write(table: NftTable, view: ProxyView): void {
    const { settings, network } = this.#parts;
    const { podRange, masqueradeAll, masqueradeMark: mark } = settings;
    const { addresses } = chosenPlaces(network, settings);
    const contents = this.#contents(view);
    const cidrs = [...this.#serviceCidrs.list()].flatMap(({ spec }) => spec?.cidrs ?? []).filter((cidr) => !cidr.includes(":"));
    const base = { podRange, masqueradeAll, mark, takesAll: addresses === undefined, serviceCidrs: cidrs };
    for (const [name, chain] of baseChains(base)) table.chains.set(name, chain);
    this.#fillSet(table, sets.hairpins, contents.hairpins);
    this.#fillSet(table, sets.clusterIps, contents.clusterIps);
    if (addresses === undefined) table.sets.delete(sets.nodePortIps.name);
    else this.#fillSet(table, sets.nodePortIps, new Set(addresses.filter((address) => !isLoopback(address))));
    for (const kind of ["noEndpointServices", "noEndpointNodePorts", "firewallIps", "serviceIps", "nodePorts"] as const) {
      const { name, type, comment } = maps[kind];
      table.maps.set(name, { type, comment, elements: contents[kind] });
    }
    for (const [name, timeoutMs] of contents.affinities) {
      const elements = table.sets.get(name)?.elements ?? new Map<string, number | undefined>();
      table.sets.set(name, { type: "ipv4_addr", timeoutMs, elements });
    }
    for (const name of [...table.sets.keys()])
      if (name.startsWith("affinity-") && !contents.affinities.has(name)) table.sets.delete(name);
    this.#replaceChains(table, contents, view.nowMs);
  }

  #contents(view: ProxyView): NftContents {
    const { settings } = this.#parts;
    const contents = new NftContents();
    const { place } = view;
    const options = {
      podRange: settings.podRange,
      mark: setMark(settings.masqueradeMark),
      nodeName: place.nodeName,
      nodeAddress: place.address,
    };
    for (const service of view.services()) {
      const slices = view.slicesOf(service);
      for (const port of servicePortsOf(service)) {
        const endpoints = endpointsOf(slices, port.portName, port.protocol);
        contents.add(port, usableEndpoints(endpoints, port, place), options);
      }
    }
    return contents;
  }

  #fillSet(
    table: NftTable,
    { name, type, comment }: { readonly name: string; readonly type: string; readonly comment: string },
    elements: ReadonlySet<string>,
  ): void {
    table.sets.set(name, { type, comment, elements: new Map([...elements].map((element) => [element, undefined])) });
  }

  #replaceChains(table: NftTable, { chains }: NftContents, nowMs: number): void {
    for (const [name, sinceMs] of [...this.#stale]) {
      if (nowMs - sinceMs <= staleMs) continue;
      table.chains.delete(name);
      this.#stale.delete(name);
    }
    for (const [name, rules] of chains) {
      table.chains.set(name, { rules });
      this.#stale.delete(name);
    }
    // Only chains of Services have names with slashes.
    for (const [name, chain] of table.chains) {
      if (!name.includes("/") || chains.has(name)) continue;
      chain.rules = [];
      if (!this.#stale.has(name)) this.#stale.set(name, nowMs);
    }
  }
}
