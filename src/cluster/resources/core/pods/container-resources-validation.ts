// Requests, limits and claims of containers and whole pods (pkg/apis/core/validation: validateResourceRequirements; which
// names there are: pkg/apis/core/helper).

import type { ContainerResizePolicy, ResourceRequirements } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import {
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantitySign,
  quantityValue,
  tryParseQuantity,
} from "#cluster/api/quantity.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateBy } from "../selector-validation.ts";

/** Names without a prefix that mean something to some part of Kubernetes. */
const standardResources = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.storage",
  "services.nodeports",
  "services.loadbalancers",
]);
const containerResources = new Set(["cpu", "memory", "ephemeral-storage"]);
/** Counted, hence whole. */
const integerResources = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Why a name may not stand there; one reason, or those of the name's form. */
export type ResourceNameRule = (name: string, path: Path, errors: FieldErrors) => void;

export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** No slash, or a prefix below kubernetes.io. */
function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Devices and the like: named by others, whole, not overcommitted. */
export function isExtendedResource(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && qualifiedNameReasons(`requests.${name}`).length === 0;
}

export function mayBeOvercommitted(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

export function validateResourceName(name: string, path: Path, errors: FieldErrors): boolean {
  const reasons = qualifiedNameReasons(name);
  for (const reason of reasons) errors.invalid(path, name, reason);
  if (reasons.length > 0) return false;
  if (!name.includes("/") && !standardResources.has(name) && !isHugePages(name)) {
    errors.invalid(path, name, "must be a standard resource type or fully qualified");
    return false;
  }
  return true;
}

export const containerResourceName: ResourceNameRule = (name, path, errors) => {
  if (containerResources.has(name)) return;
  validateResourceName(name, path, errors);
  if (!name.includes("/")) {
    if (!isHugePages(name)) errors.invalid(path, name, "must be a standard resource for containers");
  } else if (!isNative(name) && !isExtendedResource(name)) {
    errors.invalid(path, name, "doesn't follow extended resource name standard");
  }
};

const noNames: ReadonlySet<string> = new Set();

/** `claims`: the names of the pod's resource claims. */
export function validateResources(
  resources: ResourceRequirements,
  claims: ReadonlySet<string>,
  path: Path,
  errors: FieldErrors,
  nameRule: ResourceNameRule = containerResourceName,
): void {
  const { limits, requests } = resources;
  let hasPages = false;
  let hasComputing = false;
  const note = (name: string) => {
    if (name === "cpu" || name === "memory") hasComputing = true;
    else if (isHugePages(name)) hasPages = true;
  };
  for (const name in limits) {
    note(name);
    const text = limits[name] as string;
    const at = path.child("limits").key(name);
    validateAmount(name, text, at, nameRule, errors);
    if (isHugePages(name)) validateHugePages(name, tryParseQuantity(text), at, errors);
  }
  for (const name in requests) {
    note(name);
    const text = requests[name] as string;
    const at = path.child("requests").key(name);
    validateAmount(name, text, at, nameRule, errors);
    validateAgainstLimit(name, text, limits?.[name], path, errors);
    if (isHugePages(name)) validateHugePages(name, tryParseQuantity(text), at, errors);
  }
  if (hasPages && !hasComputing) errors.forbidden(path, "HugePages require cpu or memory");
  if (resources.claims !== undefined) validateClaims(resources.claims, claims, path.child("claims"), errors);
}

/** The overhead of a pod's runtime class: limits without a word `limits`, as upstream looks at it. */
export function validateOverhead(overhead: { readonly [name: string]: string }, path: Path, errors: FieldErrors): void {
  validateResources({ limits: overhead }, noNames, path, errors);
}

function validateAmount(name: string, text: string, path: Path, nameRule: ResourceNameRule, errors: FieldErrors): void {
  nameRule(name, path, errors);
  const quantity = tryParseQuantity(text);
  if (quantity === undefined) return;
  if (quantitySign(quantity) < 0) errors.invalid(path, formatQuantity(quantity), "must be greater than or equal to 0");
  if (!isWhole(quantity) && (integerResources.has(name) || isExtendedResource(name)))
    errors.invalid(path, formatQuantity(quantity), "must be an integer");
}

function isWhole({ amount }: Quantity): boolean {
  return typeof amount === "number" ? amount % 1000 === 0 : amount % 1_000_000_000n === 0n;
}

function validateAgainstLimit(name: string, text: string, limitText: string | undefined, path: Path, errors: FieldErrors): void {
  if (limitText === undefined) {
    if (!mayBeOvercommitted(name)) errors.required(path.child("limits"), "Limit must be set for non overcommitable resources");
    return;
  }
  if (text === limitText) return;
  const [request, limit] = [tryParseQuantity(text), tryParseQuantity(limitText)];
  if (request === undefined || limit === undefined) return;
  const order = compareQuantities(request, limit);
  const refuse = (must: string) =>
    errors.invalid(path.child("requests"), formatQuantity(request), `must be ${must} ${name} limit of ${formatQuantity(limit)}`);
  if (order !== 0 && !mayBeOvercommitted(name)) refuse("equal to");
  else if (order > 0) refuse("less than or equal to");
}

/** An amount of huge pages is so many whole pages of the size that the name says. */
function validateHugePages(name: string, quantity: Quantity | undefined, path: Path, errors: FieldErrors): void {
  if (!isHugePages(name) || quantity === undefined) return;
  const size = tryParseQuantity(name.slice("hugepages-".length));
  const pageBytes = size === undefined ? 0 : quantityValue(size);
  if (pageBytes > 0 && quantityValue(quantity) % pageBytes === 0) return;
  const text = formatQuantity(quantity);
  errors.invalid(path, text, `${text} is not positive integer multiple of ${name}`);
}

function validateClaims(
  claims: NonNullable<ResourceRequirements["claims"]>,
  known: ReadonlySet<string>,
  path: Path,
  errors: FieldErrors,
): void {
  const seen = new Set<string>();
  for (const [index, { name = "", request = "" }] of claims.entries()) {
    const at = path.index(index);
    if (name === "") {
      errors.required(at);
      continue;
    }
    if (seen.has(name)) errors.duplicate(at, name);
    else {
      if (request !== "") validateBy(dns1123LabelReasons, request, at.child("request"), errors);
      const key = request === "" ? name : `${name}/${request}`;
      if (seen.has(key)) errors.duplicate(at, key);
      else if (request === "" && [...seen].some((other) => other.startsWith(`${name}/`))) errors.duplicate(at, name);
      seen.add(key);
    }
    if (known.has(name)) continue;
    const names = known.size === 0 ? " which is empty" : `: ${[...known].sort().join(", ")}`;
    errors.notFound(at, name, `must be one of the names in pod.spec.resourceClaims${names}`);
  }
}

export function validateResizePolicies(
  policies: readonly ContainerResizePolicy[],
  podRestartPolicy: string | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  const seen = new Set<string>();
  for (const [index, { resourceName = "", restartPolicy = "" }] of policies.entries()) {
    if (seen.has(resourceName)) errors.duplicate(path.index(index), resourceName);
    seen.add(resourceName);
    validateChoice(resourceName, ["cpu", "memory"], path, errors);
    validateChoice(restartPolicy, ["NotRequired", "RestartContainer"], path, errors);
    if (podRestartPolicy === "Never" && restartPolicy !== "NotRequired") {
      errors.invalid(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}

function validateChoice(value: string, allowed: readonly string[], path: Path, errors: FieldErrors): void {
  if (value === "") errors.required(path);
  else if (!allowed.includes(value)) errors.notSupported(path, value, allowed);
}
