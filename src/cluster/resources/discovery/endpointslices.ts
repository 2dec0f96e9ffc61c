import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Endpoint, EndpointSlice } from "#cluster/api/generated/types.ts";
import { endpointSlices as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { field } from "../field-errors.ts";
import { changed, each, filled } from "../filling.ts";
import { ipWarnings } from "../networking/ip-rules.ts";
import { shortList } from "../workload-cells.ts";
import { validateUnchanged } from "../workload-validation.ts";
import { validateEndpointSlice } from "./endpointslice-validation.ts";

/** Their addresses are in order, so nobody looks at them twice. */
const ownControllers = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];

export const endpointSlices = defineResource(type, {
  generationFields: ["endpoints", "ports", "addressType"],
  defaults: (slice) => changed(slice, "ports", (ports) => each(ports, (port) => filled(port, { name: "", protocol: "TCP" }))),
  prepareForCreate: withoutTopology,
  prepareForUpdate: (slice, old) => {
    const prepared = slice.endpoints === old.endpoints ? slice : withoutTopology(slice);
    const { metadata } = prepared;
    if (semanticDeepEqual(metadata.labels, old.metadata.labels)) return prepared;
    // Labels of slices mean something: their change counts.
    return { ...prepared, metadata: { ...metadata, generation: Number(old.metadata.generation ?? 0) + 1 } };
  },
  validate: (slice, errors) => validateEndpointSlice(slice, errors),
  validateUpdate: (slice, old, errors) => {
    validateEndpointSlice(slice, errors, old);
    validateUnchanged(slice.addressType, old.addressType, field("addressType"), errors);
  },
  warnings: (slice, old) => [
    ...(old === undefined && slice.addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
    ...addressWarnings(slice),
  ],
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

/** A field of v1beta1 that v1 does not take. */
function withoutTopology<S extends Typed<EndpointSlice>>(slice: S): S {
  return changed(slice, "endpoints", (endpoints) => each(endpoints, endpointWithoutTopology) as NonNullable<S["endpoints"]>);
}

function endpointWithoutTopology(endpoint: Endpoint): Endpoint {
  if (endpoint.deprecatedTopology === undefined) return endpoint;
  const { deprecatedTopology: _topology, ...rest } = endpoint;
  return rest;
}

function addressWarnings({ metadata, endpoints = [] }: Typed<EndpointSlice>): readonly string[] {
  if (ownControllers.includes(metadata.labels?.["endpointslice.kubernetes.io/managed-by"] ?? "")) return [];
  const path = field("endpoints");
  return endpoints.flatMap(({ addresses }, index) =>
    addresses.flatMap((address, position) => ipWarnings(path.index(index).child("addresses").index(position), address)),
  );
}

function portsCell(slice: Typed<EndpointSlice>): string {
  const ports = (slice.ports ?? []).map(({ name, port }) => (port !== undefined ? String(port) : (name ?? "*")));
  return shortList(ports, "<unset>");
}
