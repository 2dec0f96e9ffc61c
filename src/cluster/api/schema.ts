// What the API server knows of every field of every built-in type: read from the generated text when a type is first
// asked for.

import { isQuantity, type ListRule, listRuleOf } from "./merge-keys.ts";
import { wordsOf } from "./type-tables.ts";

export type ScalarKind =
  | "string"
  | "boolean"
  | "int32"
  | "int64"
  | "double"
  | "bytes"
  | "time"
  | "microTime"
  | "intOrString"
  | "quantity"
  /** Any JSON: a RawExtension, a CRD's default value. */
  | "any";

export type TypeSchema =
  | { readonly kind: ScalarKind }
  | { readonly kind: "list"; readonly of: TypeSchema }
  | { readonly kind: "map"; readonly of: TypeSchema }
  | { readonly kind: "object"; readonly name: string };

export interface FieldSchema {
  readonly name: string;
  readonly type: TypeSchema;
  readonly required: boolean;
  /** How patches and server-side apply treat a list (and some maps); absent: as the type says. */
  readonly rule?: ListRule;
}

export type Fields = ReadonlyMap<string, FieldSchema>;

const parsed = new Map<string, Fields>();

export function isKnownType(typeName: string): boolean {
  return wordsOf("schemaTable", typeName) !== undefined;
}

/** A type's fields by wire name. Throws RangeError for a type that does not exist: a programmer's error. */
export function fieldsOf(typeName: string): Fields {
  const known = parsed.get(typeName);
  if (known !== undefined) return known;
  const words = wordsOf("schemaTable", typeName);
  if (words === undefined) throw new RangeError(`no type ${typeName} in the schema`);
  const fields = new Map<string, FieldSchema>();
  for (const text of words) {
    const field = parseField(typeName, text);
    fields.set(field.name, field);
  }
  parsed.set(typeName, fields);
  return fields;
}

function parseField(typeName: string, text: string): FieldSchema {
  const mark = text.search(/[!:]/);
  const name = text.slice(0, mark);
  const type = parseType(text.slice(mark + 1), isQuantity(typeName, name));
  const rule = listRuleOf(typeName, name);
  return { name, type, required: text[mark] === "!", ...(rule === undefined ? {} : { rule }) };
}

const scalars: { readonly [letter: string]: ScalarKind } = {
  s: "string",
  b: "boolean",
  i: "int32",
  l: "int64",
  d: "double",
  y: "bytes",
  t: "time",
  m: "microTime",
  x: "intOrString",
  a: "any",
};

function parseType(text: string, quantity: boolean): TypeSchema {
  if (text.startsWith("[]")) return { kind: "list", of: parseType(text.slice(2), quantity) };
  if (text.startsWith("{}")) return { kind: "map", of: parseType(text.slice(2), quantity) };
  const scalar = text.length === 1 ? scalars[text] : undefined;
  if (scalar === undefined) return { kind: "object", name: text };
  return { kind: quantity && scalar === "string" ? "quantity" : scalar };
}
