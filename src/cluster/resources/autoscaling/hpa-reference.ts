// References to other objects by kind and name, of any version (pkg/apis/autoscaling/validation).

import type { V2CrossVersionObjectReference } from "#cluster/api/generated/types.ts";
import { pathSegmentReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../field-errors.ts";

/** `group/version` has one slash at most (apimachinery's ParseGroupVersion). */
export function apiVersionFault(apiVersion: string | undefined): string | undefined {
  const slashes = (apiVersion ?? "").split("/").length - 1;
  return slashes > 1 ? `unexpected GroupVersion string: ${apiVersion}` : undefined;
}

export function validateReference(
  { kind = "", name = "", apiVersion = "" }: V2CrossVersionObjectReference,
  versionFault: string | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  for (const [segment, value] of [
    ["kind", kind],
    ["name", name],
  ] as const) {
    if (value === "") errors.required(path.child(segment));
    else for (const reason of pathSegmentReasons(value)) errors.invalid(path.child(segment), value, reason);
  }
  if (versionFault !== undefined) errors.invalid(path.child("apiVersion"), apiVersion, versionFault);
}
