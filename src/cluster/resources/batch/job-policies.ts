// What a Job's policies must be: of failure, of success, of replacement (pkg/apis/batch/validation).

import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from "#cluster/api/generated/types.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../field-errors.ts";
import { goSuccessPolicy } from "../workload-go-values.ts";
import { validateNonnegative } from "../workload-validation.ts";
import { countIndexes } from "./job-indexes.ts";

const maxRules = 20;
const maxExitCodes = 255;
const maxConditions = 20;
const maxIndexesBytes = 64 * 1024;
const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators = ["In", "NotIn"];
const statuses = ["False", "True", "Unknown"];
const replacements = ["Failed", "TerminatingOrFailed"];

/** The failure, success and replacement policies, in this order. */
export function validatePolicies(spec: JobSpec, path: Path, errors: FieldErrors): void {
  if (spec.podFailurePolicy !== undefined) validateFailurePolicy(spec, path.child("podFailurePolicy", "rules"), errors);
  if (spec.successPolicy !== undefined) validateSuccessPolicy(spec, path.child("successPolicy"), errors);
  const replacement = spec.podReplacementPolicy;
  if (replacement === undefined) return;
  const supported = spec.podFailurePolicy === undefined ? replacements : ["Failed"];
  if (!supported.includes(replacement)) errors.notSupported(path.child("podReplacementPolicy"), replacement, supported);
}

function validateFailurePolicy(spec: JobSpec, path: Path, errors: FieldErrors): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > maxRules) errors.tooMany(path, rules.length, maxRules);
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const names = new Set([...containers, ...initContainers].map(({ name }) => name));
  for (const [index, rule] of rules.entries()) {
    validateFailureRule(rule, spec.backoffLimitPerIndex !== undefined, names, path.index(index), errors);
  }
}

function validateFailureRule(
  rule: PodFailurePolicyRule,
  limitsIndexes: boolean,
  containers: ReadonlySet<string>,
  path: Path,
  errors: FieldErrors,
): void {
  const { action = "", onExitCodes, onPodConditions = [] } = rule;
  const at = path.child("action");
  if (action === "") errors.required(at, `valid values: ${quoted(actions)}`);
  else if (action === "FailIndex") {
    if (!limitsIndexes) errors.invalid(at, action, "requires the backoffLimitPerIndex to be set");
  } else if (!actions.includes(action)) errors.notSupported(at, action, actions);
  if (onExitCodes !== undefined) validateExitCodes(onExitCodes, containers, path.child("onExitCodes"), errors);
  if (onPodConditions.length > 0) validateConditions(onPodConditions, path.child("onPodConditions"), errors);
  if (onExitCodes !== undefined && onPodConditions.length > 0) {
    errors.invalidUnnamed(path, "specifying both OnExitCodes and OnPodConditions is not supported");
  }
  if (onExitCodes === undefined && onPodConditions.length === 0) {
    errors.invalidUnnamed(path, "specifying one of OnExitCodes and OnPodConditions is required");
  }
}

function validateExitCodes(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  containers: ReadonlySet<string>,
  path: Path,
  errors: FieldErrors,
): void {
  const { operator = "", containerName, values = [] } = requirement;
  if (operator === "") errors.required(path.child("operator"), `valid values: ${quoted(operators)}`);
  else if (!operators.includes(operator)) errors.notSupported(path.child("operator"), operator, operators);
  if (containerName !== undefined && !containers.has(containerName)) {
    const detail = "must be one of the container or initContainer names in the pod template";
    errors.invalid(path.child("containerName"), containerName, detail);
  }
  const at = path.child("values");
  if (values.length === 0) errors.invalid(at, requirement.values ?? null, "at least one value is required");
  else if (values.length > maxExitCodes) errors.tooMany(at, values.length, maxExitCodes);
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (operator === "In" && value === 0) errors.invalid(at.index(index), value, "must not be 0 for the In operator");
    if (seen.has(value)) errors.duplicate(at.index(index), value);
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] as number) > value))
    errors.invalid(at, values, "must be ordered");
}

function validateConditions(patterns: readonly PodFailurePolicyOnPodConditionsPattern[], path: Path, errors: FieldErrors): void {
  if (patterns.length > maxConditions) errors.tooMany(path, patterns.length, maxConditions);
  for (const [index, { type, status = "" }] of patterns.entries()) {
    const at = path.index(index);
    for (const reason of qualifiedNameReasons(type)) errors.invalid(at.child("type"), type, reason);
    if (status === "") errors.required(at.child("status"), `valid values: ${quoted(statuses)}`);
    else if (!statuses.includes(status)) errors.notSupported(at.child("status"), status, statuses);
  }
}

function validateSuccessPolicy(spec: JobSpec, path: Path, errors: FieldErrors): void {
  if (spec.completionMode !== "Indexed") {
    errors.invalid(path, goSuccessPolicy(spec.successPolicy), "requires indexed completion mode");
    return;
  }
  const rules = spec.successPolicy?.rules ?? [];
  const at = path.child("rules");
  if (rules.length === 0) errors.required(at, "at least one rules must be specified when the successPolicy is specified");
  if (rules.length > maxRules) errors.tooMany(at, rules.length, maxRules);
  for (const [index, rule] of rules.entries()) validateSuccessRule(rule, spec.completions ?? 0, at.index(index), errors);
}

function validateSuccessRule(rule: SuccessPolicyRule, completions: number, path: Path, errors: FieldErrors): void {
  const { succeededCount, succeededIndexes } = rule;
  if (succeededCount === undefined && succeededIndexes === undefined) {
    errors.required(path, "at least one of succeededCount or succeededIndexes must be specified");
  }
  let named = 0;
  if (succeededIndexes !== undefined) {
    const at = path.child("succeededIndexes");
    if (succeededIndexes.length > maxIndexesBytes) errors.tooLong(at, maxIndexesBytes);
    const counted = countIndexes(succeededIndexes, completions);
    if ("fault" in counted) errors.invalid(at, succeededIndexes, `error parsing succeededIndexes: ${counted.fault}`);
    else named = counted.total;
  }
  if (succeededCount === undefined) return;
  const at = path.child("succeededCount");
  validateNonnegative(succeededCount, at, errors);
  if (succeededCount > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.invalid(at, succeededCount, detail);
  }
  if (succeededIndexes !== undefined && succeededCount > named) {
    const detail = `must be less than or equal to ${named} (the number of indexes in the specified succeededIndexes field)`;
    errors.invalid(at, succeededCount, detail);
  }
}

/** Go's `%q` of a list. */
function quoted(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}
