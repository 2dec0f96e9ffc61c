// One pass of the mirroring controller: a slice for each set of ports and family of addresses, no more than a thousand addresses of
// a subset (pkg/controller/endpointslicemirroring, reconciler.go).

import type {
  CoreV1EndpointPort,
  DiscoveryV1EndpointPort,
  Endpoint,
  EndpointAddress,
  EndpointSlice,
  Endpoints,
} from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Draft, keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext } from "../context.ts";
import { controllerReference } from "../ownership.ts";
import { portKey } from "./slice-plan.ts";

type Slice = Stored<EndpointSlice>;
type Family = "IPv4" | "IPv6";

/** `--mirroring-max-endpoints-per-subset` */
const maxAddresses = 1_000;

interface Desired {
  readonly family: Family;
  readonly ports: readonly DiscoveryV1EndpointPort[];
  /** By what tells them apart. */
  readonly endpoints: Map<string, Endpoint>;
}

/** `origin`: undefined where nothing is to be mirrored any more. */
export function mirrorEndpoints(
  context: ControllerContext,
  origin: Stored<Endpoints> | undefined,
  existing: readonly Slice[],
): void {
  const desired = origin === undefined ? [] : [...desiredSlices(context, origin).values()];
  const byKey = Map.groupBy(existing, ({ addressType, ports }) => sliceKey(addressType as Family, ports ?? []));
  const going: Slice[] = [];
  const coming: Desired[] = [];
  for (const one of desired) {
    const key = sliceKey(one.family, one.ports);
    const [first, ...rest] = byKey.get(key) ?? [];
    if (one.endpoints.size === 0) continue;
    byKey.delete(key);
    going.push(...rest);
    if (first === undefined) coming.push(one);
    else if (origin !== undefined && !isCurrent(origin, first, one)) update(context, origin, first, one);
  }
  going.push(...[...byKey.values()].flat());
  if (origin !== undefined) for (const one of coming) place(context, origin, one, going);
  for (const slice of going) remove(context, slice);
}

/** What goes is used for what comes. */
function place(context: ControllerContext, origin: Stored<Endpoints>, desired: Desired, going: Slice[]): void {
  const index = going.findIndex(({ addressType }) => addressType === desired.family);
  const [recycled] = index < 0 ? [] : going.splice(index, 1);
  if (recycled !== undefined) {
    update(context, origin, recycled, desired);
    return;
  }
  if (origin.metadata.deletionTimestamp !== undefined) return;
  const { namespace = "", name } = origin.metadata;
  const draft: Draft<EndpointSlice> = {
    metadata: { generateName: `${name}-`, namespace, ...ownMetadata(origin) },
    addressType: desired.family,
    ports: desired.ports,
    endpoints: [...desired.endpoints.values()].slice(0, maxAddresses),
  };
  try {
    context.client.create(kinds.endpointSlices, draft);
  } catch (error) {
    // The namespace is on its way out.
    if (!isReason(error, "Forbidden")) throw error;
  }
}

function update({ client }: ControllerContext, origin: Stored<Endpoints>, slice: Slice, { ports, endpoints }: Desired): void {
  const { labels: _labels, annotations: _annotations, ...kept } = slice.metadata;
  const content = { ports, endpoints: [...endpoints.values()].slice(0, maxAddresses) };
  client.update(kinds.endpointSlices, { ...slice, metadata: { ...kept, ...ownMetadata(origin) }, ...content });
}

function remove({ client }: ControllerContext, slice: Slice): void {
  try {
    client.delete(kinds.endpointSlices, splitKey(keyOf(slice)));
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
  }
}

const unmirrored = ["endpoints.kubernetes.io/last-change-trigger-time", "kubectl.kubernetes.io/last-applied-configuration"];

/** What a slice has of the Endpoints' metadata. */
function ownMetadata(origin: Stored<Endpoints>) {
  const { name, labels, annotations = {} } = origin.metadata;
  const mirrored = Object.entries(annotations).filter(([key]) => !unmirrored.includes(key));
  return {
    labels: {
      ...labels,
      "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io",
      "kubernetes.io/service-name": name,
    },
    ...(mirrored.length === 0 ? {} : { annotations: Object.fromEntries(mirrored) as { readonly [key: string]: string } }),
    ownerReferences: [controllerReference(origin)],
  };
}

function isCurrent(origin: Stored<Endpoints>, slice: Slice, { endpoints }: Desired): boolean {
  const { labels, annotations } = ownMetadata(origin);
  const found = new Map((slice.endpoints ?? []).map((endpoint) => [identity(endpoint), endpoint]));
  return (
    sameValue(labels, slice.metadata.labels) &&
    sameValue(annotations ?? {}, slice.metadata.annotations ?? {}) &&
    found.size === endpoints.size &&
    [...endpoints].every(([id, endpoint]) => sameValue(found.get(id), endpoint))
  );
}

function desiredSlices({ events }: ControllerContext, origin: Stored<Endpoints>): ReadonlyMap<string, Desired> {
  const slices = new Map<string, Desired>();
  let invalid = 0;
  let skipped = 0;
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of origin.subsets ?? []) {
    const all = [
      ...addresses.map((address) => ({ address, ready: true })),
      ...notReadyAddresses.map((address) => ({ address, ready: false })),
    ];
    let added = 0;
    for (const { address, ready } of all) {
      if (added === maxAddresses) break;
      const family = familyOf(address.ip);
      if (family === undefined) {
        invalid += 1;
        continue;
      }
      added += 1;
      const slicePorts = ports.map(slicePort);
      const key = sliceKey(family, slicePorts);
      const desired = slices.get(key) ?? { family, ports: slicePorts, endpoints: new Map<string, Endpoint>() };
      slices.set(key, desired);
      const endpoint = endpointOf(address, ready);
      desired.endpoints.set(identity(endpoint), endpoint);
    }
    skipped += all.length - added;
  }
  const subject = { kind: "Endpoints", apiVersion: "v1", metadata: origin.metadata };
  if (invalid > 0) {
    events.warning(subject, "InvalidIPAddress", `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`);
  }
  if (skipped > invalid) {
    const message = `A max of ${maxAddresses} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
    events.warning(subject, "TooManyAddressesToMirror", message);
  }
  return slices;
}

function familyOf(ip: string): Family | undefined {
  if (/^\d+(\.\d+){3}$/.test(ip)) return "IPv4";
  return ip.includes(":") ? "IPv6" : undefined;
}

function sliceKey(family: Family, ports: readonly DiscoveryV1EndpointPort[]): string {
  return `${family} ${portKey(ports)}`;
}

function slicePort({ name = "", port, protocol = "TCP", appProtocol }: CoreV1EndpointPort): DiscoveryV1EndpointPort {
  return { name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) };
}

function endpointOf({ ip, hostname = "", nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname === "" ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}

/** Endpoints that differ in these are not the same. */
function identity({ addresses, hostname, nodeName, targetRef }: Endpoint): string {
  return JSON.stringify([addresses, hostname ?? "", nodeName ?? "", targetRef?.namespace ?? "", targetRef?.name ?? ""]);
}
