import type { EndpointSlice } from "#cluster/api/generated/types.ts";
import { endpointSlices as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { changed, each, filled, withoutZero } from "../filling.ts";
import { shortList } from "../workload-cells.ts";

export const endpointSlices = defineResource(type, {
  generationFields: ["endpoints", "ports", "addressType"],
  defaults: (slice) =>
    changed(slice, "ports", (ports) => each(ports, (port) => filled(withoutZero(port, "protocol"), { name: "", protocol: "TCP" }))),
  columns: [nameColumn, column("AddressType", ""), column("Ports", ""), column("Endpoints", ""), ageColumn],
  row: (slice, context) => [
    nameCell(slice),
    slice.addressType,
    portsCell(slice),
    shortList(
      (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses),
      "<unset>",
    ),
    ageCell(slice, context),
  ],
});

function portsCell(slice: Typed<EndpointSlice>): string {
  const ports = (slice.ports ?? []).map(({ name, port }) => (port !== undefined ? String(port) : name || "*"));
  return shortList(ports, "<unset>");
}
