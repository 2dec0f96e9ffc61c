// Objects of a text, read as YAML 1.2 has it where `yes` and `on` are texts: lists are taken apart, and what is no object is refused
// in kustomize's words.

import type { JsonValue } from "#cluster/api/wire.ts";
import { parseAnyYaml } from "#cluster/api/yaml-document.ts";
import { resolvePlain } from "#cluster/api/yaml-scalars.ts";
import {
  arrayAt,
  DocumentError,
  isArray,
  isObject,
  type JsonObject,
  objectAt,
  readDocuments,
  textAt,
  valueAt,
  withValue,
} from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { keyOf, plainScalar } from "./bare-keys.ts";
import { type Resource, resourceOf, scalarText } from "./resource.ts";

/** A text that is no YAML. */
export class MalformedYaml extends KubectlError {}

/** Throws KubectlError. */
export function resourcesOf(text: string): readonly Resource[] {
  const faults = new Map<JsonValue, string>();
  const waiting = documentsOf(text, faults).filter((value) => !isEmpty(value));
  for (const value of waiting) requireNames(value);
  const result: Resource[] = [];
  for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) {
    const kind = textAt(value, "kind");
    const items = valueAt(value, "items");
    if (!isObject(value)) continue;
    if (!kind.endsWith("List") || items === undefined) result.push(resourceOf(value, faults.get(value)));
    else if (items !== null) {
      if (!isArray(items)) throw new KubectlError(`expected array in ${kind}/items, but found ${goType(items)}`);
      const inner = arrayAt(value, "items").filter((item) => !isEmpty(item));
      for (const item of inner) requireNames(item);
      waiting.push(...inner);
    }
  }
  return result;
}

/** The documents, and what `faults` holds against each. */
function documentsOf(text: string, faults: Map<JsonValue, string>): JsonValue[] {
  const parse = (document: string): { readonly value: JsonValue } => {
    const { value, duplicates } = parsed(document);
    const [duplicate] = duplicates;
    if (duplicate !== undefined) faults.set(value, duplicateKey(document, duplicate));
    return { value };
  };
  try {
    return [...readDocuments(text.replaceAll("\r\n", "\n"), parse)];
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new MalformedYaml(`MalformedYAMLError: ${error.message}`);
  }
}

/** A date stands for its midnight, but as an annotation. */
function parsed(document: string): ReturnType<typeof parseAnyYaml> {
  const texts = parseAnyYaml(document, { plain: plainScalar, key: keyOf });
  if (!/\d{4}-\d/.test(document)) return texts;
  const { value } = parseAnyYaml(document, { plain: plainOrDate, key: keyOf });
  const annotations = valueAt(texts.value, "metadata", "annotations");
  if (!isObject(value) || annotations === undefined) return { ...texts, value };
  return { ...texts, value: withValue(value, ["metadata", "annotations"], annotations) };
}

function plainOrDate(text: string): JsonValue {
  if (text.includes(":") || resolvePlain(text).kind !== "timestamp") return plainScalar(text);
  return `${text.replace(/-(\d)(?=-|$)/g, "-0$1")}T00:00:00Z`;
}

/** `line 6: key "a" already set in map` in the words of a later go-yaml, which also tells the line of the first. */
function duplicateKey(document: string, duplicate: string): string {
  const [, line = "", key = ""] = /^line (\d+): key "(.*)" already/.exec(duplicate) ?? [];
  const lines = document.split("\n").slice(0, Number(line));
  const indent = /^[ -]*/.exec(lines.at(-1) ?? "")?.[0].length ?? 0;
  const first = lines.slice(0, -1).findLastIndex((one) => one.slice(indent).startsWith(`${key}:`));
  return `yaml: unmarshal errors:\n  line ${line}: mapping key "${key}" already defined at line ${first < 0 ? line : first + 1}`;
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}

/** Throws KubectlError for an object without kind or name. */
export function requireNames(value: JsonValue): void {
  const metadata = objectAt(value, "metadata");
  const has = (object: JsonObject, field: string): boolean => !isEmpty(object[field] ?? null);
  const known = isObject(value) && (has(value, "apiVersion") || has(value, "kind"));
  if (!known && !["name", "namespace", "labels", "annotations"].some((field) => has(metadata, field)))
    throw new KubectlError("missing Resource metadata");
  const kind = textAt(value, "kind");
  if (kind === "") throw new KubectlError(`missing kind in object ${metadataText(value)}`);
  if (kind.endsWith("List") || has(metadata, "name")) return;
  throw new KubectlError(`missing metadata.name in object ${metadataText(value)}`);
}

/** Types and metadata as Go prints its struct: `{{v1 ConfigMap} {{settings } map[] map[]}}`. */
function metadataText(value: JsonValue): string {
  const metadata = objectAt(value, "metadata");
  const map = (field: string): string => {
    const entries = objectAt(metadata, field);
    const sorted = Object.keys(entries).sort();
    return `map[${sorted.map((key) => `${key}:${scalarText(entries[key])}`).join(" ")}]`;
  };
  const names = `{${scalarText(metadata["name"])} ${scalarText(metadata["namespace"])}}`;
  return `{{${textAt(value, "apiVersion")} ${textAt(value, "kind")}} {${names} ${map("labels")} ${map("annotations")}}}`;
}

function goType(value: JsonValue): string {
  if (isObject(value)) return "map[string]interface {}";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "bool" : "int";
}
