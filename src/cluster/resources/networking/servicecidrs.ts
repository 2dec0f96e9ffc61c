import type { ServiceCIDR } from "#cluster/api/generated/types.ts";
import { serviceCidrs as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { validateUnchanged } from "../workload-validation.ts";
import { earlyServiceCidrs } from "./early-servicecidrs.ts";
import { isDualStack, validateCidr } from "./ip-rules.ts";

const path = field("spec", "cidrs");

export const serviceCidrs = defineResource(type, {
  ...earlyServiceCidrs,
  validate,
  validateUpdate,
  columns: [nameColumn, column("CIDRs", ""), ageColumn],
  row: (cidr, context) => [nameCell(cidr), (cidr.spec?.cidrs ?? []).join(","), ageCell(cidr, context)],
});

function validate({ spec }: Pick<ServiceCIDR, "spec">, errors: FieldErrors): void {
  const ranges = spec?.cidrs ?? [];
  if (ranges.length === 0) errors.required(path, "at least one CIDR required");
  else if (ranges.length > 2) errors.invalid(path, { CIDRs: ranges }, "may only hold up to 2 values");
  else {
    const before = errors.causes.length;
    for (const [index, range] of ranges.entries()) validateCidr(range, path.index(index), errors);
    if (errors.causes.length === before && ranges.length === 2 && !isDualStack(ranges))
      errors.invalid(path, ranges, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
  }
}

/** One range may get a second one, of the other family; all else stays. */
function validateUpdate({ spec }: Typed<ServiceCIDR>, old: Typed<ServiceCIDR>, errors: FieldErrors): void {
  const [ranges, former] = [spec?.cidrs ?? [], old.spec?.cidrs ?? []];
  const isExtended = former.length === 1 && ranges.length === 2;
  if (ranges.length !== former.length && !isExtended) validateUnchanged(ranges, former, path, errors);
  else for (const [index, range] of former.entries()) validateUnchanged(ranges[index], range, path.index(index), errors);
  if (isExtended) validate({ spec: { cidrs: ranges } }, errors);
}
