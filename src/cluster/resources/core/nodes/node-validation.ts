// What a Node must be, and what of it may change (pkg/apis/core/validation: ValidateNode, ValidateNodeUpdate).

import type { Node, NodeStatus, Taint } from "#cluster/api/generated/types.ts";
import { labelValueReasons } from "#cluster/api/names.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, goValue, type Path } from "../../field-errors.ts";
import { isDualStack, validateLegacyCidr } from "../../networking/ip-rules.ts";
import { validateResourceAmount } from "../limits/quantities-validation.ts";
import { validateLabelKey } from "../selector-validation.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
/** Upstream looks for taints below the metadata. */
const taintsPath = field("metadata", "taints");
const featureName = /^[A-Z][A-Za-z0-9]*(?:\/[A-Za-z0-9]+)*$/;

export function validateNode({ spec, status }: Typed<Node>, errors: FieldErrors): void {
  if (spec?.taints !== undefined) validateTaints(spec.taints, taintsPath, errors);
  if (status !== undefined) validateStatus(status, errors);
  const ranges = spec?.podCIDRs ?? [];
  const path = field("spec", "podCIDRs");
  for (const [index, range] of ranges.entries()) validateLegacyCidr(range, path.index(index), errors);
  if (ranges.length > 2 || (ranges.length === 2 && !isDualStack(ranges))) {
    errors.invalid(path, ranges, "may specify no more than one CIDR for each IP family");
  }
}

function validateStatus({ capacity, allocatable, declaredFeatures = [] }: NodeStatus, errors: FieldErrors): void {
  for (const [part, amounts] of [
    ["capacity", capacity],
    ["allocatable", allocatable],
  ] as const) {
    for (const name in amounts) validateResourceAmount(name, amounts[name] as string, field("status", part, name), errors);
  }
  const path = field("status", "declaredFeatures");
  for (const [index, feature] of declaredFeatures.entries()) {
    if (!featureName.test(feature)) {
      errors.invalid(
        path.index(index),
        feature,
        `invalid feature name ${JSON.stringify(feature)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
      );
    }
    const next = declaredFeatures[index + 1];
    if (next === feature) errors.duplicate(path.index(index + 1), next);
    else if (next !== undefined && next < feature) {
      errors.invalid(path.index(index + 1), next, "list must be sorted alphabetically");
    }
  }
}

/** Of status and spec; what was not touched has been found valid. */
export function validateNodeUpdate(node: Typed<Node>, old: Typed<Node>, errors: FieldErrors): void {
  const { spec = {}, status } = node;
  if (status !== undefined && status !== old.status) {
    validateStatus(status, errors);
    validateAddresses(status, errors);
  }
  if (node.spec === old.spec) return;
  const before = old.spec ?? {};
  const [ranges, ranged] = [spec.podCIDRs ?? [], before.podCIDRs ?? []];
  const changedRange = 'node updates may not change podCIDR except from "" to valid';
  if (ranged.length > 0 && ranges.length !== ranged.length) errors.forbidden(field("spec", "podCIDRs"), changedRange);
  else {
    for (const [index, range] of ranged.entries()) {
      if (range !== ranges[index]) errors.forbidden(field("spec", "podCIDRs"), changedRange);
    }
  }
  if (before.providerID && before.providerID !== spec.providerID) {
    errors.forbidden(field("spec", "providerID"), 'node updates may not change providerID except from "" to valid');
  }
  // Twice, as upstream: what holds for a new node, then what holds for one that changes.
  if (spec.taints !== undefined) for (let time = 0; time < 2; time += 1) validateTaints(spec.taints, taintsPath, errors);
  if ((spec.externalID ?? "") !== (before.externalID ?? "")) errors.forbidden(field("spec", "externalID"), "may not be updated");
  if (ranged.length === 0) validateNode({ ...node, spec: { podCIDRs: ranges }, status: {} }, errors);
}

function validateAddresses({ addresses = [] }: NodeStatus, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, { type, address }] of addresses.entries()) {
    const key = `${type}/${address}`;
    if (seen.has(key)) errors.duplicate(field("status", "addresses").index(index), goValue({ type, address }));
    seen.add(key);
  }
}

function validateTaints(taints: readonly Taint[], path: Path, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, { key, value = "", effect, timeAdded = null }] of taints.entries()) {
    const at = path.index(index);
    validateLabelKey(key, at.child("key"), errors);
    const reasons = labelValueReasons(value);
    if (reasons.length > 0) errors.invalid(at.child("value"), value, reasons.join(";"));
    if (!effect) errors.required(at.child("effect"));
    else if (!effects.includes(effect)) errors.notSupported(at.child("effect"), effect, effects);
    const identity = `${effect}/${key}`;
    if (seen.has(identity)) {
      errors.duplicate(at, goValue({ key, value, effect, timeAdded }), "taints must be unique by key and effect pair");
    }
    seen.add(identity);
  }
}
