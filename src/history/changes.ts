// Which fields differ between two states of an object, as paths with short texts. What both states share by reference is
// not looked into.

import { jsonText } from "#cluster/api/json-write.ts";
import type { Change } from "./questions.ts";

const longestText = 60;
/** Not worth a word: every write changes it, and nobody chose it. */
const unsaid: ReadonlySet<string> = new Set(["metadata.resourceVersion", "metadata.managedFields", "metadata.generation"]);

export interface Changes {
  readonly changes: readonly Change[];
  /** How many there are beyond these. */
  readonly moreChanges: number;
}

export function changesBetween(before: unknown, after: unknown, most: number): Changes {
  const all: Change[] = [];
  compare("", before, after, all);
  all.sort((a, b) => Number(isBookkeeping(a)) - Number(isBookkeeping(b)));
  return { changes: all.slice(0, most), moreChanges: Math.max(0, all.length - most) };
}

/** When something was noted says less than what. */
function isBookkeeping({ path }: Change): boolean {
  return /(Time|Timestamp|[gG]eneration|ID|reason|message)$/.test(path);
}

function compare(path: string, before: unknown, after: unknown, found: Change[]): void {
  if (before === after || unsaid.has(path)) return;
  if (isMap(before) && isMap(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(path === "" ? name : `${path}.${name}`, before[name], after[name], found);
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(path, before, after, found);
    return;
  }
  const change = { path, before: shortText(before), after: shortText(after) };
  if (change.before !== change.after || jsonText(before) !== jsonText(after)) found.push(change);
}

/** Entries of API lists are told apart by a field of theirs where they have one: conditions by type, containers by name. */
function compareLists(path: string, before: readonly unknown[], after: readonly unknown[], found: Change[]): void {
  const key = ["name", "type", "ip", "uid"].find((name) => isKeyedBy(before, name) && isKeyedBy(after, name));
  if (key === undefined) {
    const length = Math.max(before.length, after.length);
    for (let index = 0; index < length; index += 1) compare(`${path}[${index}]`, before[index], after[index], found);
    return;
  }
  const old = new Map(before.map((entry) => [keyOf(entry, key), entry]));
  for (const entry of after) {
    const name = keyOf(entry, key);
    compare(`${path}[${name}]`, old.get(name), entry, found);
    old.delete(name);
  }
  for (const [name, entry] of old) compare(`${path}[${name}]`, entry, undefined, found);
}

function isKeyedBy(list: readonly unknown[], key: string): boolean {
  const names = list.map((entry) => keyOf(entry, key));
  return names.every((name) => name !== "") && new Set(names).size === names.length;
}

function keyOf(entry: unknown, key: string): string {
  const value = isMap(entry) ? entry[key] : undefined;
  return typeof value === "string" ? value : "";
}

function isMap(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** "" for what is not there. */
function shortText(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : jsonText(value);
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}
