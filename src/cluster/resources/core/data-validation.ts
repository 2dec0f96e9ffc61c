// What ConfigMaps and Secrets have in common: keys that can be file names, a size limit, the promise not to change.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { configMapKeyReasons } from "#cluster/api/names.ts";
import { type FieldErrors, field } from "../field-errors.ts";

const maxBytes = 1_048_576;

interface Keyed {
  readonly data?: { readonly [key: string]: string };
  readonly binaryData?: { readonly [key: string]: string };
  readonly immutable?: boolean;
}

export function validateData(object: Keyed, errors: FieldErrors): void {
  let size = 0;
  for (const [key, value] of Object.entries(object.data ?? {})) {
    for (const reason of configMapKeyReasons(key)) errors.invalid(field("data").key(key), key, reason);
    if (object.binaryData !== undefined && Object.hasOwn(object.binaryData, key)) {
      errors.invalid(field("data").key(key), key, "duplicate of key present in binaryData");
    }
    size += value.length;
  }
  for (const [key, value] of Object.entries(object.binaryData ?? {})) {
    for (const reason of configMapKeyReasons(key)) errors.invalid(field("binaryData").key(key), key, reason);
    size += value.length;
  }
  if (size > maxBytes) errors.tooLong(field(), maxBytes);
}

/** Once `immutable: true` is set neither the data nor the promise can be changed. */
export function validateImmutable<O extends Keyed>(
  object: O,
  old: O,
  names: readonly (keyof O & string)[],
  errors: FieldErrors,
): void {
  if (old.immutable !== true) return;
  if (object.immutable !== true) errors.forbidden(field("immutable"), "field is immutable when `immutable` is set");
  for (const name of names) {
    if (!semanticDeepEqual(object[name], old[name])) errors.forbidden(field(name), "field is immutable when `immutable` is set");
  }
}
