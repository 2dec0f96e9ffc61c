// Cluster IPs and node ports of Services: given out when a Service is made or changes its type, taken back when it goes
// or when the write fails (registry/core/service/storage/alloc).

import { internalError, invalid } from "#cluster/api/errors.ts";
import type { ServicePort, ServiceSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import type { Random } from "#sim/random.ts";
import { IpRange, parseIpv4 } from "./ip-range.ts";
import { Pool } from "./pool.ts";

const firstNodePort = 30_000;
const nodePortCount = 2768;
/** Kept for those who ask for a number. */
const reservedNodePorts = 86;

/** What a write reserved: kept when the write succeeds, given back when it fails. */
export interface Allocation {
  readonly object: KubeObject;
  keep(): void;
  release(): void;
}

export class ServiceAllocators {
  readonly #range: IpRange;
  readonly #addresses: Pool;
  readonly #ports: Pool;

  constructor(cidr: string, random: Random) {
    this.#range = new IpRange(cidr);
    this.#addresses = new Pool({ first: 0, size: this.#range.usable, reserved: this.#range.reserved, random });
    this.#ports = new Pool({ first: firstNodePort, size: nodePortCount, reserved: reservedNodePorts, random });
  }

  /** The address of the Service `kubernetes`. */
  get firstAddress(): string {
    return this.#range.at(0);
  }

  beginCreate(definition: ResourceDefinition, object: KubeObject, dryRun: boolean): Allocation {
    if (!isService(definition)) return untouched(object);
    return this.#allocate(object, undefined, dryRun);
  }

  beginUpdate(definition: ResourceDefinition, object: KubeObject, old: KubeObject, dryRun: boolean): Allocation {
    if (!isService(definition) || object["spec"] === old["spec"]) return untouched(object);
    return this.#allocate(object, old, dryRun);
  }

  /** A Service is gone. */
  released(definition: ResourceDefinition, object: KubeObject): void {
    if (!isService(definition)) return;
    const spec = specOf(object);
    for (const address of addressesOf(spec)) this.#addresses.release(this.#offset(address));
    for (const port of portsOf(spec)) this.#ports.release(port);
  }

  #allocate(object: KubeObject, old: KubeObject | undefined, dryRun: boolean): Allocation {
    const transaction = new Transaction(this.#range, this.#addresses, this.#ports, object.metadata.name ?? "");
    try {
      const before = old === undefined ? undefined : specOf(old);
      const spec = transaction.ports(transaction.addresses(specOf(object), before), before);
      return {
        object: spec === object["spec"] ? object : { ...object, spec },
        keep: () => (dryRun ? transaction.undo() : transaction.commit()),
        release: () => transaction.undo(),
      };
    } catch (error) {
      transaction.undo();
      throw error;
    }
  }

  #offset(address: string): number {
    return (parseIpv4(address) ?? 0) - (parseIpv4(this.#range.at(0)) ?? 0);
  }
}

/** Remembers what it took and what the old object no longer needs. */
class Transaction {
  readonly #range: IpRange;
  readonly #addressPool: Pool;
  readonly #portPool: Pool;
  readonly #name: string;
  readonly #takenAddresses: number[] = [];
  readonly #takenPorts: number[] = [];
  readonly #freedAddresses: number[] = [];
  readonly #freedPorts: number[] = [];

  constructor(range: IpRange, addressPool: Pool, portPool: Pool, name: string) {
    this.#range = range;
    this.#addressPool = addressPool;
    this.#portPool = portPool;
    this.#name = name;
  }

  addresses(spec: ServiceSpec, before: ServiceSpec | undefined): ServiceSpec {
    if (spec.type === "ExternalName") {
      for (const address of addressesOf(before)) this.#freedAddresses.push(this.#offset(address));
      const { clusterIP: _clusterIP, clusterIPs: _clusterIPs, ipFamilies: _families, ipFamilyPolicy: _policy, ...rest } = spec;
      return rest;
    }
    const families = spec.ipFamilies ?? ["IPv4"];
    const common = { ipFamilies: families, ipFamilyPolicy: spec.ipFamilyPolicy ?? "SingleStack" };
    const asked = spec.clusterIP || spec.clusterIPs?.[0] || (before?.type === "ExternalName" ? "" : before?.clusterIP) || "";
    if (asked === "None") return { ...spec, ...common, clusterIP: "None", clusterIPs: spec.clusterIPs ?? ["None"] };
    const address = asked !== "" && asked === before?.clusterIP ? asked : this.#takeAddress(asked);
    return { ...spec, ...common, clusterIP: address, clusterIPs: [address] };
  }

  ports(spec: ServiceSpec, before: ServiceSpec | undefined): ServiceSpec {
    const wanted = spec.type === "NodePort" || (spec.type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts !== false);
    const held = new Set(portsOf(before));
    const used = new Set<string>();
    const ports = (spec.ports ?? []).map((port, index) => this.#nodePort(port, index, wanted, held, used));
    const result = ports.some((port, index) => port !== spec.ports?.[index]) ? { ...spec, ports } : spec;
    const healthCheck = this.#healthCheckPort(result, before, held);
    const kept = new Set(portsOf(healthCheck));
    for (const port of held) if (!kept.has(port)) this.#freedPorts.push(port);
    return healthCheck;
  }

  commit(): void {
    for (const offset of this.#freedAddresses) this.#addressPool.release(offset);
    for (const port of this.#freedPorts) this.#portPool.release(port);
  }

  undo(): void {
    for (const offset of this.#takenAddresses) this.#addressPool.release(offset);
    for (const port of this.#takenPorts) this.#portPool.release(port);
    this.#takenAddresses.length = 0;
    this.#takenPorts.length = 0;
  }

  #takeAddress(asked: string): string {
    if (asked === "") {
      const offset = this.#addressPool.draw();
      if (offset === undefined) throw internalError(`failed to allocate a serviceIP: range is full`);
      this.#takenAddresses.push(offset);
      return this.#range.at(offset);
    }
    // What is no address at all is validation's business.
    if (parseIpv4(asked) === undefined) return asked;
    if (!this.#range.contains(asked)) {
      throw this.#invalidAddress(asked, `failed to allocate IP ${asked}: the provided network does not match the current range`);
    }
    const offset = this.#offset(asked);
    if (!this.#addressPool.take(offset))
      throw this.#invalidAddress(asked, `failed to allocate IP ${asked}: provided IP is already allocated`);
    this.#takenAddresses.push(offset);
    return asked;
  }

  #invalidAddress(address: string, detail: string): Error {
    const errors = new FieldErrors();
    errors.invalid(field("spec", "clusterIPs"), [address], detail);
    return invalid({ group: "", resource: "Service" }, this.#name, errors.causes);
  }

  #nodePort(port: ServicePort, index: number, wanted: boolean, held: ReadonlySet<number>, used: Set<string>): ServicePort {
    if (port.nodePort) {
      if (!wanted) return port;
      const key = `${port.protocol}/${port.nodePort}`;
      const mine = held.has(port.nodePort) || this.#takenPorts.includes(port.nodePort);
      if (!mine || used.has(key)) this.#takePort(port.nodePort, index);
      used.add(key);
      return port;
    }
    if (!wanted) return port;
    // TCP and UDP of the same port share a number.
    const drawn = this.#portPool.draw();
    if (drawn === undefined) throw internalError("failed to allocate a nodePort: range is full");
    this.#takenPorts.push(drawn);
    return { ...port, nodePort: drawn };
  }

  #takePort(port: number, index: number): void {
    const errors = new FieldErrors();
    const path = field("spec", "ports").index(index).child("nodePort");
    const last = firstNodePort + nodePortCount - 1;
    if (port < firstNodePort || port > last) {
      errors.invalid(path, port, `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${last}`);
    } else if (!this.#portPool.take(port)) errors.invalid(path, port, "provided port is already allocated");
    if (!errors.isEmpty) throw invalid({ group: "", resource: "Service" }, this.#name, errors.causes);
    this.#takenPorts.push(port);
  }

  #healthCheckPort(spec: ServiceSpec, before: ServiceSpec | undefined, held: ReadonlySet<number>): ServiceSpec {
    const needed = spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
    if (!needed || spec.healthCheckNodePort) {
      if (needed && spec.healthCheckNodePort && !held.has(spec.healthCheckNodePort)) this.#takePort(spec.healthCheckNodePort, 0);
      return spec;
    }
    if (before?.healthCheckNodePort) return { ...spec, healthCheckNodePort: before.healthCheckNodePort };
    const drawn = this.#portPool.draw();
    if (drawn === undefined) throw internalError("failed to allocate a healthCheckNodePort: range is full");
    this.#takenPorts.push(drawn);
    return { ...spec, healthCheckNodePort: drawn };
  }

  #offset(address: string): number {
    return (parseIpv4(address) ?? 0) - (parseIpv4(this.#range.at(0)) ?? 0);
  }
}

function isService(definition: ResourceDefinition): boolean {
  return definition.kind === "Service" && definition.group === "";
}

function untouched(object: KubeObject): Allocation {
  return { object, keep: nothingToDo, release: nothingToDo };
}

function specOf(object: KubeObject): ServiceSpec {
  return (object["spec"] ?? {}) as ServiceSpec;
}

function addressesOf(spec: ServiceSpec | undefined): readonly string[] {
  if (spec === undefined || spec.type === "ExternalName") return [];
  return (spec.clusterIPs ?? []).filter((address) => address !== "None" && address !== "");
}

function portsOf(spec: ServiceSpec | undefined): readonly number[] {
  const ports = (spec?.ports ?? []).flatMap((port) => (port.nodePort ? [port.nodePort] : []));
  return spec?.healthCheckNodePort ? [...ports, spec.healthCheckNodePort] : ports;
}

function nothingToDo(): void {}
