// CoreDNS's kubernetes plugin: the records of the cluster's domain, made from Services, EndpointSlices and Namespaces.

import type { EndpointSlice, Service } from "#cluster/api/generated/types.ts";
import { endpointSlices, namespaces, services } from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { DnsAnswer, DnsQuestion } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import { type ClusterName, parseClusterName, parseDashedAddress, parseReverseName } from "./names.ts";

type DnsRecord = DnsAnswer["records"][number];

/** What the plugin says: records (none is NODATA), that the name does not exist, or that another plugin is to be asked. */
export type PluginAnswer =
  | { readonly kind: "records"; readonly records: readonly DnsRecord[] }
  | { readonly kind: "alias"; readonly record: DnsRecord }
  | { readonly kind: "nameError" }
  | { readonly kind: "notSynced" }
  | { readonly kind: "next" };

/** One target of a Service name. */
interface Target {
  readonly address: string;
  readonly port: number;
  /** The name that SRV records point to. */
  readonly name: string;
}

const ttlSeconds = 30;
const serviceNameLabel = "kubernetes.io/service-name";
const byService = "service";
const byAddress = "address";
const noName: PluginAnswer = { kind: "nameError" };

export class KubernetesPlugin {
  readonly #zone: string;
  readonly #simulation: Simulation;
  readonly #services;
  readonly #slices;
  readonly #namespaces;

