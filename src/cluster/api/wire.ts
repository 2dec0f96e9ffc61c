// The primitive types of the wire format that JSON has no words for.

/** Any JSON value. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

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
  if (typeof value === "bigint") return "number";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** RFC 3339 time in UTC with whole seconds, `2026-01-01T00:00:00Z`. @public used by the generated types */
export type Time = string;

/** RFC 3339 time in UTC with microseconds, `2026-01-01T00:00:00.000000Z`. @public used by the generated types */
export type MicroTime = string;

/**
 * A whole number of 64 bits: a bigint where a double would not hold it exactly (beyond 2^53), a number everywhere else.
 * There is one form for each value, so `===`, `<` and `>` compare them. @public used by the generated types
 */
export type Int64 = number | bigint;

/** Whether a value may be one (or any other number). */
export function isInt64(value: unknown): value is Int64 {
  return typeof value === "number" || typeof value === "bigint";
}

/** The one form of a whole number (`Int64`). */
export function int64(value: bigint): Int64 {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

/** The number after it. */
export function nextInt64(value: Int64): Int64 {
  return int64(BigInt(value) + 1n);
}

export function compareInt64(a: Int64, b: Int64): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/** A number, or a string that is a percentage (`25%`) or a port's name. */
export type IntOrString = number | string;
