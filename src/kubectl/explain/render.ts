// The plain text of `kubectl explain`: what a schema says of a type or field, wrapped and indented.

import type { JsonValue } from "#cluster/api/wire.ts";
import { wrapText } from "../cli/wrap.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt } from "../documents.ts";
import { alternativesOf, elementOf, referenceOf, resolved } from "./schema-document.ts";

const width = 80;
const enumLimit = 4;

export interface Explanation {
  readonly document: JsonValue;
  /** Print names of the fields' fields instead of descriptions. */
  readonly recursive: boolean;
}

function indent(amount: number, text: string): string {
  const pad = " ".repeat(amount);
  return pad + text.replaceAll("\n", `\n${pad}`);
}

/** The field at a path below a schema; undefined when there is none (or a cycle). */
export function explainField(
  explanation: Explanation,
  schema: JsonObject,
  path: readonly string[],
  seen: ReadonlySet<string> = new Set(),
): string | undefined {
  const { document } = explanation;
  const target = resolved(document, schema);
  const [name, ...rest] = path;
  if (name === undefined) return typeText(explanation, target);
  const reference = referenceOf(schema);
  if (reference !== "" && seen.has(reference)) return undefined;
  const seenNow = new Set([...seen, reference]);
  const property = objectAt(target, "properties")[name];
  if (isObject(property)) {
    const below = explainField(explanation, property, rest);
    if (below === undefined) return undefined;
    if (rest.length > 0) return below;
    return `FIELD: ${name} <${typeName(document, property)}>\n${enumBlock(property)}\n\n${below}`;
  }
  const { items, values } = elementOf(target);
  const inner = items ?? values;
  if (inner !== undefined) return explainField(explanation, inner, path, seenNow);
  for (const alternative of alternativesOf(target)) {
    const found = explainField(explanation, alternative, path, seenNow);
    if (found !== undefined) return found;
  }
  return undefined;
}

function typeText(explanation: Explanation, schema: JsonObject): string {
  const description = descriptionOf(explanation.document, schema) || "<empty>";
  const fields = fieldList(explanation, schema, 1, new Set());
  return [`DESCRIPTION:\n${indent(4, wrapText(description, width - 4))}\n`, fields === "" ? "" : `FIELDS:\n${fields}`].join("");
}

/** A type's description and those of its elements, each on its own line. */
function descriptionOf(document: JsonValue, schema: JsonObject): string {
  const target = resolved(document, schema);
  const own = textAt(target, "description");
  const { items, values } = elementOf(target);
  return [
    own === "" ? "" : `${own}\n`,
    ...[...alternativesOf(target), items, values].map((inner) => (inner === undefined ? "" : descriptionOf(document, inner))),
  ].join("");
}

function fieldList(explanation: Explanation, schema: JsonObject, level: number, seen: ReadonlySet<string>): string {
  const { document, recursive } = explanation;
  const reference = referenceOf(schema);
  if (reference !== "" && seen.has(reference)) return "";
  const seenNow = new Set([...seen, reference]);
  const target = resolved(document, schema);
  const properties = objectAt(target, "properties");
  const lines = Object.keys(properties)
    .sort()
    .map((name) => {
      const property = objectAt(properties, name);
      const below = recursive ? fieldList(explanation, property, level + 1, seenNow) : "";
      return fieldText(explanation, target, name, level) + below;
    });
  const { items, values } = elementOf(target);
  const inner = [...alternativesOf(target), items, values].map((other) =>
    other === undefined ? "" : fieldList(explanation, other, level, seenNow),
  );
  return [...lines, ...inner].join("");
}

function fieldText({ document, recursive }: Explanation, owner: JsonObject, name: string, level: number): string {
  const schema = objectAt(owner, "properties", name);
  const margin = level * 2;
  const required = arrayAt(owner, "required").includes(name) ? " -required-" : "";
  const head = `${indent(margin, name)}\t<${typeName(document, schema)}>${required}${enumLine(schema, margin)}\n`;
  if (recursive) return head;
  const description = textAt(schema, "description") || "<no description>";
  return `${head}${indent(margin + 2, wrapText(description, width - 2 - margin))}\n\n`;
}

/** `string`, `[]Container`, `map[string]string`. */
function typeName(document: JsonValue, schema: JsonObject): string {
  const { items, values } = elementOf(schema);
  if (items !== undefined) return `[]${typeName(document, items)}`;
  if (values !== undefined) return `map[string]${typeName(document, values)}`;
  const [only, ...others] = alternativesOf(schema);
  if (only !== undefined && others.length === 0 && Object.keys(objectAt(schema, "properties")).length === 0) {
    return typeName(document, only);
  }
  const reference = referenceOf(schema);
  if (reference !== "") {
    const type = textAt(resolved(document, schema), "type");
    if (type !== "" && type !== "object") return type;
    return reference.split("/").at(-1)?.split(".").at(-1) || "Object";
  }
  const type = textAt(schema, "type");
  return type === "object" || type === "" ? "Object" : type;
}

function enumTexts(schema: JsonObject): readonly string[] {
  return arrayAt(schema, "enum").map((value) => (value === "" ? '""' : String(value)));
}

function enumBlock(schema: JsonObject): string {
  const texts = enumTexts(schema);
  return texts.length === 0 ? "" : `ENUM:${texts.map((text) => `\n    ${text}`).join("")}`;
}

function enumLine(schema: JsonObject, margin: number): string {
  const texts = enumTexts(schema);
  if (texts.length === 0) return "";
  const more = texts.length > enumLimit ? ", ...." : "";
  return `\n${indent(margin, "")}enum: ${texts.slice(0, enumLimit).join(", ")}${more}`;
}
