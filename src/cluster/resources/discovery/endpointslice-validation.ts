// What an EndpointSlice must be (pkg/apis/discovery/validation).

import type { DiscoveryV1EndpointPort, Endpoint, EndpointSlice } from "#cluster/api/generated/types.ts";
import { isIpv6, isPlainIpv4, parseIp } from "#cluster/api/ip-text.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons, labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { subdomainName } from "../name-rules.ts";
import { validateEndpointIp, validateLegacyIp } from "../networking/ip-rules.ts";

const addressTypes = ["FQDN", "IPv4", "IPv6"];
const protocols = ["SCTP", "TCP", "UDP"];
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxHints = 8;
/** First numbers of the ranges that endpoints may not be in. */
const specialIpv4 = /^(?:0\.|127\.|169\.254\.|224\.)/;

/** Of an update only what changed is looked at. */
export function validateEndpointSlice(slice: Typed<EndpointSlice>, errors: FieldErrors, old?: Typed<EndpointSlice>): void {
  const { addressType = "", endpoints, ports } = slice;
  if (addressType === "") errors.required(field("addressType"));
  else if (!addressTypes.includes(addressType)) errors.notSupported(field("addressType"), addressType, addressTypes);
  if (endpoints !== undefined && endpoints !== old?.endpoints) validateEndpoints(endpoints, addressType, errors);
  if (ports !== undefined && ports !== old?.ports) validatePorts(ports, errors);
}

function validateEndpoints(endpoints: readonly Endpoint[], addressType: string, errors: FieldErrors): void {
  const path = field("endpoints");
  if (endpoints.length > maxEndpoints) {
    errors.tooMany(path, endpoints.length, maxEndpoints);
    return;
  }
  for (let index = 0; index < endpoints.length; index += 1) {
    const endpoint = endpoints[index] as Endpoint;
    validateAddresses(endpoint.addresses ?? [], addressType, path, index, errors);
    const { nodeName, hostname, hints } = endpoint;
    const at = path.index(index);
    if (nodeName !== undefined) {
      for (const reason of subdomainName(nodeName, false)) errors.invalid(at.child("nodeName"), nodeName, reason);
    }
    if (hostname !== undefined) {
      for (const reason of dns1123LabelReasons(hostname)) errors.invalid(at.child("hostname"), hostname, reason);
    }
    if (hints === undefined) continue;
    validateHints(hints.forZones ?? [], labelValueReasons, at.child("hints", "forZones"), errors);
    validateHints(hints.forNodes ?? [], (name) => subdomainName(name, false), at.child("hints", "forNodes"), errors);
  }
}

function validateAddresses(addresses: readonly string[], type: string, path: Path, index: number, errors: FieldErrors): void {
  if (type === "IPv4" && addresses.length === 1) {
    // What nearly all slices are made of.
    const only = addresses[0] as string;
    if (isPlainIpv4(only) && !specialIpv4.test(only)) return;
  }
  const at = path.index(index).child("addresses");
  if (addresses.length === 0) errors.required(at, "must contain at least 1 address");
  else if (addresses.length > maxAddresses) errors.tooMany(at, addresses.length, maxAddresses);
  for (const [position, address] of addresses.entries()) {
    if (type === "IPv4" || type === "IPv6") validateAddress(address, type, at, position, errors);
    else if (type === "FQDN") validateDomainName(address, at.index(position), errors);
  }
}

function validateAddress(address: string, family: "IPv4" | "IPv6", at: Path, position: number, errors: FieldErrors): void {
  const parsed = parseIp(address);
  const path = at.index(position);
  if (validateLegacyIp(address, path, errors) && parsed !== undefined && isIpv6(parsed) !== (family === "IPv6")) {
    errors.invalid(at, address, `must be an ${family} address`);
  }
  validateEndpointIp(address, path, errors);
}

/** At least two labels; a final dot is allowed. */
function validateDomainName(value: string, path: Path, errors: FieldErrors): void {
  if (value === "") {
    errors.required(path);
    return;
  }
  const name = value.replace(/\.$/, "");
  const reasons = dns1123SubdomainReasons(name);
  const labels = name.split(".");
  const faulty = labels.find((label) => dns1123LabelReasons(label).length > 0);
  if (reasons.length > 0) errors.invalid(path, name, reasons.join(","));
  else if (labels.length < 2) errors.invalid(path, name, "should be a domain with at least two segments separated by dots");
  else if (faulty !== undefined) errors.invalid(path, faulty, dns1123LabelReasons(faulty).join(","));
}

function validatePorts(ports: readonly DiscoveryV1EndpointPort[], errors: FieldErrors): void {
  const path = field("ports");
  if (ports.length > maxPorts) {
    errors.tooMany(path, ports.length, maxPorts);
    return;
  }
  const names = new Set<string>();
  for (const [index, { name = "", protocol, appProtocol }] of ports.entries()) {
    const at = path.index(index);
    if (name !== "") for (const reason of dns1123LabelReasons(name)) errors.invalid(at.child("name"), name, reason);
    if (names.has(name)) errors.duplicate(at.child("name"), name);
    names.add(name);
    if (protocol === undefined) errors.required(at.child("protocol"));
    else if (!protocols.includes(protocol)) errors.notSupported(at.child("protocol"), protocol, protocols);
    if (appProtocol !== undefined) {
      for (const reason of qualifiedNameReasons(appProtocol)) errors.invalid(at.child("appProtocol"), appProtocol, reason);
    }
  }
}

function validateHints(
  hints: readonly { readonly name: string }[],
  reasonsOf: (name: string) => readonly string[],
  path: Path,
  errors: FieldErrors,
): void {
  if (hints.length > maxHints) {
    errors.tooMany(path, hints.length, maxHints);
    return;
  }
  const names = new Set<string>();
  for (const [index, { name }] of hints.entries()) {
    const at = path.index(index).child("name");
    if (names.has(name)) errors.duplicate(at, name);
    names.add(name);
    for (const reason of reasonsOf(name)) errors.invalid(at, name, reason);
  }
}
