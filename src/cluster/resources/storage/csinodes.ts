import type { CSINode, CSINodeDriver } from "#cluster/api/generated/types.ts";
import { csiNodes as type } from "#cluster/api/kinds.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { validateDriverName } from "../core/volumes/persistentvolume-sources.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, goValue, type Path } from "../field-errors.ts";
import { validateUnchanged } from "../workload-validation.ts";

const driversPath = field("spec", "drivers");
const maxNodeId = 256;

export const csiNodes = defineResource(type, {
  returnsDeleted: true,
  updateNeedsResourceVersion: true,
  validate,
  validateUpdate: (node, old, errors) => {
    validate(node, errors);
    for (const before of old.spec?.drivers ?? []) {
      const now = node.spec?.drivers?.find(({ name }) => name === before.name);
      // How many volumes a node takes may change (MutableCSINodeAllocatableCount).
      if (now !== undefined) validateUnchanged(fixedPart(now), fixedPart(before), driversPath, errors);
    }
  },
  columns: [nameColumn, integerColumn("Drivers", "Drivers indicates the number of CSI drivers registered on the node"), ageColumn],
  row: (node, context) => [nameCell(node), node.spec?.drivers?.length ?? 0, ageCell(node, context)],
});

function fixedPart({ name, nodeID, topologyKeys = [] }: CSINodeDriver): unknown {
  return goValue({ name, nodeID, topologyKeys, allocatable: null });
}

function validate({ spec }: Typed<CSINode>, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [index, driver] of (spec?.drivers ?? []).entries()) validateDriver(driver, names, driversPath.index(index), errors);
}

function validateDriver(driver: CSINodeDriver, names: Set<string>, path: Path, errors: FieldErrors): void {
  const { name = "", nodeID = "", allocatable, topologyKeys = [] } = driver;
  validateDriverName(name, path.child("name"), errors);
  if (nodeID === "") errors.required(path.child("nodeID"));
  if (nodeID.length > maxNodeId) errors.invalid(path.child("nodeID"), nodeID, `must be ${maxNodeId} characters or less`);
  const count = allocatable?.count;
  if (count !== undefined && count < 0) {
    errors.invalid(path.child("allocatable", "count"), count, "must be greater than or equal to 0");
  }
  if (names.has(name)) errors.duplicate(path.child("name"), name);
  names.add(name);
  const keys = new Set<string>();
  for (const key of topologyKeys) {
    if (key === "") errors.required(path);
    if (keys.has(key)) errors.duplicate(path, key);
    keys.add(key);
    for (const reason of qualifiedNameReasons(key)) errors.invalid(path, key, reason);
  }
}
