// Keys that stand without quotes where YAML takes them for numbers or truth values: kustomize cannot write an object with one. They
// are carried along with a mark, so that the object can be refused in the end.

import type { JsonValue } from "#cluster/api/wire.ts";
import { plainValue } from "#cluster/api/yaml-scalars.ts";
import { isArray, isObject, type JsonObject } from "../documents.ts";

const mark = "\u0001";

/** What a scalar without quotes stands for in YAML 1.2: `yes` and `on` are texts. */
export function plainScalar(text: string): JsonValue {
  return /^(?:y|n|yes|no|on|off)$/i.test(text) ? text : plainValue(text);
}

/** The key of a map that has this text without quotes. */
export function bareKey(key: string): string {
  return typeof plainScalar(key) === "string" ? key : mark + key;
}

/** The key of a map as it was read. */
export function keyOf(key: JsonValue): string {
  return typeof key === "string" ? key : mark + String(key);
}

export function withoutMarks(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replace(mark, ""), inner]));
}

/** Why an object cannot be written, undefined if it can. */
export function faultOfKeys(object: JsonObject): string | undefined {
  if (!hasBareKey(object)) return undefined;
  return `${asGo(object)}: json: unsupported type: map[interface {}]interface {}`;
}

function hasBareKey(value: JsonValue): boolean {
  if (isArray(value)) return value.some(hasBareKey);
  return isObject(value) && Object.entries(value).some(([key, inner]) => key.startsWith(mark) || hasBareKey(inner));
}

/** A value as Go prints it with %#v. */
function asGo(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return JSON.stringify(value);
  if (isArray(value)) return `[]interface {}{${value.map(asGo).join(", ")}}`;
  if (!isObject(value)) return String(value);
  const keys = Object.keys(value);
  const type = keys.some((key) => key.startsWith(mark)) ? "map[interface {}]" : "map[string]";
  // Texts come first.
  const shown = keys.map((key) => (key.startsWith(mark) ? `~${key}` : key)).sort();
  const entries = shown.map((text) => {
    const key = text.startsWith(`~${mark}`) ? text.slice(1) : text;
    return `${key.startsWith(mark) ? key.slice(1) : JSON.stringify(key)}:${asGo(value[key] ?? null)}`;
  });
  return `${type}interface {}{${entries.join(", ")}}`;
}
