// The addresses and ports of one write of a Service: remembers what it took, and what the old object no longer needs.

import { internalError, invalid } from "#cluster/api/errors.ts";
import type { ServicePort, ServiceSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import {
  allocatesNodePorts,
  needsHealthCheck,
  needsNodePort,
  nodePortsOf,
} from "#cluster/resources/core/services/service-facts.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import type { AddressRanges } from "./address-ranges.ts";
import type { AddressRecords } from "./address-records.ts";
import { withFamilies } from "./ip-families.ts";
import type { Pool } from "./pool.ts";

export interface Pools {
  readonly addresses: AddressRanges;
  readonly records: AddressRecords;
  readonly ports: Pool;
}

export class ServiceTransaction {
  readonly #pools: Pools;
  readonly #service: KubeObject;
  readonly #dryRun: boolean;
  readonly #takenAddresses: string[] = [];
  readonly #takenPorts: number[] = [];
  #freedAddresses: readonly string[] = [];
  readonly #freedPorts: number[] = [];

  constructor(pools: Pools, service: KubeObject, dryRun = false) {
    this.#pools = pools;
    this.#dryRun = dryRun;
    this.#service = service;
  }

  /** The spec with what was allocated; throws Invalid or InternalError. */
  run(spec: ServiceSpec, before: ServiceSpec | undefined): ServiceSpec {
    const placed = this.#withAddress(withFamilies(spec, before, this.#name), before);
    const reachable = needsNodePort(placed) ? this.#withNodePorts(placed, before) : placed;
    const result = this.#withHealthCheckPort(reachable, before);
    const kept = new Set(portsOf(result));
    for (const port of portsOf(before)) if (!kept.has(port)) this.#freedPorts.push(port);
    return result;
  }

  /** Writes down what was taken and gives back what is no longer needed. */
  commit(): void {
    for (const address of this.#takenAddresses) this.#pools.records.write(address, this.#service);
    this.#free(this.#freedAddresses, this.#freedPorts);
  }

  undo(): void {
    for (const address of this.#takenAddresses) this.#pools.addresses.release(address);
    for (const port of this.#takenPorts) this.#pools.ports.release(port);
    this.#takenAddresses.length = 0;
    this.#takenPorts.length = 0;
  }

  releaseAll(spec: ServiceSpec): void {
    this.#free(addressesOf(spec), portsOf(spec));
  }

  get #name(): string {
    return this.#service.metadata.name ?? "";
  }

  #free(addresses: readonly string[], ports: readonly number[]): void {
    for (const address of addresses) {
      this.#pools.addresses.release(address);
      this.#pools.records.remove(address);
    }
    for (const port of ports) this.#pools.ports.release(port);
  }

  #withAddress(spec: ServiceSpec, before: ServiceSpec | undefined): ServiceSpec {
    if (spec.type === "ExternalName") {
      this.#freedAddresses = addressesOf(before);
      return spec;
    }
    if (spec.clusterIPs?.[0] === "None") return spec;
    // Once a Service has, or has forgone, an address, that is not allocation's business but validation's.
    if (before !== undefined && before.type !== "ExternalName") return spec;
    const address = this.#takeAddress(spec.clusterIPs?.[0] ?? "");
    return { ...spec, clusterIP: address, clusterIPs: [address] };
  }

  #takeAddress(asked: string): string {
    const { addresses } = this.#pools;
    const address = asked === "" ? addresses.draw() : asked;
    if (address === undefined) throw internalError("failed to allocate a serviceIP: range is full");
    const why = asked === "" ? undefined : addresses.take(asked);
    if (why !== undefined) throw this.#invalidAddress(asked, why);
    this.#takenAddresses.push(address);
    return address;
  }

  #invalidAddress(address: string, why: string): Error {
    const errors = new FieldErrors();
    errors.invalid(field("spec", "clusterIPs"), [address], `failed to allocate IP ${address}: ${why}`);
    return invalid({ group: "", resource: "Service" }, this.#name, errors.causes);
  }

  /** Ports of one number, for TCP and UDP, share a node port; without allocation those that were asked for are respected. */
  #withNodePorts(spec: ServiceSpec, before: ServiceSpec | undefined): ServiceSpec {
    const ports = spec.ports ?? [];
    const allocates = allocatesNodePorts(spec);
    const held = new Set(before === undefined ? [] : nodePortsOf(before));
    const chosen = new Map<number, number>();
    for (const { port, nodePort } of ports) if (nodePort && !chosen.has(port)) chosen.set(port, nodePort);
    const result = ports.map((port, index) => this.#withNodePort(port, index, allocates, held, chosen));
    return result.every((port, index) => port === ports[index]) ? spec : { ...spec, ports: result };
  }

  #withNodePort(
    port: ServicePort,
    index: number,
    allocates: boolean,
    held: ReadonlySet<number>,
    chosen: Map<number, number>,
  ): ServicePort {
    if (port.nodePort) {
      if (!held.has(port.nodePort) && !this.#takenPorts.includes(port.nodePort)) {
        const why = this.#takePort(port.nodePort);
        if (why !== undefined) throw this.#invalidPort(port.nodePort, index, why);
      }
      return port;
    }
    if (!allocates) return port;
    const shared = chosen.get(port.port);
    if (shared !== undefined) {
      if (!held.has(shared) && !this.#takenPorts.includes(shared)) {
        const why = this.#takePort(shared);
        if (why !== undefined) throw this.#invalidPort(shared, index, why);
      }
      return { ...port, nodePort: shared };
    }
    const drawn = this.#drawPort("a nodePort");
    chosen.set(port.port, drawn);
    return { ...port, nodePort: drawn };
  }

  /** Why a port cannot be had; undefined when it is taken now. */
  #takePort(port: number): string | undefined {
    const { ports } = this.#pools;
    // A dry run does not ask for the range, upstream as here.
    if (!ports.contains(port)) {
      if (this.#dryRun) return undefined;
      return `provided port is not in the valid range. The range of valid ports is ${ports.first}-${ports.last}`;
    }
    if (!ports.take(port)) return "provided port is already allocated";
    this.#takenPorts.push(port);
    return undefined;
  }

  #invalidPort(port: number, index: number, why: string): Error {
    const errors = new FieldErrors();
    errors.invalid(field("spec", "ports").index(index).child("nodePort"), port, why);
    return invalid({ group: "", resource: "Service" }, this.#name, errors.causes);
  }

  #drawPort(what: string): number {
    const drawn = this.#pools.ports.draw();
    if (drawn === undefined) throw internalError(`failed to allocate ${what}: range is full`);
    this.#takenPorts.push(drawn);
    return drawn;
  }

  #withHealthCheckPort(spec: ServiceSpec, before: ServiceSpec | undefined): ServiceSpec {
    if (!needsHealthCheck(spec) || (before !== undefined && needsHealthCheck(before))) return spec;
    if (!spec.healthCheckNodePort) return { ...spec, healthCheckNodePort: this.#drawPort("a HealthCheck NodePort 0") };
    const why = this.#takePort(spec.healthCheckNodePort);
    if (why !== undefined) {
      throw internalError(`failed to allocate requested HealthCheck NodePort ${spec.healthCheckNodePort}: ${why}`);
    }
    return spec;
  }
}

function addressesOf(spec: ServiceSpec | undefined): readonly string[] {
  if (spec === undefined || spec.type === "ExternalName") return [];
  return (spec.clusterIPs ?? []).filter((address) => address !== "None" && address !== "");
}

function portsOf(spec: ServiceSpec | undefined): readonly number[] {
  if (spec === undefined) return [];
  const ports = needsNodePort(spec) ? nodePortsOf(spec) : [];
  return needsHealthCheck(spec) && spec.healthCheckNodePort ? [...ports, spec.healthCheckNodePort] : ports;
}
