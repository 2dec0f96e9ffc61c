// JSON and YAML texts as kubectl reads and writes them: keys sorted, four spaces, `<`, `>` and `&` escaped in JSON.

import { parseAllDocuments, stringify } from "yaml";
import { writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";

export type JsonObject = { readonly [key: string]: JsonValue };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The value at a path of field names, or undefined. */
export function valueAt(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const name of path) current = isObject(current) ? current[name] : undefined;
  return current;
}

/** The text at a path, "" when there is none. */
export function textAt(value: JsonValue | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : "";
}

export function objectAt(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
}

export function arrayAt(value: JsonValue | undefined, ...path: readonly string[]): readonly JsonValue[] {
  const found = valueAt(value, ...path);
  return isArray(found) ? found : [];
}

/** A copy with another value at a path; objects on the way are made. Undefined removes the field. */
export function withValue(target: JsonValue | undefined, path: readonly string[], value: JsonValue | undefined): JsonObject {
  const base = isObject(target) ? target : {};
  const [name, ...rest] = path;
  if (name === undefined) return base;
  if (rest.length > 0) {
    if (value === undefined && !isObject(base[name])) return base;
    return { ...base, [name]: withValue(base[name], rest, value) };
  }
  if (value !== undefined) return { ...base, [name]: value };
  const { [name]: _removed, ...others } = base;
  return others;
}

export class DocumentError extends Error {}

/** Every YAML (or JSON) document of a text; empty documents are left out. Throws DocumentError worded as Go's YAML reader words it. */
export function readDocuments(text: string): readonly JsonValue[] {
  const documents = parseAllDocuments(text, { version: "1.1", schema: "core", uniqueKeys: false, merge: true });
  const result: JsonValue[] = [];
  for (const document of documents) {
    const [problem] = document.errors;
    if (problem !== undefined) {
      const line = problem.linePos?.[0].line ?? 1;
      throw new DocumentError(`yaml: line ${line}: ${problem.message.split("\n")[0]}`);
    }
    const value: JsonValue = document.toJS({ maxAliasCount: 100 });
    if (value !== null && value !== undefined) result.push(value);
  }
  return result;
}

function sorted(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] as JsonValue)]),
  );
}

/** YAML with sorted keys, ending with a newline. */
export function writeYaml(value: JsonValue): string {
  return stringify(sorted(value), { indentSeq: false, lineWidth: 0, version: "1.1", schema: "core", aliasDuplicateObjects: false });
}

/** JSON with sorted keys on one line, as Go writes it. */
export function writeJson(value: JsonValue): string {
  return writeCompactJson(value);
}
