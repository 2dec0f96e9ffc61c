import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { ResourceV1ResourceClaim } from "#cluster/api/generated/types.ts";
import { resourceClaims as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, goValue } from "../field-errors.ts";
import { changed } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { claimSpecDefaults } from "./device-defaults.ts";
import { validateClaimSpec } from "./device-validation.ts";

const statusPath = field("status");
const maxReservations = 256;

export const resourceClaims = defineResource(type, {
  returnsDeleted: true,
  ...specAndStatus,
  subresources: [{ name: "status", kind: "ResourceClaim", verbs: ["get", "patch", "update"] }],
  defaults: (claim) => changed(claim, "spec", claimSpecDefaults),
  validate: (claim, errors) => validateClaimSpec(claim.spec, field("spec"), errors),
  validateUpdate: (claim, old, errors) => {
    if (!semanticDeepEqual(claim.spec, old.spec)) errors.invalid(field("spec"), goValue(claim.spec), "field is immutable");
  },
  validateStatusUpdate,
  columns: [nameColumn, column("State", "A summary of the current state (allocated, pending, reserved, etc.)."), ageColumn],
  row: (claim, context) => [nameCell(claim), stateCell(claim), ageCell(claim, context)],
});

function stateCell({ metadata, status }: Typed<ResourceV1ResourceClaim>): string {
  const states = metadata.deletionTimestamp === undefined ? [] : ["deleted"];
  if (status?.allocation !== undefined) {
    states.push("allocated");
    if ((status.reservedFor?.length ?? 0) > 0) states.push("reserved");
  } else if (states.length === 0) states.push("pending");
  return states.join(",");
}

/** An allocation stays as it is until it goes; pods are reserved for what is allocated only. */
function validateStatusUpdate(
  claim: Typed<ResourceV1ResourceClaim>,
  old: Typed<ResourceV1ResourceClaim>,
  errors: FieldErrors,
): void {
  const { allocation, reservedFor = [] } = claim.status ?? {};
  const path = statusPath.child("reservedFor");
  if (reservedFor.length > maxReservations) errors.tooMany(path, reservedFor.length, maxReservations);
  const seen = new Set<string>();
  for (const [index, consumer] of reservedFor.entries()) {
    for (const name of ["resource", "name", "uid"] as const) if (!consumer[name]) errors.required(path.index(index).child(name));
    if (seen.has(consumer.uid)) errors.duplicate(path.index(index), consumer.uid);
    seen.add(consumer.uid);
  }
  if (reservedFor.length > 0 && allocation === undefined) {
    errors.forbidden(path, "may not be specified when `allocated` is not set");
  } else if (claim.metadata.deletionTimestamp !== undefined) {
    const before = new Set((old.status?.reservedFor ?? []).map(({ uid }) => uid));
    if (reservedFor.some(({ uid }) => !before.has(uid))) {
      errors.forbidden(path, "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set");
    }
  }
  const before = old.status?.allocation;
  if (before !== undefined && allocation !== undefined && !semanticDeepEqual(allocation, before)) {
    errors.invalid(statusPath.child("allocation"), goValue(allocation), "field is immutable");
  }
}
