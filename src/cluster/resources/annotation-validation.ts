// What annotations must be, an object's own and those of templates (apimachinery's pkg/api/validation: ValidateAnnotations).

import { qualifiedNameReasons } from "#cluster/api/names.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { FieldErrors, Path } from "./field-errors.ts";

type Annotations = { readonly [key: string]: string };

const maxBytes = 262_144;

export function validateAnnotations(annotations: Annotations | undefined, path: Path, errors: FieldErrors): void {
  if (annotations === undefined) return;
  let length = 0;
  for (const key in annotations) {
    for (const reason of qualifiedNameReasons(asciiLowerCase(key))) errors.invalid(path, key, reason);
    length += key.length + (annotations[key] as string).length;
  }
  // Three bytes are the most that UTF-8 makes of a code unit.
  if (length * 3 > maxBytes && byteLength(annotations) > maxBytes) errors.tooLong(path, maxBytes);
}

/** Of keys and values in UTF-8. */
function byteLength(annotations: Annotations): number {
  let length = 0;
  for (const key in annotations) length += encodeUtf8(key).length + encodeUtf8(annotations[key] as string).length;
  return length;
}
