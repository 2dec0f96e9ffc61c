// The annotation in which kubectl keeps what was last applied: the manifest itself, as one line of JSON.

import { readJson } from "#cluster/api/json-text.ts";
import { jsonText, sortedKeys, writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { isObject, type JsonObject, objectAt, textAt, withValue } from "../documents.ts";
import { KubectlError } from "../errors.ts";

export const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

const annotationsPath = ["metadata", "annotations"];

/** The manifest as it is kept: without the annotation itself, but always with a map of annotations. */
export function configurationText(object: JsonObject): string {
  const { [lastAppliedAnnotation]: _last, ...annotations } = objectAt(object, ...annotationsPath);
  return `${writeCompactJson(withValue(object, annotationsPath, annotations))}\n`;
}

/** The manifest with its own text in the annotation: what apply sends. */
export function withLastApplied(object: JsonObject): JsonObject {
  const annotations = objectAt(object, ...annotationsPath);
  return withValue(object, annotationsPath, { ...annotations, [lastAppliedAnnotation]: configurationText(object) });
}

/** What create and replace send: the text is kept when that is wished (--save-config), and renewed where the manifest has one. */
export function withKeptConfiguration(object: JsonObject, isWished: boolean): JsonObject {
  const hasText = textAt(object, ...annotationsPath, lastAppliedAnnotation) !== "";
  return isWished || hasText ? withLastApplied(object) : object;
}

/** Fields that are maps in Go, and so written in the order of their keys. */
const mapFields = new Set(["annotations", "data", "hard", "labels", "limits", "matchLabels", "parameters", "requests", "selector"]);

function withSortedMaps(value: JsonValue, field = ""): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => withSortedMaps(item));
  if (!isObject(value)) return value;
  const keys = mapFields.has(field) ? sortedKeys(value) : Object.keys(value);
  return Object.fromEntries(keys.map((key) => [key, withSortedMaps(value[key] as JsonValue, key)]));
}

/** The same for an object that kubectl itself has made: its text has the order of the fields of Go's types, and no empty map. */
export function withLastMade(object: JsonObject): JsonObject {
  const annotations = objectAt(object, ...annotationsPath);
  return withValue(object, annotationsPath, {
    ...annotations,
    [lastAppliedAnnotation]: `${jsonText(withSortedMaps(object))}\n`,
  });
}

/** What was last applied to a live object; undefined when nothing was. */
export function lastApplied(live: JsonObject): JsonObject | undefined {
  const text = textAt(live, ...annotationsPath, lastAppliedAnnotation);
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    throw new KubectlError(`cannot parse the ${lastAppliedAnnotation} annotation as JSON`);
  }
  return isObject(value) ? value : undefined;
}
