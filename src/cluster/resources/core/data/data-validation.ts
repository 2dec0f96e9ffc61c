// What ConfigMaps and Secrets have in common: keys that can be file names, a size limit, the promise not to change.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { configMapKeyReasons } from "#cluster/api/names.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";

export const maxDataBytes = 1_048_576;

type Data = { readonly [key: string]: string };

export function validateKeys(data: Data | undefined, path: Path, errors: FieldErrors): void {
  for (const key of Object.keys(data ?? {})) {
    for (const reason of configMapKeyReasons(key)) errors.invalid(path.key(key), key, reason);
  }
}

/** The bytes of all texts; for those that are far from the limit their length. */
export function textBytes(data: Data | undefined): number {
  const texts = Object.values(data ?? {});
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  // No character of a text has more than three bytes.
  return length * 3 <= maxDataBytes ? length : texts.reduce((sum, text) => sum + encodeUtf8(text).length, 0);
}

/** The bytes that texts in base64 stand for. */
export function encodedBytes(data: Data | undefined): number {
  let size = 0;
  for (const key in data) {
    const text = (data[key] as string).replace(/[\r\n=]/g, "");
    size += Math.floor((text.length * 3) / 4);
  }
  return size;
}

interface Promised {
  readonly immutable?: boolean;
}

/** Once `immutable: true` is set neither the data nor the promise can be changed. */
export function validateImmutable<O extends Promised>(
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
