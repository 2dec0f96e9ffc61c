// Amounts and the names of what they are amounts of: nodes, quotas, limit ranges, volumes
// (ValidateResourceQuantityValue, validateResourceName and their kin).

import { qualifiedNameReasons } from "#cluster/api/names.ts";
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantitySign,
  quantityValue,
  tryParseQuantity,
} from "#cluster/api/quantity.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";

/** What a namespace can have a number of. */
const counted = [
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
];
const containerResources = ["cpu", "memory", "ephemeral-storage"];
const quotaResources = new Set([
  ...counted,
  ...containerResources,
  ...containerResources.map((name) => `requests.${name}`),
  ...containerResources.map((name) => `limits.${name}`),
  "requests.storage",
]);
const standardResources = new Set([...quotaResources, "storage"]);
const wholeNumbers = new Set(counted);

export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** Known to quotas by its short name. */
export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaHugePages(name);
}

/** Unprefixed, or of kubernetes.io. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** `example.com/gpu`: of others, and short enough to be counted in quotas. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith("requests.") && qualifiedNameReasons(`requests.${name}`).length === 0;
}

/** Whether more may be limited than is requested. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Answers whether it found nothing. */
function validateResourceName(name: string, path: Path, errors: FieldErrors): boolean {
  const reasons = qualifiedNameReasons(name);
  for (const reason of reasons) errors.invalid(path, name, reason);
  if (reasons.length > 0) return false;
  if (name.includes("/") || standardResources.has(name) || isQuotaHugePages(name)) return true;
  errors.invalid(path, name, "must be a standard resource type or fully qualified");
  return false;
}

export function validateQuotaResourceName(name: string, path: Path, errors: FieldErrors): void {
  validateResourceName(name, path, errors);
  if (!name.includes("/") && !isQuotaResource(name)) errors.invalid(path, name, "must be a standard resource for quota");
}

/** `limitType` is Pod, Container, PersistentVolumeClaim or of others. */
export function validateLimitResourceName(limitType: string, name: string, path: Path, errors: FieldErrors): void {
  if (limitType === "Pod" || limitType === "Container") validateContainerResourceName(name, path, errors);
  else validateResourceName(name, path, errors);
}

export function validateContainerResourceName(name: string, path: Path, errors: FieldErrors): void {
  validateResourceName(name, path, errors);
  if (!name.includes("/")) {
    if (!containerResources.includes(name) && !isHugePages(name))
      errors.invalid(path, name, "must be a standard resource for containers");
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.invalid(path, name, "doesn't follow extended resource name standard");
  }
}

/** Not negative; whole for what is counted. */
export function validateResourceAmount(name: string, amount: string, path: Path, errors: FieldErrors): void {
  const quantity = parseQuantity(amount);
  validateNonNegative(amount, path, errors, quantity);
  if ((wholeNumbers.has(name) || isExtendedResource(name)) && quantityMilliValue(quantity) % 1000 !== 0) {
    errors.invalid(path, amount, "must be an integer");
  }
}

export function validateNonNegative(amount: string, path: Path, errors: FieldErrors, quantity = parseQuantity(amount)): void {
  if (quantitySign(quantity) < 0) errors.invalid(path, amount, "must be greater than or equal to 0");
}

/** Answers whether it found nothing. */
export function validatePositive(amount: string, path: Path, errors: FieldErrors): boolean {
  if (quantitySign(parseQuantity(amount)) > 0) return true;
  errors.invalid(path, amount, "must be greater than zero");
  return false;
}

/** What a status may say: anything but less than nothing. */
export function validateBasicAmount(amount: string, path: Path, errors: FieldErrors): void {
  const value = quantityValue(parseQuantity(amount));
  if (value < 0) errors.invalid(path, value, "must be a valid resource quantity");
}

/** Why bytes are no such amount, for those who are warned; undefined when they are whole or absent. */
export function fractionReason(amount: string | undefined): string | undefined {
  const quantity = amount === undefined ? undefined : tryParseQuantity(amount);
  if (quantity === undefined || quantityMilliValue(quantity) % 1000 === 0) return undefined;
  return `fractional byte value "${formatQuantity(quantity)}" is invalid, must be an integer`;
}

/** Orders two amounts; an absent one is 0. */
export function compareAmounts(a: string | undefined, b: string | undefined): number {
  return compareQuantities(parsed(a), parsed(b));
}

function parsed(amount: string | undefined): Quantity {
  return parseQuantity(amount ?? "0");
}
