import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Endpoints } from "#cluster/api/generated/types.ts";
import { endpoints as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../../columns.ts";
import { defineResource, type Typed } from "../../definition.ts";
import { changed, each, filled, withoutZero } from "../../filling.ts";
import { shortList } from "../../workload-cells.ts";
import { validateEndpoints } from "./endpoints-validation.ts";

export const endpoints = defineResource(type, {
  singular: "endpoints",
  shortNames: ["ep"],
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  defaults: (object) =>
    changed(object, "subsets", (subsets) =>
      each(subsets, (subset) =>
        changed(subset, "ports", (ports) => each(ports, (port) => filled(withoutZero(port, "protocol"), { protocol: "TCP" }))),
      ),
    ),
  createOnUpdate: true,
  validate: (object, errors) => validateEndpoints(object.subsets ?? [], errors),
  validateUpdate: (object, old, errors) => {
    if (!semanticDeepEqual(object.subsets, old.subsets)) validateEndpoints(object.subsets ?? [], errors);
  },
  columns: [nameColumn, column("Endpoints", ""), ageColumn],
  row: (object, context) => [nameCell(object), endpointsCell(object), ageCell(object, context)],
});

function endpointsCell(object: Typed<Endpoints>): string {
  const pairs = (object.subsets ?? []).flatMap(({ addresses = [], ports = [] }) => {
    if (ports.length === 0) return addresses.map(({ ip }) => ip);
    return ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port)));
  });
  return shortList(pairs, "<none>");
}

function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
