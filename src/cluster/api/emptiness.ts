// Which empty values travel on the wire. Go writes some fields although they are empty (structs without a pointer, fields
// without omitempty: a Pod's containers have `resources: {}` for this reason), keeps zeros behind pointers, and drops the
// other zeros (`src/upstream`).

import { readJson } from "./json-text.ts";
import { fieldsOf } from "./schema.ts";
import { wordsOf } from "./type-tables.ts";
import type { JsonObject, JsonValue } from "./wire.ts";

/** Fields with what Go writes for them when they are empty. */
export type EmptyFields = readonly (readonly [field: string, empty: JsonValue])[];

export interface Emptiness {
  /** Fields that are always written: structs, texts, numbers; null for times, and for lists, maps and pointers that are nil. */
  readonly written: EmptyFields;
  /** Those that are not null. Only these stand in stored objects: a null is never looked at, so it is added on the way out. */
  readonly stored: EmptyFields;
  /** Fields that are kept when they are "", 0, false or an empty list. */
  readonly keptZeros: ReadonlySet<string>;
}

export function emptinessOf(typeName: string): Emptiness {
  let emptiness = known.get(typeName);
  if (emptiness === undefined) {
    emptiness = readMarks(typeName);
    known.set(typeName, emptiness);
  }
  return emptiness;
}

/** What Go writes for a struct of a type of which nothing is set; shared, frozen. */
export function emptyObjectOf(typeName: string, fields: "stored" | "written"): JsonObject {
  const made = emptyObjects[fields];
  let empty = made.get(typeName);
  if (empty === undefined) {
    empty = Object.freeze(Object.fromEntries(emptinessOf(typeName)[fields]));
    made.set(typeName, empty);
  }
  return empty;
}

const known = new Map<string, Emptiness>();
const emptyObjects = { stored: new Map<string, JsonObject>(), written: new Map<string, JsonObject>() };

function readMarks(typeName: string): Emptiness {
  const marks = wordsOf("emptinessTable", typeName) ?? [];
  const always = marks.filter((mark) => !mark.endsWith("*")).map((mark) => mark.split("=") as [field: string, empty: string]);
  const kept = marks.filter((mark) => mark.endsWith("*")).map((mark) => mark.slice(0, -1));
  const fieldsWith = (fields: "stored" | "written"): EmptyFields =>
    always.map(([field, empty]) => [field, empty === "{}" ? emptyStruct(typeName, field, fields) : (readJson(empty) as JsonValue)]);
  return {
    written: fieldsWith("written"),
    stored: fieldsWith("stored").filter(([, empty]) => empty !== null),
    keptZeros: new Set([...kept, ...always.map(([field]) => field)]),
  };
}

function emptyStruct(typeName: string, field: string, fields: "stored" | "written"): JsonObject {
  const type = fieldsOf(typeName).get(field)?.type;
  return type?.kind === "object" ? emptyObjectOf(type.name, fields) : {};
}
