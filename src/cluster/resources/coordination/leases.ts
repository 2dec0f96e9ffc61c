import type { Lease } from "#cluster/api/generated/types.ts";
import { leases as type } from "#cluster/api/kinds.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";

const path = field("spec");
const strategies = ["OldestEmulationVersion"];

export const leases = defineResource(type, {
  createOnUpdate: true,
  updateNeedsResourceVersion: true,
  validate,
  validateUpdate: (lease, _old, errors) => validate(lease, errors),
  columns: [nameColumn, column("Holder", ""), ageColumn],
  row: (lease, context) => [nameCell(lease), lease.spec?.holderIdentity ?? "", ageCell(lease, context)],
});

function validate({ spec }: Typed<Lease>, errors: FieldErrors): void {
  if (spec === undefined) return;
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions, strategy, preferredHolder } = spec;
  if (seconds !== undefined && seconds <= 0) errors.invalid(path.child("leaseDurationSeconds"), seconds, "must be greater than 0");
  if (transitions !== undefined && transitions < 0) {
    errors.invalid(path.child("leaseTransitions"), transitions, "must be greater than or equal to 0");
  }
  if (strategy !== undefined) {
    const at = path.child("strategy", "strategy");
    if (strategy.includes("/")) for (const reason of qualifiedNameReasons(strategy)) errors.invalid(at, strategy, reason);
    else if (!strategies.includes(strategy)) errors.notSupported(at, strategy, strategies);
  }
  if (preferredHolder && !strategy)
    errors.forbidden(path.child("preferredHolder"), "may only be specified if `strategy` is defined");
}
