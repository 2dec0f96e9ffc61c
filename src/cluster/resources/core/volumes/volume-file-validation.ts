// Files that volumes are made of: modes, keys of ConfigMaps and Secrets, fields of the pod
// (pkg/apis/core/validation: validateKeyToPath, validateDownwardAPIVolumeFile).

import type { DownwardAPIVolumeFile, DownwardAPIVolumeSource, KeyToPath } from "#cluster/api/generated/types.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateFieldReference, validateResourceReference, volumeFieldPaths } from "../pods/container-reference-validation.ts";
import { validateFilePath } from "./volume-paths.ts";

const maxMode = 0o777;

export function validateFileMode(mode: number | undefined, path: Path, errors: FieldErrors): void {
  if (mode === undefined || (mode >= 0 && mode <= maxMode)) return;
  errors.invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive");
}

export function validateItems(items: readonly KeyToPath[] | undefined, path: Path, errors: FieldErrors): void {
  for (const [index, item] of (items ?? []).entries()) validateItem(item, path.index(index), errors);
}

export function validateItem({ key, path: target = "", mode }: KeyToPath, path: Path, errors: FieldErrors): void {
  if (!key) errors.required(path.child("key"));
  if (target === "") errors.required(path.child("path"));
  validateFilePath(target, path.child("path"), errors);
  validateFileMode(mode, path.child("mode"), errors);
}

export function validateDownwardApi({ defaultMode, items = [] }: DownwardAPIVolumeSource, path: Path, errors: FieldErrors): void {
  validateFileMode(defaultMode, path.child("defaultMode"), errors);
  for (const file of items) validateDownwardFile(file, path, errors);
}

export function validateDownwardFile(file: DownwardAPIVolumeFile, path: Path, errors: FieldErrors): void {
  const { path: target = "", fieldRef, resourceFieldRef, mode } = file;
  if (target === "") errors.required(path.child("path"));
  validateFilePath(target, path.child("path"), errors);
  if (fieldRef !== undefined) {
    validateFieldReference(fieldRef, volumeFieldPaths, path.child("fieldRef"), errors);
    if (resourceFieldRef !== undefined)
      errors.invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
  } else if (resourceFieldRef !== undefined) {
    validateResourceReference(resourceFieldRef, true, path.child("resourceFieldRef"), errors);
  } else errors.required(path, "one of fieldRef and resourceFieldRef is required");
  validateFileMode(mode, path.child("mode"), errors);
}
