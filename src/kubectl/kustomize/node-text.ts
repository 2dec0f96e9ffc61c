// A value as YAML with its fields in the order in which they stand, as kustomize shows and keeps them.

import type { JsonValue } from "#cluster/api/wire.ts";
import { isArray, isObject, writeYaml } from "../documents.ts";

/** Ends with a line feed. */
export function nodeText(value: JsonValue): string {
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([key, inner]) => entryText(key, inner))
      .join("");
  }
  if (isArray(value) && value.length > 0) return value.map((item) => `- ${indented(nodeText(item))}`).join("");
  return writeYaml(value);
}

function entryText(key: string, value: JsonValue): string {
  const isFilled = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!isFilled) return writeYaml({ [key]: value });
  const before = writeYaml({ [key]: null }).replace(/ null\n$/, "\n");
  const text = nodeText(value);
  return before + (isArray(value) ? text : `  ${indented(text)}`);
}

/** All lines but the first two blanks further in. */
function indented(text: string): string {
  return text.replace(/\n(?=[^\n])/g, "\n  ");
}

/** As kustomize names the sorts of YAML nodes. */
export function nodeKind(value: JsonValue): string {
  if (isArray(value)) return "SequenceNode";
  return isObject(value) ? "MappingNode" : "ScalarNode";
}

export function wrongNode(expected: string, value: JsonValue): string {
  return `wrong node kind: expected ${expected} but got ${nodeKind(value)}: node contents:\n${nodeText(value)}`;
}
