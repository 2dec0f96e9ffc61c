// What a table lets into its rows: one value a column, NOT NULL, the numbers of AUTO_INCREMENT, the primary key. Types are not checked.

import { asciiLowerCase } from "#sim/ascii.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { Cell, Column, Table } from "./data-directory.ts";
import { SqlError } from "./sql-error.ts";

/** `clause`: where the name stands, as the error tells it. */
export function columnIndex(table: Table, name: string, clause: "field list" | "where clause" | "order clause"): number {
  const index = table.columns.findIndex((column) => asciiLowerCase(column.name) === asciiLowerCase(name));
  if (index < 0) throw new SqlError(1054, "42S22", `Unknown column '${name}' in '${clause}'`);
  return index;
}

/** Numbers by value, texts without regard to case (collation utf8mb4_0900_ai_ci). */
export function difference(left: string, right: string): number {
  const [a, b] = [Number(left), Number(right)];
  if (left !== "" && right !== "" && !Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  return compareTexts(asciiLowerCase(left), asciiLowerCase(right));
}

/** Adds a row; `key` is the primary key's name, `position` counts the rows of the statement from 1. Throws SqlError. */
export function insertRow(
  table: Table,
  key: string,
  columns: readonly string[] | undefined,
  values: readonly Cell[],
  position: number,
): void {
  const indexes = columns?.map((column) => columnIndex(table, column, "field list")) ?? table.columns.map((_, index) => index);
  if (indexes.length !== values.length)
    throw new SqlError(1136, "21S01", `Column count doesn't match value count at row ${position}`);
  const row = table.columns.map((column, index) => {
    const at = indexes.indexOf(index);
    if (column.autoIncrement) return numbered(table, values[at] ?? null);
    if (at >= 0) return checked(column, values[at] ?? null);
    if (column.notNull) throw new SqlError(1364, "HY000", `Field '${column.name}' doesn't have a default value`);
    return null;
  });
  table.rows.push(row);
  checkPrimaryKey(table, key, row);
}

/** Changes cells of a row; false when they had these values before. Throws SqlError. */
export function updateRow(table: Table, key: string, row: Cell[], changes: readonly (readonly [number, Cell])[]): boolean {
  let isChanged = false;
  for (const [index, value] of changes) {
    isChanged ||= row[index] !== value;
    row[index] = checked(table.columns[index] as Column, value);
  }
  if (isChanged) checkPrimaryKey(table, key, row);
  return isChanged;
}

function checked({ name, notNull }: Column, value: Cell): Cell {
  if (value === null && notNull) throw new SqlError(1048, "23000", `Column '${name}' cannot be null`);
  return value;
}

/** The next number for NULL and 0; numbers of deleted rows do not come again. */
function numbered(table: Table, given: Cell): string {
  const number = given === null || given === "0" ? table.lastNumber + 1 : Number(given);
  table.lastNumber = Math.max(table.lastNumber, number);
  return given === null || given === "0" ? String(number) : given;
}

function checkPrimaryKey(table: Table, key: string, row: readonly Cell[]): void {
  const indexes = table.columns.flatMap(({ isPrimary }, index) => (isPrimary ? [index] : []));
  if (indexes.length === 0) return;
  const isSame = (other: readonly Cell[]): boolean =>
    indexes.every((index) => difference(row[index] ?? "", other[index] ?? "") === 0);
  if (!table.rows.some((other) => other !== row && isSame(other))) return;
  const entry = indexes.map((index) => row[index]).join("-");
  throw new SqlError(1062, "23000", `Duplicate entry '${entry}' for key '${key}'`);
}
