// What requests for devices must be (pkg/apis/resource/validation).

import type {
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  DeviceToleration,
  OpaqueDeviceConfiguration,
  ResourceClaimSpec,
} from "#cluster/api/generated/types.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons, labelValueReasons } from "#cluster/api/names.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import { compileDeviceSelector, maxDeviceCost } from "#cluster/cel/devices.ts";
import { CelCompileError } from "#cluster/cel/expression.ts";
import { validateLabelKey } from "../core/selector-validation.ts";
import { validateDriverName } from "../core/volumes/persistentvolume-sources.ts";
import type { FieldErrors, Path } from "../field-errors.ts";

const maxRequests = 32;
const maxConstraints = 32;
const maxSelectors = 32;
const maxAlternatives = 8;
const maxExpression = 10_240;
export const maxConfigurations = 32;
const modes = ["All", "ExactCount"];
const effects = ["NoExecute", "NoSchedule", "None"];
const nameOfRequest = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

type Check<T> = (item: T, path: Path, errors: FieldErrors) => void;

/** A list with a limit: when it is too long its items are not looked at. */
export function validateItems<T>(items: readonly T[], most: number, path: Path, errors: FieldErrors, check: Check<T>): void {
  if (items.length > most) errors.tooMany(path, items.length, most);
  else for (const [index, item] of items.entries()) check(item, path.index(index), errors);
}

/** The same, with no key twice. */
export function validateSet<T>(
  items: readonly T[],
  { most, keyOf }: { readonly most: number; readonly keyOf: (item: T) => string },
  path: Path,
  errors: FieldErrors,
  check: Check<T>,
): void {
  validateItems(items, most, path, errors, check);
  if (items.length > most) return;
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    if (seen.has(key)) errors.duplicate(path.index(index), key);
    seen.add(key);
  }
}

export function validateClaimSpec(spec: ResourceClaimSpec | undefined, path: Path, errors: FieldErrors): void {
  const { requests = [], constraints = [], config = [] } = spec?.devices ?? {};
  const at = path.child("devices");
  const names = new Set(
    requests.flatMap(({ name, firstAvailable = [] }) => [name, ...firstAvailable.map((one) => `${name}/${one.name}`)]),
  );
  const reference: Check<string> = (name, where) => validateReference(name, names, where, errors);
  const distinctNames = { most: maxRequests, keyOf: (name: string): string => name };
  validateSet(requests, { most: maxRequests, keyOf: ({ name }) => name }, at.child("requests"), errors, validateRequest);
  validateItems(constraints, maxConstraints, at.child("constraints"), errors, (constraint, where) => {
    validateSet(constraint.requests ?? [], distinctNames, where.child("requests"), errors, reference);
    validateConstraint(constraint, where, errors);
  });
  validateItems(config, maxConfigurations, at.child("config"), errors, (one, where) => {
    validateSet(one.requests ?? [], distinctNames, where.child("requests"), errors, reference);
    validateOpaque(one, where, errors);
  });
}

function validateRequest(request: DeviceRequest, path: Path, errors: FieldErrors): void {
  const { name = "", exactly, firstAvailable = [] } = request;
  for (const reason of dns1123LabelReasons(name)) errors.invalid(path.child("name"), name, reason);
  const oneOf = "exactly one of `exactly` or `firstAvailable` is required";
  if (exactly === undefined && firstAvailable.length === 0) errors.required(path, oneOf);
  else if (exactly !== undefined && firstAvailable.length > 0)
    errors.invalid(path, undefined, `${oneOf}, but multiple fields are set`);
  else if (exactly !== undefined) validateDevices(exactly, path.child("exactly"), errors);
  else {
    const subrequest = ({ name }: { readonly name: string }): string => name;
    validateSet(firstAvailable, { most: maxAlternatives, keyOf: subrequest }, path.child("firstAvailable"), errors, (one, at) => {
      for (const reason of dns1123LabelReasons(one.name)) errors.invalid(at.child("name"), one.name, reason);
      validateDevices(one, at, errors);
    });
  }
}

interface DevicesAsked {
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: Int64;
  readonly tolerations?: readonly DeviceToleration[];
}

