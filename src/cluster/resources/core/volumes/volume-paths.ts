// Paths inside volumes and on hosts: relative where they must be, and never upwards (pkg/apis/core/validation:
// validateLocalDescendingPath, validatePathNoBacksteps, ValidateLocalNonReservedPath).

import type { FieldErrors, Path } from "../../field-errors.ts";

export function hasBackstep(path: string): boolean {
  return path.includes("..") && path.split("/").includes("..");
}

export function validateNoBacksteps(target: string, path: Path, errors: FieldErrors): void {
  if (hasBackstep(target)) errors.invalid(path, target, "must not contain '..'");
}

export function validateDescendingPath(target: string, path: Path, errors: FieldErrors): void {
  if (target.startsWith("/")) errors.invalid(path, target, "must be a relative path");
  validateNoBacksteps(target, path, errors);
}

/** The same, and no name that starts with two dots: those are the kubelet's own in such volumes. */
export function validateFilePath(target: string, path: Path, errors: FieldErrors): void {
  validateDescendingPath(target, path, errors);
  if (target.startsWith("..") && !target.startsWith("../")) errors.invalid(path, target, "must not start with '..'");
}
