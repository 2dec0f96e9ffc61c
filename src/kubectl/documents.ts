// JSON and YAML texts as kubectl reads and writes them: keys sorted, four spaces, `<`, `>` and `&` escaped in JSON.

import { jsonText, writeCompactJson } from "#cluster/api/json-write.ts";
import { isList as isArray, isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { parseYaml, splitYamlDocuments, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { writeYaml } from "#cluster/api/yaml-write.ts";

export { isList as isArray, isObject, type JsonObject } from "#cluster/api/wire.ts";

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

/**
 * An answer of the API server as the type of its kind: what it sends for a kind has that kind's shape, and a null is a field
 * without a value.
 */
export function asKind<T>(answer: unknown): T {
  return withoutNulls(answer as JsonValue) as T;
}

/** The same without fields that are null, wherever they are. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, field]) => (field === null ? [] : [[key, withoutNulls(field)]])));
}

export class DocumentError extends Error {}

/** JSON objects that stand one behind the other; undefined for what is none of that, or no more than one. */
function jsonObjects(text: string): readonly string[] | undefined {
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    const [sign] = match;
    if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    if (depth > 0 || sign.startsWith('"')) continue;
    const end = match.index + 1;
    objects.push(text.slice(start, end));
    start = end;
  }
  if (objects.length < 2 || text.slice(start).trim() !== "") return undefined;
  return objects.every(isJson) ? objects : undefined;
}

function isJson(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * Every YAML (or JSON) document of a text, JSON objects also without a mark between them; empty documents are left out.
 * `parse` reads one. Throws DocumentError worded as Go's YAML reader words it.
 */
export function readDocuments(
  text: string,
  parse: (document: string) => { readonly value: JsonValue } = parseYaml,
): readonly JsonValue[] {
  const result: JsonValue[] = [];
  const documents = splitYamlDocuments(text).flatMap((document) =>
    document.trimStart().startsWith("{") ? (jsonObjects(document) ?? [document]) : [document],
  );
  for (const document of documents) {
    if (document.trim() === "") continue;
    try {
      const { value } = parse(document);
      if (value !== null) result.push(value);
    } catch (error) {
      if (error instanceof YamlSyntaxError) throw new DocumentError(error.message);
      throw error;
    }
  }
  return result;
}

/** JSON with sorted keys on one line, as Go writes it. */
export function writeJson(value: JsonValue): string {
  return writeCompactJson(value);
}

/** JSON indented by four, fields in the order in which they were made; as Go escapes it. */
export function writeOrderedJson(value: JsonValue, indent = 4): string {
  const escaped: { readonly [sign: string]: string } = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };
  return `${jsonText(value, indent).replace(/[<>&]/g, (sign) => escaped[sign] as string)}\n`;
}

export { writeYaml };
