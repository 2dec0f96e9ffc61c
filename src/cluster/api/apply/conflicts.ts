// What the API server says when an applier would change fields that others own.

import { ApiError } from "../errors.ts";
import { compareBytes } from "../json-write.ts";
import { type FieldSet, pathsOf } from "./field-set.ts";
import type { Ownership } from "./managers.ts";

/** Fields that one manager owns and the applier would change. */
export interface Conflict {
  readonly owner: Ownership;
  readonly fields: FieldSet;
}

/** The 409 with one cause a field, managers sorted. */
export function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const found = [...conflicts]
    .sort((a, b) => compareBytes(identityText(a.owner), identityText(b.owner)))
    .map(({ owner, fields }) => ({ who: ownerText(owner), paths: pathsOf(fields) }));
  const causes = found.flatMap(({ who, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${who}`, field })),
  );
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: messageOf(found),
    reason: "Conflict",
    details: { causes },
    code: 409,
  });
}

function messageOf(found: readonly { readonly who: string; readonly paths: readonly string[] }[]): string {
  const count = found.reduce((sum, { paths }) => sum + paths.length, 0);
  const [first] = found;
  if (count === 1 && first !== undefined) return `Apply failed with 1 conflict: conflict with ${first.who}: ${first.paths[0]}`;
  const lines = found.flatMap(({ who, paths }) => [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)]);
  return `Apply failed with ${count} conflicts: ${lines.join("\n")}`;
}

function ownerText({ manager, operation, apiVersion, subresource }: Ownership): string {
  const name = JSON.stringify(manager) + (subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

/** The text that upstream keys managers by, and sorts them by. */
function identityText({ manager, operation, apiVersion, subresource }: Ownership): string {
  return JSON.stringify({
    manager,
    operation,
    ...(operation === "Update" ? { apiVersion } : {}),
    ...(subresource === "" ? {} : { subresource }),
  });
}
