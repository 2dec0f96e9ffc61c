// Tables that the server made, with the columns that flags add.

import { humanDuration } from "#cluster/api/duration.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import { formatLabelSet, type Labels } from "#cluster/api/labels.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { upperCase } from "#sim/unicode.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt, valueAt } from "../documents.ts";
import type { TabWriter } from "./tab-writer.ts";

export interface TableOptions {
  readonly wide: boolean;
  readonly noHeaders: boolean;
  readonly withNamespace: boolean;
  /** `deployment.apps`: written before names; "" not. */
  readonly kindPrefix: string;
  readonly showLabels: boolean;
  readonly labelColumns: readonly string[];
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

const eventTexts: { readonly [type: string]: string } = { ADDED: "ADDED   ", DELETED: "DELETED ", ERROR: "ERROR   " };

function cellText(cell: JsonValue | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "string") return typeof cell === "object" ? jsonText(cell) : String(cell);
  const cut = cell.search(/[\f\n\r]/);
  return (cut < 0 ? cell : `${cell.slice(0, cut)}...`).replaceAll("\u001b", "^[");
}

function columnsOf(table: JsonObject): readonly Column[] {
  return arrayAt(table, "columnDefinitions").map((column) => ({
    name: textAt(column, "name"),
    type: textAt(column, "type"),
    format: textAt(column, "format"),
    priority: Number(valueAt(column, "priority") ?? 0),
  }));
}

function labelHeader(label: string): string {
  return upperCase(label.slice(label.lastIndexOf("/") + 1));
}

/** Prints one table after the other; headers are printed again only when the columns change. */
export class TablePrinter {
  readonly #options: TableOptions;
  readonly #writer: TabWriter;
  readonly #nowMs: () => number;
  #columns: readonly Column[] = [];
  #columnsKey = "";
  #headersPrinted = false;
  #plainHeadersPrinted = false;

  constructor(options: TableOptions, writer: TabWriter, nowMs: () => number) {
    this.#options = options;
    this.#writer = writer;
    this.#nowMs = nowMs;
  }

  /** Adds a Table (or a plain object) to the writer; `eventType` is set for `--output-watch-events`. */
  print(object: JsonObject, eventType?: string): void {
    if (object["kind"] === "Table") this.#printTable(object, eventType);
    else this.#printPlain(object, eventType);
  }

  #printTable(table: JsonObject, eventType: string | undefined): void {
    const columns = columnsOf(table);
    const key = JSON.stringify(table["columnDefinitions"] ?? []);
    const rows = arrayAt(table, "rows");
    let noHeaders = this.#options.noHeaders;
    if (columns.length > 0 && key !== this.#columnsKey) {
      this.#columns = columns;
      this.#columnsKey = key;
      this.#headersPrinted = false;
    } else if (this.#headersPrinted) noHeaders = true;
    if (rows.length > 0) this.#headersPrinted = true;
    if (rows.length === 0) return;
    if (!noHeaders) this.#writer.row(this.#headers(eventType));
    for (const row of rows) this.#writer.row(this.#cells(row, eventType));
  }

  #shown(): readonly Column[] {
    return this.#columns.filter((column) => this.#options.wide || column.priority === 0);
  }

  #headers(eventType: string | undefined): readonly string[] {
    const { withNamespace, labelColumns, showLabels } = this.#options;
    return [
      ...(eventType === undefined ? [] : ["EVENT"]),
      ...(withNamespace ? ["NAMESPACE"] : []),
      ...this.#shown().map((column) => upperCase(column.name)),
      ...labelColumns.map(labelHeader),
      ...(showLabels ? ["LABELS"] : []),
    ];
  }

  #labelCells(object: JsonValue | undefined): readonly string[] {
    const { labelColumns, showLabels } = this.#options;
    const labels = objectAt(object, "metadata", "labels") as Labels;
    return [...labelColumns.map((label) => labels[label] ?? ""), ...(showLabels ? [formatLabelSet(labels) || "<none>"] : [])];
  }

  #cells(row: JsonValue, eventType: string | undefined): readonly string[] {
    const { kindPrefix, wide, withNamespace } = this.#options;
    const object = valueAt(row, "object");
    const cells = arrayAt(row, "cells");
    const nameAt = this.#columns.findIndex((column) => column.format === "name" && column.type === "string");
    const shown = this.#columns.flatMap((column, index) => {
      if (!wide && column.priority !== 0) return [];
      const text = cellText(cells[index]);
      return [index === nameAt && kindPrefix !== "" ? `${kindPrefix}/${text}` : text];
    });
    return [
      ...(eventType === undefined ? [] : [eventTexts[eventType] ?? eventType]),
      ...(withNamespace ? [textAt(object, "metadata", "namespace")] : []),
      ...shown,
      ...this.#labelCells(object),
    ];
  }

  /** What is printed of objects that came without a table: name and age. */
  #printPlain(object: JsonObject, eventType: string | undefined): void {
    const { withNamespace, kindPrefix, labelColumns, showLabels, noHeaders } = this.#options;
    const isStatus = object["kind"] === "Status";
    if (!this.#plainHeadersPrinted && !noHeaders) {
      this.#writer.row([
        ...(eventType === undefined ? [] : ["EVENT"]),
        ...(withNamespace ? ["NAMESPACE"] : []),
        ...(isStatus ? ["STATUS", "REASON", "MESSAGE"] : ["NAME", "AGE"]),
        ...labelColumns.map(labelHeader),
        ...(showLabels ? ["LABELS"] : []),
      ]);
    }
    this.#plainHeadersPrinted = true;
    const items = arrayAt(object, "items").filter(isObject);
    for (const item of Array.isArray(object["items"]) ? items : [object]) {
      const created = tryParseTime(textAt(item, "metadata", "creationTimestamp"));
      const name = textAt(item, "metadata", "name");
      const age = created === undefined ? "<unknown>" : humanDuration(this.#nowMs() - created);
      this.#writer.row([
        ...(eventType === undefined ? [] : [eventTexts[eventType] ?? eventType]),
        ...(withNamespace ? [textAt(item, "metadata", "namespace")] : []),
        ...(isStatus
          ? [textAt(item, "status"), textAt(item, "reason"), textAt(item, "message")]
          : [kindPrefix === "" ? name : `${kindPrefix}/${name}`, age]),
        ...this.#labelCells(item),
      ]);
    }
  }
}
