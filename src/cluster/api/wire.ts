// The primitive types of the wire format that JSON has no words for.

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** As Go's decoder names what it met in the text of a value. */
export function jsonKind(value: JsonValue): string {
  if (isList(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** RFC 3339 time in UTC with whole seconds, `2026-01-01T00:00:00Z`. @public used by the generated types */
export type Time = string;

/** RFC 3339 time in UTC with microseconds, `2026-01-01T00:00:00.000000Z`. @public used by the generated types */
export type MicroTime = string;

/** A number, or a string that is a percentage (`25%`) or a port's name. */
export type IntOrString = number | string;
