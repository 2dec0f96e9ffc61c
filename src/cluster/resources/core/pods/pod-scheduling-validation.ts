// What else says where a pod may run and when: tolerations, topology spread, gates, priority (pkg/apis/core/validation).

import type { PodReadinessGate, PodSchedulingGate, Toleration, TopologySpreadConstraint } from "#cluster/api/generated/types.ts";
import { labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateBy, validateLabelSelector } from "../selector-validation.ts";
import { validateLabelKeys } from "./pod-affinity-validation.ts";

const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export function validateTolerations(tolerations: readonly Toleration[], path: Path, errors: FieldErrors): void {
  for (const [index, toleration] of tolerations.entries()) validateToleration(toleration, path.index(index), errors);
}

function validateToleration(toleration: Toleration, path: Path, errors: FieldErrors): void {
  const { key = "", operator = "", value = "", effect = "" } = toleration;
  if (key !== "") validateBy(qualifiedNameReasons, key, path.child("key"), errors);
  else if (operator !== "Exists") {
    errors.invalid(
      path.child("operator"),
      operator,
      'operator must be Exists when `key` is empty, which means "match all values and all keys"',
    );
  }
  if (toleration.tolerationSeconds !== undefined && effect !== "NoExecute") {
    errors.invalid(path.child("effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  switch (operator) {
    case "":
    case "Equal": {
      const reasons = labelValueReasons(value);
      if (reasons.length > 0) errors.invalid(path.child("operator"), value, reasons.join(";"));
      break;
    }
    case "Exists":
      if (value !== "") errors.invalid(path.child("operator"), value, "value must be empty when `operator` is 'Exists'");
      break;
    // Behind the gate TaintTolerationComparisonOperators, which is off; the refusal names them nevertheless.
    case "Lt":
    case "Gt":
      errors.notSupported(path.child("operator"), operator, ["Equal", "Exists", "Lt", "Gt"]);
      break;
    default:
      errors.notSupported(path.child("operator"), operator, ["Equal", "Exists"]);
  }
  if (effect !== "" && !taintEffects.includes(effect)) errors.notSupported(path.child("effect"), effect, taintEffects);
}

export function validateSpreadConstraints(constraints: readonly TopologySpreadConstraint[], path: Path, errors: FieldErrors): void {
  for (const [index, constraint] of constraints.entries()) {
    const at = path.index(index);
    const { maxSkew = 0, topologyKey = "", whenUnsatisfiable = "" } = constraint;
    if (maxSkew <= 0) errors.invalid(at.child("maxSkew"), maxSkew, "must be greater than zero");
    if (topologyKey === "") errors.required(at.child("topologyKey"), "can not be empty");
    if (whenUnsatisfiable !== "DoNotSchedule" && whenUnsatisfiable !== "ScheduleAnyway") {
      errors.notSupported(at.child("whenUnsatisfiable"), whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"]);
    }
    const repeated = constraints
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    if (repeated) errors.duplicate(at.child("{topologyKey, whenUnsatisfiable}"), `{${topologyKey}, ${whenUnsatisfiable}}`);
    validateMinDomains(constraint, at.child("minDomains"), errors);
    validateInclusion(constraint.nodeAffinityPolicy, at.child("nodeAffinityPolicy"), errors);
    validateInclusion(constraint.nodeTaintsPolicy, at.child("nodeTaintsPolicy"), errors);
    validateLabelKeys(constraint.matchLabelKeys ?? [], [], constraint.labelSelector, at, errors);
    validateLabelSelector(constraint.labelSelector, at.child("labelSelector"), errors);
  }
}

function validateMinDomains({ minDomains, whenUnsatisfiable }: TopologySpreadConstraint, path: Path, errors: FieldErrors): void {
  if (minDomains === undefined) return;
  if (minDomains <= 0) errors.invalid(path, minDomains, "must be greater than zero");
  if (whenUnsatisfiable !== "DoNotSchedule") {
    errors.invalid(path, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable ?? ""}`);
  }
}

function validateInclusion(policy: string | undefined, path: Path, errors: FieldErrors): void {
  if (policy !== undefined && policy !== "Honor" && policy !== "Ignore") errors.notSupported(path, policy, ["Honor", "Ignore"]);
}

export function validateReadinessGates(gates: readonly PodReadinessGate[], path: Path, errors: FieldErrors): void {
  for (const [index, gate] of gates.entries()) {
    validateBy(qualifiedNameReasons, gate.conditionType ?? "", path.index(index).child("conditionType"), errors);
  }
}

export function validateSchedulingGates(gates: readonly PodSchedulingGate[], path: Path, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, { name = "" }] of gates.entries()) {
    validateBy(qualifiedNameReasons, name, path.index(index), errors);
    if (seen.has(name)) errors.duplicate(path.index(index), name);
    seen.add(name);
  }
}

export function validatePreemptionPolicy(policy: string, path: Path, errors: FieldErrors): void {
  if (policy === "") errors.required(path);
  else if (policy !== "PreemptLowerPriority" && policy !== "Never")
    errors.notSupported(path, policy, ["PreemptLowerPriority", "Never"]);
}
