// What a LimitRange must be (pkg/apis/core/validation: ValidateLimitRange).

import type { LimitRangeItem } from "#cluster/api/generated/types.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import { parseQuantity, quantityMilliValue } from "#cluster/api/quantity.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";
import { compareAmounts, isOvercommitAllowed, validateLimitResourceName } from "./quantities-validation.ts";

const types = ["Pod", "Container", "PersistentVolumeClaim"];

export function validateLimitRange(limits: readonly LimitRangeItem[], errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, item] of limits.entries()) {
    const path = field("spec", "limits").index(index);
    validateType(item.type ?? "", path.child("type"), errors);
    if (seen.has(item.type)) errors.duplicate(path.child("type"), item.type);
    seen.add(item.type);
    validateNames(item, path, errors);
    for (const name of amountNames(item)) validateAmounts(item, name, path, errors);
  }
}

function validateType(type: string, path: Path, errors: FieldErrors): void {
  const reasons = qualifiedNameReasons(type);
  for (const reason of reasons) errors.invalid(path, type, reason);
  if (reasons.length === 0 && !type.includes("/") && !types.includes(type)) {
    errors.invalid(path, type, "must be a standard limit type or fully qualified");
  }
}

function validateNames(item: LimitRangeItem, path: Path, errors: FieldErrors): void {
  const check = (part: "max" | "min" | "default" | "defaultRequest" | "maxLimitRequestRatio"): void => {
    for (const name of Object.keys(item[part] ?? {})) {
      validateLimitResourceName(item.type, name, path.child(part).key(name), errors);
    }
  };
  check("max");
  check("min");
  for (const part of ["default", "defaultRequest"] as const) {
    if (item.type !== "Pod") check(part);
    else if (Object.keys(item[part] ?? {}).length > 0) {
      errors.forbidden(path.child(part), "may not be specified when `type` is 'Pod'");
    }
  }
  if (item.type === "PersistentVolumeClaim" && item.min?.["storage"] === undefined && item.max?.["storage"] === undefined) {
    errors.required(path.child("limits"), "either minimum or maximum storage value is required, but neither was provided");
  }
  check("maxLimitRequestRatio");
}

function amountNames(item: LimitRangeItem): ReadonlySet<string> {
  const names = new Set<string>();
  const defaults = item.type === "Pod" ? [] : [item.default, item.defaultRequest];
  for (const amounts of [item.max, item.min, ...defaults, item.maxLimitRequestRatio]) {
    for (const name of Object.keys(amounts ?? {})) names.add(name);
  }
  return names;
}

/** min ≤ defaultRequest ≤ default ≤ max, as far as they are given. */
function validateAmounts(item: LimitRangeItem, name: string, path: Path, errors: FieldErrors): void {
  const isPod = item.type === "Pod";
  const [min, max, ratio] = [item.min?.[name], item.max?.[name], item.maxLimitRequestRatio?.[name]];
  const [limit, request] = isPod ? [undefined, undefined] : [item.default?.[name], item.defaultRequest?.[name]];
  const above = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && compareAmounts(a, b) > 0;
  const at = (part: string): Path => path.child(part).key(name);
  if (above(min, max)) errors.invalid(at("min"), min, `min value ${min} is greater than max value ${max}`);
  if (above(min, request)) {
    errors.invalid(at("defaultRequest"), request, `min value ${min} is greater than default request value ${request}`);
  }
  if (above(request, max)) {
    errors.invalid(at("defaultRequest"), request, `default request value ${request} is greater than max value ${max}`);
  }
  if (above(request, limit)) {
    errors.invalid(at("defaultRequest"), request, `default request value ${request} is greater than default limit value ${limit}`);
  }
  if (above(min, limit)) errors.invalid(at("default"), min, `min value ${min} is greater than default value ${limit}`);
  if (above(limit, max)) errors.invalid(at("default"), max, `default value ${limit} is greater than max value ${max}`);
  if (ratio !== undefined) validateRatio(ratio, min, max, at("maxLimitRequestRatio"), errors);
  if (!isOvercommitAllowed(name) && limit !== undefined && request !== undefined && compareAmounts(limit, request) !== 0) {
    errors.invalid(
      at("defaultRequest"),
      request,
      `default value ${limit} must equal to defaultRequest value ${request} in ${name}`,
    );
  }
}

function validateRatio(ratio: string, min: string | undefined, max: string | undefined, path: Path, errors: FieldErrors): void {
  if (compareAmounts(ratio, "1") < 0) errors.invalid(path, ratio, `ratio ${ratio} is less than 1`);
  if (min === undefined || max === undefined) return;
  const most = quantityMilliValue(parseQuantity(max)) / quantityMilliValue(parseQuantity(min));
  if (quantityMilliValue(parseQuantity(ratio)) / 1000 > most) {
    errors.invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`);
  }
}
