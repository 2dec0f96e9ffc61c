// What the classes of storage share: drivers and their parameters (pkg/apis/storage/validation).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";

const maxParameters = 512;
const maxParameterBytes = 262_144;

type Parameters = { readonly [name: string]: string };

export function validateProvisioner(name: string, path: Path, errors: FieldErrors): void {
  if (name === "") errors.required(path);
  else for (const reason of qualifiedNameReasons(asciiLowerCase(name))) errors.invalid(path, asciiLowerCase(name), reason);
}

export function validateParameters(parameters: Parameters = {}, errors: FieldErrors): void {
  const path = field("parameters");
  const names = Object.keys(parameters);
  if (names.length > maxParameters) {
    errors.tooLong(path, maxParameters);
    return;
  }
  let size = 0;
  for (const name of names) {
    if (name === "") errors.invalid(path, name, "field can not be empty.");
    size += name.length + (parameters[name] as string).length;
  }
  if (size > maxParameterBytes) errors.tooLong(path, maxParameterBytes);
}

/** Refuses a change of a field in the words of this group. */
export function forbidChange(name: string, value: unknown, old: unknown, errors: FieldErrors): void {
  if (!semanticDeepEqual(value, old)) errors.forbidden(field(name), `updates to ${name} are forbidden.`);
}
