// The generated tables of the built-in types: of each a line a type, a word a field.

import * as freshTables from "./generated/fresh-tables.ts";
import { lateTables } from "./late-tables.ts";

type Tables = typeof freshTables;
type Rows = ReadonlyMap<string, readonly string[]>;

const read = new Map<string, Rows>();

function rowsOf(text: string): Rows {
  let rows = read.get(text);
  if (rows === undefined) {
    const lines = text.split("\n").map((line) => line.split(" "));
    rows = new Map(lines.map(([name = "", ...words]) => [name, words]));
    read.set(text, rows);
  }
  return rows;
}

/** The tables that the type would stand in. */
function tablesOf(typeName: string): { readonly [table in keyof Tables]: string } {
  return rowsOf(freshTables.schemaTable).has(typeName) ? freshTables : lateTables.code;
}

/** What a table says of a type; undefined where it has no line. */
export function wordsOf(table: Exclude<keyof Tables, "atomicTypeNames">, typeName: string): readonly string[] | undefined {
  return rowsOf(tablesOf(typeName)[table]).get(typeName);
}

/** Types that server-side apply treats as one value (structType=atomic). */
export function isAtomicType(typeName: string): boolean {
  return tablesOf(typeName).atomicTypeNames.split(" ").includes(typeName);
}

/** All type names, sorted. */
export function typeNames(): readonly string[] {
  return [freshTables, lateTables.code].flatMap(({ schemaTable }) => [...rowsOf(schemaTable).keys()]).sort();
}
