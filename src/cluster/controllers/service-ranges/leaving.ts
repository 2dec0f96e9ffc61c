// When a ServiceCIDR that is being deleted may go (pkg/controller/servicecidrs: canDeleteCIDR; pkg/api/servicecidr).

import type { IPAddress, ServiceCIDR } from "#cluster/api/generated/types.ts";
import { formatIp, type IpAddress, type IpRangeText, inRange, isIpv6, masked, parseCidr, parseIp } from "#cluster/api/ip-text.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";
import type { ControllerContext } from "../context.ts";
import type { Requeue } from "../controller.ts";
import { holdRange, rangeFinalizer, sayReady } from "./service-cidr-controller.ts";

/** So long a range stays that may go: by then every API server knows that it is going, and gives out nothing of it. */
const graceMs = 10_000;
const stillUsed = "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR";

/** Takes the finalizer from a range when the time has come; `ranges` are all there are, itself among them. */
export function leave(
  context: ControllerContext,
  range: Stored<ServiceCIDR>,
  ranges: Iterable<Stored<ServiceCIDR>>,
  addresses: Iterable<Stored<IPAddress>>,
): Requeue | undefined {
  const { deletionTimestamp = "", finalizers = [], name } = range.metadata;
  const others = [...ranges].filter(({ metadata }) => metadata.name !== name).flatMap(partsOf);
  if (!isCovered(partsOf(range), others, addresses)) {
    sayReady(context, range, "False", "Terminating", stillUsed);
    return undefined;
  }
  const requeueAfterMs = parseTime(deletionTimestamp) + graceMs - context.simulation.nowMs;
  if (requeueAfterMs > 0) return { requeueAfterMs };
  const further = finalizers.filter((one) => one !== rangeFinalizer);
  if (further.length < finalizers.length) holdRange(context, range, further);
  return undefined;
}

/** Whether the others have room for all that a range gives: for the whole of it, or for every address that was taken from it. */
function isCovered(own: readonly IpRangeText[], others: readonly IpRangeText[], addresses: Iterable<Stored<IPAddress>>): boolean {
  if (own.every((part) => others.some((other) => other.prefix <= part.prefix && inRange(part.address, other)))) return true;
  for (const { metadata } of addresses) {
    if (metadata.labels?.["ipaddress.kubernetes.io/managed-by"] !== "ipallocator.k8s.io") continue;
    const address = parseIp(metadata.name);
    if (address === undefined) continue;
    const isGiven = (range: IpRangeText): boolean => gives(range, address);
    if (own.some(isGiven) && !others.some(isGiven)) return false;
  }
  return true;
}

/** A range gives neither its first address nor, of IPv4, its last. */
function gives(range: IpRangeText, address: IpAddress): boolean {
  if (!inRange(address, range) || isFirst(address, range)) return false;
  const mirrored = { ...address, bytes: address.bytes.map((byte) => byte ^ 0xff) };
  return isIpv6(address) || !isFirst(mirrored, range);
}

function isFirst(address: IpAddress, { prefix }: IpRangeText): boolean {
  return formatIp(masked(address, prefix)) === formatIp(address);
}

function partsOf({ spec }: Stored<ServiceCIDR>): readonly IpRangeText[] {
  return (spec?.cidrs ?? []).flatMap((cidr) => parseCidr(cidr) ?? []);
}