  constructor(simulation: Simulation, client: Client, zone: string) {
    this.#simulation = simulation;
    this.#zone = zone;
    this.#services = new Informer(simulation, client, services);
    this.#services.addIndex(byAddress, (service) => service.spec?.clusterIPs ?? []);
    this.#slices = new Informer(simulation, client, endpointSlices);
    this.#slices.addIndex(byService, (slice) => [serviceKeyOf(slice)]);
    this.#slices.addIndex(byAddress, (slice) => (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses));
    this.#namespaces = new Informer(simulation, client, namespaces);
    for (const informer of [this.#namespaces, this.#services, this.#slices]) informer.start();
  }

  stop(): void {
    for (const informer of [this.#namespaces, this.#services, this.#slices]) informer.stop();
  }

  get hasSynced(): boolean {
    return this.#services.hasSynced && this.#slices.hasSynced && this.#namespaces.hasSynced;
  }

  answer(question: DnsQuestion): PluginAnswer {
    const name = asciiLowerCase(question.name);
    const reversed = parseReverseName(name);
    if (reversed !== undefined) return this.#reverse(question, reversed);
    const parsed = parseClusterName(name, this.#zone);
    if (parsed === undefined) return { kind: "next" };
    if (!this.hasSynced) return { kind: "notSynced" };
    switch (parsed.kind) {
      case "apex":
        return { kind: "records", records: [] };
      case "unknown":
        return noName;
      case "pod":
        return this.#pod(question, parsed);
      case "service":
        return this.#service(question, parsed);
    }
  }

  /** `pods insecure`: any address that is written in the name, in a namespace that exists. */
  #pod(question: DnsQuestion, { namespace, dashedAddress }: ClusterName & { readonly kind: "pod" }): PluginAnswer {
    if (this.#namespaces.get(namespace) === undefined) return noName;
    if (dashedAddress === "") return { kind: "records", records: [] };
    const address = parseDashedAddress(dashedAddress);
    if (address === undefined) return noName;
    return { kind: "records", records: question.type === "A" ? [record(question.name, "A", address)] : [] };
  }

  #service(question: DnsQuestion, wanted: ClusterName & { readonly kind: "service" }): PluginAnswer {
    if (this.#namespaces.get(wanted.namespace) === undefined) return noName;
    if (wanted.service === "") return { kind: "records", records: [] };
    const service = this.#services.get(`${wanted.namespace}/${wanted.service}`);
    if (service === undefined) return noName;
    const { spec } = service;
    if (spec?.type === "ExternalName") {
      if (wanted.port !== "" || wanted.endpoint !== "") return noName;
      return { kind: "alias", record: record(question.name, "CNAME", spec.externalName?.replace(/\.$/, "") ?? "") };
    }
    const isHeadless = spec?.clusterIP === "None";
    const targets = isHeadless || wanted.endpoint !== "" ? this.#endpoints(service, wanted) : this.#ports(service, wanted);
    if (targets.length === 0) return noName;
    return { kind: "records", records: recordsOf(question, targets, this.#simulation) };
  }

  #ports(service: Stored<Service>, { port, protocol }: ClusterName & { readonly kind: "service" }): readonly Target[] {
    const { spec } = service;
    const name = this.#serviceName(service);
    return (spec?.ports ?? []).flatMap((other) => {
      const fits = matches(port, other.name) && matches(protocol, other.protocol ?? "TCP");
      return fits ? (spec?.clusterIPs ?? []).map((address) => ({ address, port: other.port, name })) : [];
    });
  }

  #endpoints(service: Stored<Service>, wanted: ClusterName & { readonly kind: "service" }): readonly Target[] {
    const targets: Target[] = [];
    const serviceName = this.#serviceName(service);
    for (const slice of this.#slices.byIndex(byService, keyOf(service))) {
      // Without ports the addresses count all the same.
      const ports = slice.ports === undefined || slice.ports.length === 0 ? [{ name: "", protocol: "TCP", port: 0 }] : slice.ports;
      for (const { addresses, conditions, hostname } of slice.endpoints ?? []) {
        if (conditions?.ready === false) continue;
        for (const address of addresses) {
          const label = endpointLabel(address, hostname);
          if (wanted.endpoint !== "" && wanted.endpoint !== label) continue;
          for (const port of ports) {
            if (!matches(wanted.port, port.name) || !matches(wanted.protocol, port.protocol)) continue;
            targets.push({ address, port: port.port ?? 0, name: `${label}.${serviceName}` });
          }
        }
      }
    }
    return targets;
  }

  /** Names of cluster IPs, else of endpoints; other addresses are for the next plugin (`fallthrough in-addr.arpa`). */
  #reverse(question: DnsQuestion, address: string): PluginAnswer {
    const names: string[] = [];
    for (const service of this.#services.byIndex(byAddress, address)) names.push(this.#serviceName(service));
    if (names.length === 0) {
      for (const slice of this.#slices.byIndex(byAddress, address)) {
        for (const { addresses, hostname } of slice.endpoints ?? []) {
          if (!addresses.includes(address)) continue;
          const [namespace, name] = serviceKeyOf(slice).split("/");
          if (name !== "") names.push(`${endpointLabel(address, hostname)}.${name}.${namespace}.svc.${this.#zone}`);
        }
      }
    }
    if (names.length === 0) return { kind: "next" };
    const records = question.type === "PTR" ? [...new Set(names)].map((name) => record(question.name, "PTR", name)) : [];
    return { kind: "records", records };
  }

  #serviceName(service: Stored<Service>): string {
    return `${service.metadata.name}.${service.metadata.namespace}.svc.${this.#zone}`;
  }
}

function record(name: string, type: string, data: string): DnsRecord {
  return { name, type, ttlSeconds, data };
}

function matches(wanted: string, present: string | undefined): boolean {
  return wanted === "" || asciiLowerCase(wanted) === asciiLowerCase(present ?? "");
}

function endpointLabel(address: string, hostname: string | undefined): string {
  return hostname !== undefined && hostname !== "" ? hostname : address.replaceAll(".", "-");
}

function serviceKeyOf(slice: Stored<EndpointSlice>): string {
  return `${slice.metadata.namespace ?? ""}/${slice.metadata.labels?.[serviceNameLabel] ?? ""}`;
}

function recordsOf(question: DnsQuestion, targets: readonly Target[], simulation: Simulation): readonly DnsRecord[] {
  if (question.type === "A") {
    const addresses = [...new Set(targets.map(({ address }) => address))].filter((address) => !address.includes(":"));
    return shuffled(addresses, simulation).map((address) => record(question.name, "A", address));
  }
  if (question.type === "AAAA") {
    const addresses = [...new Set(targets.map(({ address }) => address))].filter((address) => address.includes(":"));
    return addresses.map((address) => record(question.name, "AAAA", address));
  }
  if (question.type !== "SRV") return [];
  const answers = new Set<string>();
  const weight = Math.max(1, Math.floor(100 / targets.length));
  for (const { port, name } of targets) answers.add(`0 ${weight} ${port} ${name}`);
  return shuffled([...answers], simulation).map((data) => record(question.name, "SRV", data));
}

/** The loadbalance plugin: a random order for each answer. */
function shuffled(items: string[], simulation: Simulation): readonly string[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = simulation.random.below(last + 1);
    [items[last], items[other]] = [items[other] as string, items[last] as string];
  }
  return items;
}
