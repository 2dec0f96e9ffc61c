import type { StorageClass, TopologySelectorTerm } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { storageClasses as type } from "#cluster/api/kinds.ts";
import { isDefaultClass } from "#cluster/volumes/classes.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { validateLabelKey } from "../core/selector-validation.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { filled } from "../filling.ts";
import { deprecatedLabelMessage } from "../node/deprecated-labels.ts";
import { validateUnchanged } from "../workload-validation.ts";
import { validateParameters, validateProvisioner } from "./parameters.ts";

const bindingModes = ["Immediate", "WaitForFirstConsumer"];
const topologiesPath = field("allowedTopologies");

export const storageClasses = defineResource(type, {
  returnsDeleted: true,
  shortNames: ["sc"],
  defaults: (storageClass) => filled(storageClass, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  validate,
  validateUpdate: (storageClass, old, errors) => {
    validate(storageClass, errors);
    for (const name of ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] as const)
      validateUnchanged(storageClass[name], old[name], field(name), errors);
  },
  warnings: (storageClass) => topologyWarnings(storageClass.allowedTopologies ?? []),
  columns: [
    nameColumn,
    column("Provisioner", ""),
    column("ReclaimPolicy", ""),
    column("VolumeBindingMode", ""),
    column("AllowVolumeExpansion", ""),
    ageColumn,
  ],
  row: (storageClass, context) => {
    return [
      nameCell(storageClass) + (isDefaultClass(storageClass) ? " (default)" : ""),
      storageClass.provisioner,
      storageClass.reclaimPolicy ?? "Delete",
      storageClass.volumeBindingMode ?? "Immediate",
      storageClass.allowVolumeExpansion ?? false,
      ageCell(storageClass, context),
    ];
  },
});

function validate(storageClass: Typed<StorageClass>, errors: FieldErrors): void {
  const { provisioner = "", parameters, reclaimPolicy = "", volumeBindingMode, allowedTopologies = [] } = storageClass;
  validateProvisioner(provisioner, field("provisioner"), errors);
  validateParameters(parameters, errors);
  if (reclaimPolicy !== "" && reclaimPolicy !== "Delete" && reclaimPolicy !== "Retain") {
    errors.notSupported(field("reclaimPolicy"), reclaimPolicy, ["Delete", "Retain"]);
  }
  if (volumeBindingMode === undefined) errors.required(field("volumeBindingMode"));
  else if (!bindingModes.includes(volumeBindingMode)) {
    errors.notSupported(field("volumeBindingMode"), volumeBindingMode, bindingModes);
  }
  validateTopologies(allowedTopologies, errors);
}

/** No key twice in a term, no value twice in a key, no two terms the same. */
function validateTopologies(terms: readonly TopologySelectorTerm[], errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, { matchLabelExpressions = [] }] of terms.entries()) {
    const path = topologiesPath.index(index).child("matchLabelExpressions");
    const byKey = new Map<string, readonly string[]>();
    for (const [position, { key, values = [] }] of matchLabelExpressions.entries()) {
      validateTopologyValues(key, values, path.index(position), errors);
      if (byKey.has(key)) errors.duplicate(path.index(position).child("key"), key);
      byKey.set(key, [...new Set(values)].sort());
    }
    const identity = JSON.stringify([...byKey].sort(([a], [b]) => compareBytes(a, b)));
    // Upstream compares with the terms behind it, too, which it has not read yet.
    if (seen.has(identity) || byKey.size === 0) errors.duplicate(path, "");
    seen.add(identity);
  }
}

function validateTopologyValues(key: string, values: readonly string[], path: Path, errors: FieldErrors): void {
  if (values.length === 0) errors.required(path.child("values"));
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) errors.duplicate(path.child("values").index(index), value);
    seen.add(value);
  }
  validateLabelKey(key, path.child("key"), errors);
}

function topologyWarnings(terms: readonly TopologySelectorTerm[]): readonly string[] {
  return terms.flatMap(({ matchLabelExpressions = [] }, index) =>
    matchLabelExpressions.flatMap(({ key }, position) => {
      const message = deprecatedLabelMessage(key);
      const path = topologiesPath.index(index).child("matchLabelExpressions").index(position).child("key");
      return message === undefined ? [] : [`${path}: ${message}`];
    }),
  );
}
