import type { Lease } from "#cluster/api/generated/types.ts";
import { leases as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";

const path = field("spec");

export const leases = defineResource(type, {
  createOnUpdate: true,
  updateNeedsResourceVersion: true,
  prepareForCreate: withoutElection,
  prepareForUpdate: withoutElection,
  validate,
  validateUpdate: (lease, _old, errors) => validate(lease, errors),
  columns: [nameColumn, column("Holder", ""), ageColumn],
  row: (lease, context) => [nameCell(lease), lease.spec?.holderIdentity ?? "", ageCell(lease, context)],
});

function validate({ spec }: Typed<Lease>, errors: FieldErrors): void {
  if (spec === undefined) return;
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = spec;
  if (seconds !== undefined && seconds <= 0) errors.invalid(path.child("leaseDurationSeconds"), seconds, "must be greater than 0");
  if (transitions !== undefined && transitions < 0) {
    errors.invalid(path.child("leaseTransitions"), transitions, "must be greater than or equal to 0");
  }
}

/** Behind a gate that is off (CoordinatedLeaderElection). */
function withoutElection(lease: Typed<Lease>): Typed<Lease> {
  const { strategy, preferredHolder, ...spec } = lease.spec ?? {};
  return strategy === undefined && preferredHolder === undefined ? lease : { ...lease, spec };
}
