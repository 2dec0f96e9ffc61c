// References to objects of any kind: backends and parameters of ingresses (validateIngressTypedLocalObjectReference).

import { dns1123SubdomainReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../field-errors.ts";
import { pathSegmentName } from "../name-rules.ts";

interface TypedReference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

export function validateTypedReference({ apiGroup, kind = "", name = "" }: TypedReference, path: Path, errors: FieldErrors): void {
  if (apiGroup !== undefined) {
    for (const reason of dns1123SubdomainReasons(apiGroup)) errors.invalid(path.child("apiGroup"), apiGroup, reason);
  }
  if (kind === "") errors.required(path.child("kind"), "kind is required");
  else for (const reason of pathSegmentName(kind, false)) errors.invalid(path.child("kind"), kind, reason);
  if (name === "") errors.required(path.child("name"), "name is required");
  else for (const reason of pathSegmentName(name, false)) errors.invalid(path.child("name"), name, reason);
}
