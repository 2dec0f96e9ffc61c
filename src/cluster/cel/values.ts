// Values as CEL sees them: whole numbers are ints (bigint), other numbers doubles, objects maps. What has a schema is read by it
// elsewhere; here nothing is known but the JSON.

import { compareBytes } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { int64 } from "#cluster/api/wire.ts";

/** A JSON value in CEL's types. */
export function celValue(value: JsonValue | undefined): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(celValue);
  const result: { [name: string]: unknown } = {};
  const object = value as { readonly [name: string]: JsonValue };
  for (const name of Object.keys(object)) if (object[name] !== undefined) result[name] = celValue(object[name]);
  return result;
}

/** What an expression answered, as JSON. */
export function jsonOf(value: unknown): JsonValue {
  if (typeof value === "bigint") return int64(value);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [String(key), jsonOf(inner)]));
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== "object" || value === null) return (value ?? null) as JsonValue;
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value));
  if (isTimestamp(value)) return value.toISOString().replace(".000Z", "Z");
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && "toJSON" in value)
    return jsonOf((value as { toJSON(): unknown }).toJSON());
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, jsonOf(inner)]));
}

/** A value as `string()` and `%s` write it. */
export function celText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return `[${value.map(celText).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (isTimestamp(value)) return value.toISOString().replace(".000Z", "Z");
  if (value instanceof Map) return `{${[...value].map(([key, inner]) => `${celText(key)}: ${celText(inner)}`).join(", ")}}`;
  if (Object.getPrototypeOf(value) !== Object.prototype) return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => compareBytes(a, b));
  return `{${entries.map(([key, inner]) => `${key}: ${celText(inner)}`).join(", ")}}`;
}

/** The library keeps times as the language's Date. */
function isTimestamp(value: object): value is { toISOString(): string } {
  return "toISOString" in value;
}
