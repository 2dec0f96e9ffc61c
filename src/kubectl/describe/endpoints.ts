// Endpoints and EndpointSlices.

import type { EndpointSlice, Endpoints } from "#cluster/api/generated/types.ts";
import { describeHead, withEvents } from "./from-object.ts";

const unset = "<unset>";

export const describeEndpoints = withEvents<Endpoints>((out, endpoints) => {
  describeHead(out, endpoints);
  out.line("Subsets:");
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of endpoints.subsets ?? []) {
    out.field("Addresses", addresses.map(({ ip }) => ip).join(",") || "<none>", 1);
    out.field("NotReadyAddresses", notReadyAddresses.map(({ ip }) => ip).join(",") || "<none>", 1);
    if (ports.length > 0) {
      out.line("Ports:", 1);
      out.line("Name\tPort\tProtocol", 2);
      out.line("----\t----\t--------", 2);
      for (const { name, port, protocol = "" } of ports) out.line(`${name || unset}\t${port}\t${protocol}`, 2);
    }
    out.line("");
  }
});

export const describeEndpointSlice = withEvents<EndpointSlice>((out, slice) => {
  describeHead(out, slice);
  out.field("AddressType", slice.addressType);
  const ports = slice.ports ?? [];
  if (ports.length === 0) out.line("Ports: <unset>");
  else {
    out.line("Ports:");
    out.line("Name\tPort\tProtocol", 1);
    out.line("----\t----\t--------", 1);
    for (const { name, port, protocol = "" } of ports) out.line(`${name || unset}\t${port ?? unset}\t${protocol}`, 1);
  }
  const endpoints = slice.endpoints ?? [];
  if (endpoints.length === 0) return out.line("Endpoints: <none>");
  out.line("Endpoints:");
  for (const { addresses, conditions, hostname, targetRef, nodeName, zone } of endpoints) {
    out.field("- Addresses", addresses.join(", ") || "<none>", 1);
    out.line("Conditions:", 2);
    out.field("Ready", conditions?.ready ?? unset, 3);
    out.field("Hostname", hostname ?? unset, 2);
    if (targetRef !== undefined) out.field("TargetRef", `${targetRef.kind ?? ""}/${targetRef.name ?? ""}`, 2);
    out.field("NodeName", nodeName ?? unset, 2);
    out.field("Zone", zone ?? unset, 2);
  }
});
