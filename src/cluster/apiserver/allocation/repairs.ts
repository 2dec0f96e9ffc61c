// What the API server does about a Service whose IPAddress is missing or somebody else's, and about an IPAddress that belongs to no
// Service. IPAddresses that somebody else manages are let be (pkg/registry/core/service/ipallocator/controller, repairip.go).

import type { IPAddress, Service } from "#cluster/api/generated/types.ts";
import { type IpAddress, inRange, isIpv6, parseCidr, parseIp } from "#cluster/api/ip-text.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type KubeObject, qualifiedResource, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";
import { isReason } from "#cluster/client/retry.ts";
import { SeriesRecorder } from "#cluster/client/series-recorder.ts";
import { attemptWrite } from "../own-writes.ts";
import { familyLabel, labelsOf, managerLabel } from "./address-records.ts";
import type { RepairOptions } from "./address-repair.ts";

const controller = "ipallocator-repair-controller";
/** A Service may still be on its way to the store: as long as a request lasts at most. */
const graceMs = 60_000;
const recorders = new WeakMap<RepairOptions, SeriesRecorder>();

export function repairAll(options: RepairOptions): void {
  for (const { metadata } of all(options, kinds.services)) repairService(options, `${metadata.namespace}/${metadata.name}`);
  for (const { metadata } of all(options, kinds.ipAddresses)) repairAddress(options, metadata.name);
}

/** `key`: `namespace/name`. */
export function repairService(options: RepairOptions, key: string): void {
  const service = find(options, kinds.services, key);
  if (service === undefined) return;
  const { type, clusterIPs = [] } = service.spec ?? {};
  const { namespace = "", name } = service.metadata;
  if (type === "ExternalName") return;
  const warn = (reason: string, note: string): void => tell(options, service, reason, "ClusterIPAllocation", note);
  for (const clusterIp of clusterIPs) {
    const parsed = parseIp(clusterIp);
    if (parsed === undefined) continue;
    const family = isIpv6(parsed) ? "IPv6" : "IPv4";
    if (!isInRange(options, parsed)) {
      warn(
        "ClusterIPOutOfRange",
        `Cluster IP [${family}]: ${clusterIp} is not within any configured Service CIDR; please recreate service`,
      );
      continue;
    }
    const address = find(options, kinds.ipAddresses, clusterIp);
    if (address === undefined) {
      warn("ClusterIPNotAllocated", `Cluster IP [${family}]: ${clusterIp} is not allocated; repairing`);
      attemptWrite(options.simulation, () => create(options, clusterIp, service));
      continue;
    }
    const other = parentOf(options, address);
    const isOwn = other?.metadata.namespace === namespace && other.metadata.name === name;
    if (other === undefined) {
      warn(
        "ClusterIPNotAllocated",
        `the ClusterIP [${family}]: ${clusterIp} for Service ${namespace}/${name} has a wrong reference; repairing`,
      );
      recreate(options, clusterIp, service);
    } else if (!isOwn && other.spec?.clusterIPs?.includes(clusterIp) === true) {
      warn(
        "ClusterIPAlreadyAllocated",
        `Cluster IP [${family}]:${clusterIp} was assigned to multiple services; please recreate service`,
      );
    } else if (address.metadata.labels?.[familyLabel] !== family || !isManaged(address)) recreate(options, clusterIp, service);
  }
}

export function repairAddress(options: RepairOptions, name: string): void {
  const address = find(options, kinds.ipAddresses, name);
  if (address === undefined || !isManaged(address)) return;
  const parent = address.spec?.parentRef ?? {};
  const { group = "", resource = "", namespace = "", name: parentName = "" } = parent;
  const cleanUp = (reason: string, note: string): void => {
    tell(options, address, reason, "IPAddressAllocation", `${note}: cleaning up`);
    attemptWrite(options.simulation, () => remove(options, name));
  };
  if (group !== "" || resource !== "services") {
    const shown = `&ParentReference{Group:${group},Resource:${resource},Namespace:${namespace},Name:${parentName},}`;
    cleanUp("IPAddressNotAllocated", `IPAddress ${name} appears to have been modified, not referencing a Service ${shown}`);
    return;
  }
  const service = parentOf(options, address);
  if (service === undefined) {
    const leftMs = parseTime(address.metadata.creationTimestamp ?? "") + graceMs - options.simulation.nowMs;
    if (leftMs > 0) options.simulation.after(leftMs, () => repairAddress(options, name), { background: true });
    else cleanUp("IPAddressNotAllocated", `IPAddress: ${name} for Service ${namespace}/${parentName} appears to have leaked`);
  } else if (service.spec?.clusterIPs?.includes(name) !== true) {
    tell(
      options,
      address,
      "IPAddressWrongReference",
      "IPAddressAllocation",
      `IPAddress: ${name} for Service ${namespace}/${parentName} has a wrong reference; cleaning up`,
    );
    attemptWrite(options.simulation, () => remove(options, name));
  }
}

/** The Service that an IPAddress names, if there is one. */
function parentOf(options: RepairOptions, { spec }: Stored<IPAddress>): Stored<Service> | undefined {
  const { group = "", resource = "", namespace = "", name = "" } = spec?.parentRef ?? {};
  if (group !== "" || resource !== "services") return undefined;
  return find(options, kinds.services, `${namespace}/${name}`);
}

function isManaged({ metadata }: Stored<IPAddress>): boolean {
  return metadata.labels?.[managerLabel] === labelsOf("IPv4")[managerLabel];
}

/** Ranges that are going count, too. */
function isInRange(options: RepairOptions, address: IpAddress): boolean {
  const cidrs = all(options, kinds.serviceCidrs).flatMap(({ spec }) => spec?.cidrs ?? []);
  return cidrs.some((cidr) => {
    const part = parseCidr(cidr);
    return part !== undefined && inRange(address, part);
  });
}

function recreate(options: RepairOptions, address: string, service: Stored<Service>): void {
  attemptWrite(options.simulation, () => {
    remove(options, address);
    create(options, address, service);
  });
}

function create({ client }: RepairOptions, address: string, { metadata }: Stored<Service>): void {
  const { namespace = "", name } = metadata;
  const labels = labelsOf(address.includes(":") ? "IPv6" : "IPv4");
  client.create(kinds.ipAddresses, {
    metadata: { name: address, labels },
    spec: { parentRef: { resource: "services", namespace, name } },
  });
}

function remove({ client }: RepairOptions, name: string): void {
  try {
    client.delete(kinds.ipAddresses, { namespace: "", name });
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
  }
}

function tell(
  options: RepairOptions,
  subject: Stored<Service> | Stored<IPAddress>,
  reason: string,
  action: string,
  note: string,
): void {
  let recorder = recorders.get(options);
  if (recorder === undefined) {
    recorder = new SeriesRecorder(options.simulation, options.client, controller, `${controller}-${options.hostname}`);
    recorders.set(options, recorder);
  }
  recorder.record(subject, { type: "Warning", reason, action, note });
}

function find<T>({ store }: RepairOptions, type: ResourceType<T>, key: string): Stored<T> | undefined {
  return store.table(qualifiedResource(type)).get(key) as KubeObject | undefined as Stored<T> | undefined;
}

function all<T>({ store }: RepairOptions, type: ResourceType<T>): readonly Stored<T>[] {
  return store.table(qualifiedResource(type)).list("") as readonly KubeObject[] as readonly Stored<T>[];
}
