import type { IPAddress, ParentReference } from "#cluster/api/generated/types.ts";
import { ipAddresses as type } from "#cluster/api/kinds.ts";
import { dns1123SubdomainReasons } from "#cluster/api/names.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, goValue } from "../field-errors.ts";
import { pathSegmentName } from "../name-rules.ts";
import { validateUnchanged } from "../workload-validation.ts";
import { ipReasons } from "./ip-rules.ts";

const parentPath = field("spec", "parentRef");

export const ipAddresses = defineResource(type, {
  shortNames: ["ip"],
  nameRule: ipReasons,
  validate,
  validateUpdate: ({ spec }, old, errors) =>
    validateUnchanged(goValue(spec?.parentRef), goValue(old.spec?.parentRef), parentPath, errors),
  // Upstream's rows have an age, for which there is no column.
  columns: [nameColumn, column("ParentRef", "")],
  row: (address) => [nameCell(address), parentCell(address.spec?.parentRef)],
});

function validate({ spec }: Typed<IPAddress>, errors: FieldErrors): void {
  const parent = spec?.parentRef;
  if (parent === undefined) {
    errors.required(parentPath);
    return;
  }
  const { group = "", resource = "", name = "", namespace = "" } = parent;
  if (group !== "") for (const reason of dns1123SubdomainReasons(group)) errors.invalid(parentPath.child("group"), group, reason);
  for (const [part, value] of [
    ["resource", resource],
    ["name", name],
    ["namespace", namespace],
  ] as const) {
    if (value === "" && part !== "namespace") errors.required(parentPath.child(part));
    else for (const reason of pathSegmentName(value, false)) errors.invalid(parentPath.child(part), value, reason);
  }
}

function parentCell(parent: ParentReference | undefined): string {
  if (parent === undefined) return "<none>";
  const { group, resource = "", namespace, name = "" } = parent;
  return `${asciiLowerCase(group ? `${resource}.${group}` : resource)}${namespace ? `/${namespace}` : ""}/${name}`;
}
