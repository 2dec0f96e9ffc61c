// Writes JSON as Go does: keys in byte order, `<`, `>` and `&` escaped, 4 blanks for kubectl -o json.

import type { JsonObject, JsonValue } from "./wire.ts";

/** What `kubectl get -o json` prints: indented by four, ends with a line feed. */
export function writeIndentedJson(value: JsonValue): string {
  return `${indented(value, "")}\n`;
}

/** As JSON.stringify, and whole numbers of 64 bits with all their digits. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // JavaScript's writer refuses a bigint, which is rare.
    return exactText(value, indent);
  }
}

/** Each such number is written as a text behind a mark that stands nowhere else, which then loses its quotes. */
function exactText(value: unknown, indent: number | undefined): string {
  const written = (mark: string): string =>
    JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? mark + item : item), indent);
  let mark = "~";
  while (written("").includes(mark)) mark += "~";
  return written(mark).replace(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}

/** One line without blanks, keys sorted: what encoding/json makes of a map. */
export function writeCompactJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(writeCompactJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return scalar(value as string | number | bigint | boolean | null);
  const entries = sortedKeys(value as JsonObject).map(
    (key) => `${quote(key)}:${writeCompactJson((value as JsonObject)[key] as JsonValue)}`,
  );
  return `{${entries.join(",")}}`;
}

function indented(value: JsonValue, indent: string): string {
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => inner + indented(item, inner)).join(",\n")}\n${indent}]`;
  }
  if (typeof value !== "object" || value === null) return scalar(value as string | number | bigint | boolean | null);
  const object = value as JsonObject;
  const keys = sortedKeys(object);
  if (keys.length === 0) return "{}";
  const lines = keys.map((key) => `${inner}${quote(key)}: ${indented(object[key] as JsonValue, inner)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

/** Keys in the order of their bytes; fields that are undefined are not there. */
export function sortedKeys(object: { readonly [key: string]: unknown }): string[] {
  return Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort(compareBytes);
}

/** The order of UTF-8 bytes, which differs from that of UTF-16 units beyond the basic plane. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left === right) continue;
    const [leftHigh, rightHigh] = [left >= 0xd800 && left <= 0xdfff, right >= 0xd800 && right <= 0xdfff];
    if (leftHigh === rightHigh) return left - right;
    return leftHigh ? 1 : -1;
  }
  return a.length - b.length;
}

function scalar(value: string | number | bigint | boolean | null): string {
  if (typeof value === "string") return quote(value);
  return typeof value === "number" ? goNumber(value) : String(value);
}

/** A number as encoding/json writes a float64; whole numbers without an exponent up to 1e21. */
export function goNumber(value: number): string {
  const text = String(value);
  return text.includes("e") ? text.replace(/e([+-])(\d)$/, "e$10$2") : text;
}

/** A string with Go's escapes. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text);
  return /[<>&\u2028\u2029\u007f\b\f]/.test(text) ? quoted.replace(/[<>&\u2028\u2029]/g, escapeCharacter) : quoted;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
