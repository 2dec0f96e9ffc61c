// Sets of fields in the form in which managedFields carries them (fieldsV1): `f:name` is a field, `k:{…}` an item of a
// keyed list, `v:…` a value of a set; `.` says that the thing itself is a member although something below it is too.
// A node without entries is a member. Sets are immutable and share what an operation leaves alone.

import { readJson } from "#cluster/api/json-text.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import { compareTexts } from "#sim/compare-texts.ts";
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** As a set: nothing. As a node: a member with nothing below. */
export const emptySet: FieldSet = Object.freeze({});

export type MutableFieldSet = { [element: string]: FieldSet };

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

function isMember(node: FieldSet): boolean {
  return node["."] !== undefined || isEmptySet(node);
}

function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== ".") return true;
  return false;
}

/** A node with or without itself; undefined when nothing is left. */
function withMembership(children: FieldSet, member: boolean): FieldSet | undefined {
  if (!member) return isEmptySet(children) ? undefined : children;
  return isEmptySet(children) ? emptySet : { ".": emptySet, ...children };
}

/** What is in one or the other. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  let result: MutableFieldSet | undefined;
  for (const element in b) {
    const right = b[element] as FieldSet;
    const left = a[element];
    if (left !== undefined && element === ".") continue;
    const joined = left === undefined ? right : unionNodes(left, right);
    if (joined !== left) {
      result ??= { ...a };
      result[element] = joined;
    }
  }
  return result ?? a;
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const [aMember, bMember] = [isMember(a), isMember(b)];
  if (!hasChildren(b)) return aMember ? a : (withMembership(a, true) as FieldSet);
  if (!hasChildren(a)) return bMember ? b : (withMembership(b, true) as FieldSet);
  return union(a, b);
}

/** What is in `a` and not in `b`; members below a member of `b` stay. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a;
  let result: MutableFieldSet | undefined;
  for (const element in a) {
    const right = element === "." ? undefined : b[element];
    if (right === undefined) continue;
    const left = a[element] as FieldSet;
    const rest = differenceNodes(left, right);
    if (rest === left) continue;
    result ??= { ...a };
    if (rest === undefined) delete result[element];
    else result[element] = rest;
  }
  return result ?? a;
}

function differenceNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const member = isMember(a);
  const keeps = member && !isMember(b);
  const children = childrenOf(a);
  const rest = difference(children, childrenOf(b));
  if (rest === children && keeps === member) return a;
  return withMembership(rest, keeps);
}

/** What is in both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const result: MutableFieldSet = {};
  for (const element in a) {
    const right = element === "." ? undefined : b[element];
    if (right === undefined) continue;
    const left = a[element] as FieldSet;
    const common = withMembership(intersection(childrenOf(left), childrenOf(right)), isMember(left) && isMember(right));
    if (common !== undefined) result[element] = common;
  }
  return result;
}

/** A node without its membership. */
function childrenOf(node: FieldSet): FieldSet {
  if (node["."] === undefined) return node;
  const { ".": _, ...children } = node;
  return children;
}

/** Whether a child is a member: the question that removal of items asks. */
export function hasMember(set: FieldSet, element: string): boolean {
  const node = set[element];
  return node !== undefined && isMember(node);
}

/** What is below an element; the empty set when nothing is. */
export function below(set: FieldSet, element: string): FieldSet {
  const node = set[element];
  return node === undefined ? emptySet : childrenOf(node);
}

/** Without a path and all that is below it. */
export function withoutPath(set: FieldSet, path: readonly string[]): FieldSet {
  const [field, ...rest] = path;
  const element = `f:${field}`;
  const node = set[element];
  if (node === undefined) return set;
  const kept = rest.length === 0 ? undefined : withoutPath(node, rest);
  if (kept === node) return set;
  const { [element]: _, ...others } = set;
  return kept === undefined || isEmptySet(kept) ? others : { ...others, [element]: kept };
}

/** With entries in the order in which upstream writes them: fields, list items, values, each sorted. */
export function sortSet(set: FieldSet): FieldSet {
  let isSorted = true;
  let previous: string | undefined;
  let changed: { [element: string]: FieldSet } | undefined;
  for (const element in set) {
    const child = set[element] as FieldSet;
    const sorted = sortSet(child);
    if (sorted !== child) {
      changed ??= {};
      changed[element] = sorted;
    }
    if (previous !== undefined && compareElements(previous, element) > 0) isSorted = false;
    previous = element;
  }
  if (isSorted && changed === undefined) return set;
  const result: MutableFieldSet = {};
  for (const element of Object.keys(set).sort(compareElements)) result[element] = changed?.[element] ?? (set[element] as FieldSet);
  return result;
}

const kindOrder = ".fkvi";

function compareElements(a: string, b: string): number {
  return kindOrder.indexOf(a.charAt(0)) - kindOrder.indexOf(b.charAt(0)) || compareTexts(a, b);
}

/** The paths of all members as messages write them: `.spec.containers[name="web"].image`. */
export function pathsOf(set: FieldSet, prefix = ""): string[] {
  const elements = Object.keys(set)
    .filter((element) => element !== ".")
    .sort(compareElements);
  const members = elements.filter((element) => isMember(set[element] as FieldSet)).map((element) => prefix + elementText(element));
  const deeper = elements.flatMap((element) => pathsOf(childrenOf(set[element] as FieldSet), prefix + elementText(element)));
  return [...members, ...deeper];
}

function elementText(element: string): string {
  const text = element.slice(2);
  if (element.startsWith("f:")) return `.${text}`;
  if (element.startsWith("v:")) return `[=${text}]`;
  if (element.startsWith("i:")) return `[${text}]`;
  const keys = readJson(text) as { readonly [key: string]: unknown };
  return `[${Object.entries(keys)
    .map(([key, value]) => `${key}=${jsonText(value)}`)
    .join(",")}]`;
}