function validateDevices(asked: DevicesAsked, path: Path, errors: FieldErrors): void {
  const { deviceClassName = "", allocationMode: mode = "", count = 0 } = asked;
  const classPath = path.child("deviceClassName");
  if (deviceClassName === "") errors.required(classPath);
  else for (const reason of dns1123SubdomainReasons(deviceClassName)) errors.invalid(classPath, deviceClassName, reason);
  validateSelectors(asked.selectors ?? [], path.child("selectors"), errors);
  if (!modes.includes(mode)) errors.notSupported(path.child("allocationMode"), mode, modes);
  else if (mode === "All" && count !== 0) {
    errors.invalid(path.child("count"), count, "must not be specified when allocationMode is 'All'");
  } else if (mode === "ExactCount" && count <= 0) errors.invalid(path.child("count"), count, "must be greater than zero");
  for (const [index, toleration] of (asked.tolerations ?? []).entries()) {
    validateToleration(toleration, path.child("tolerations").index(index), errors);
  }
}

export function validateSelectors(selectors: readonly DeviceSelector[], path: Path, errors: FieldErrors): void {
  validateItems(selectors, maxSelectors, path, errors, ({ cel }, at) => {
    if (cel === undefined) errors.required(at.child("cel"));
    else validateExpression(cel.expression, at.child("cel", "expression"), errors);
  });
}

function validateExpression(expression: string, path: Path, errors: FieldErrors): void {
  if (expression.length > maxExpression) {
    errors.tooLong(path, maxExpression);
    return;
  }
  try {
    if (compileDeviceSelector(expression).cost > maxDeviceCost) errors.forbidden(path, "too complex, exceeds cost limit");
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    errors.invalid(path, expression, error.message);
  }
}

function validateConstraint({ matchAttribute, distinctAttribute }: DeviceConstraint, path: Path, errors: FieldErrors): void {
  if (matchAttribute !== undefined) validateAttributeName(matchAttribute, path.child("matchAttribute"), errors);
  else if (distinctAttribute !== undefined) validateAttributeName(distinctAttribute, path.child("distinctAttribute"), errors);
  else {
    errors.required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set');
  }
}

/** `gpu.example.com/model` */
function validateAttributeName(name: string, path: Path, errors: FieldErrors): void {
  const [domain = "", id] = name.split("/", 2);
  if (id === undefined) errors.invalid(path, name, "a fully qualified name must be a domain and a name separated by a slash");
  else if (domain === "") errors.invalid(path, "", "the domain must not be empty");
  else validateDriverName(domain, path, errors);
  if (id === "") errors.invalid(path, "", "the name must not be empty");
}

function validateReference(name: string, names: ReadonlySet<string>, path: Path, errors: FieldErrors): void {
  const segments = name.split("/");
  if (segments.length > 2) {
    errors.invalid(path, name, nameOfRequest);
    return;
  }
  for (const segment of segments) for (const reason of dns1123LabelReasons(segment)) errors.invalid(path, segment, reason);
  if (!names.has(name)) errors.invalid(path, name, nameOfRequest);
}

export function validateOpaque({ opaque }: { readonly opaque?: OpaqueDeviceConfiguration }, path: Path, errors: FieldErrors): void {
  const at = path.child("opaque");
  if (opaque === undefined) {
    errors.required(at);
    return;
  }
  validateDriverName(opaque.driver, at.child("driver"), errors);
  const parameters: unknown = opaque.parameters;
  if (parameters === undefined || parameters === null) errors.required(at.child("parameters"));
  else if (typeof parameters !== "object" || Array.isArray(parameters)) {
    errors.invalid(at.child("parameters"), "<value omitted>", "must be a valid JSON object");
  } else if (jsonText(parameters).length > maxExpression) errors.tooLong(at.child("parameters"), maxExpression);
}

function validateToleration(toleration: DeviceToleration, path: Path, errors: FieldErrors): void {
  const { key = "", operator = "", value = "", effect = "" } = toleration;
  if (key !== "") validateLabelKey(key, path.child("key"), errors);
  if (operator === "Exists") {
    if (value !== "") errors.invalid(path.child("value"), value, "must be empty for operator `Exists`");
  } else if (operator === "Equal") {
    for (const reason of labelValueReasons(value)) errors.invalid(path.child("value"), value, reason);
  } else if (operator === "") errors.required(path.child("operator"));
  else errors.notSupported(path.child("operator"), operator, ["Equal", "Exists"]);
  if (effect !== "" && !effects.includes(effect)) errors.notSupported(path.child("effect"), effect, effects);
}
