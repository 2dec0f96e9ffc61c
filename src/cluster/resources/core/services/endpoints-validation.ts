// What Endpoints must be (pkg/apis/core/validation: validateEndpointSubsets).

import type { CoreV1EndpointPort, EndpointAddress, EndpointSubset } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, portNumberReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";
import { subdomainName } from "../../name-rules.ts";
import { validateEndpointIp, validateLegacyIp } from "../../networking/ip-rules.ts";

const protocols = ["SCTP", "TCP", "UDP"];

export function validateEndpoints(subsets: readonly EndpointSubset[], errors: FieldErrors): void {
  for (const [index, { addresses = [], notReadyAddresses = [], ports = [] }] of subsets.entries()) {
    const path = field("subsets").index(index);
    if (addresses.length + notReadyAddresses.length === 0) {
      errors.required(path, "must specify `addresses` or `notReadyAddresses`");
    }
    for (const [at, address] of addresses.entries()) validateAddress(address, path.child("addresses").index(at), errors);
    for (const [at, address] of notReadyAddresses.entries()) {
      validateAddress(address, path.child("notReadyAddresses").index(at), errors);
    }
    for (const [at, port] of ports.entries()) validatePort(port, ports.length > 1, path.child("ports").index(at), errors);
  }
}

function validateAddress({ ip, hostname, nodeName }: EndpointAddress, path: Path, errors: FieldErrors): void {
  validateLegacyIp(ip, path.child("ip"), errors);
  if (hostname) for (const reason of dns1123LabelReasons(hostname)) errors.invalid(path.child("hostname"), hostname, reason);
  if (nodeName !== undefined) {
    for (const reason of subdomainName(nodeName, false)) errors.invalid(path.child("nodeName"), nodeName, reason);
  }
  validateEndpointIp(ip, path.child("ip"), errors);
}

function validatePort(port: CoreV1EndpointPort, needsName: boolean, path: Path, errors: FieldErrors): void {
  const { name = "", protocol = "", appProtocol } = port;
  if (name !== "") for (const reason of dns1123LabelReasons(name)) errors.invalid(path.child("name"), name, reason);
  else if (needsName) errors.required(path.child("name"));
  for (const reason of portNumberReasons(port.port)) errors.invalid(path.child("port"), port.port, reason);
  if (protocol === "") errors.required(path.child("protocol"));
  else if (!protocols.includes(protocol)) errors.notSupported(path.child("protocol"), protocol, protocols);
  if (appProtocol !== undefined) {
    for (const reason of qualifiedNameReasons(appProtocol)) errors.invalid(path.child("appProtocol"), appProtocol, reason);
  }
}
