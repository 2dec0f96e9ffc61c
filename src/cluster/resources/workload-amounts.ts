// Numbers of pods that may also be shares, `25%`: of rolling updates and of disruption budgets (pkg/apis/apps/validation).

import { regexReason } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "./field-errors.ts";
import { validateNonnegative } from "./workload-validation.ts";

type Amount = number | string;

const percent = /^[0-9]+%$/;

/** A number that is not negative, or a percentage. */
export function validateAmount(amount: Amount | undefined, path: Path, errors: FieldErrors): void {
  if (typeof amount !== "string") validateNonnegative(amount, path, errors);
  else if (!percent.test(amount)) {
    const reason = "a valid percent string must be a numeric string followed by an ending '%'";
    errors.invalid(path, amount, regexReason(reason, "[0-9]+%", "1%", "93%"));
  }
}

export function validateAtMostAll(amount: Amount | undefined, path: Path, errors: FieldErrors): void {
  if (typeof amount !== "string" || !percent.test(amount) || Number.parseInt(amount, 10) <= 100) return;
  errors.invalid(path, amount, "must not be greater than 100%");
}

/** The number before the percent sign, or the number; 0 for what is neither. */
export function amountOf(amount: Amount | undefined): number {
  if (typeof amount !== "string") return amount ?? 0;
  return percent.test(amount) || /^[+-]?[0-9]+$/.test(amount) ? Number.parseInt(amount, 10) : 0;
}
