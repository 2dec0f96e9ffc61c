// Facts that the client package lacks, from upstream's struct tags and markers: how lists and maps merge in strategic merge
// patches (patchStrategy, patchMergeKey) and in server-side apply (listType, listMapKey, mapType, structType), and which
// strings are quantities.

import { wordsOf } from "./type-tables.ts";

/** How one field merges. */
export interface ListRule {
  /** Server-side apply: a list is replaced whole (the default), a set of scalars, or a map by keys; a map or struct may be atomic. */
  readonly apply?: "atomic" | "set" | "map" | "granular";
  /** The keys of a list that is a map, in the order of the declaration. */
  readonly keys?: readonly string[];
  /** Strategic merge patch: `merge` lists are merged, `retainKeys` drops what the patch does not name; absent: replace. */
  readonly patchMerge?: boolean;
  readonly patchRetainKeys?: boolean;
  /** The merge key of a list of objects; absent for lists of scalars. */
  readonly patchMergeKey?: string;
}

/** The rule of a type's field, if it has one. */
export function listRuleOf(typeName: string, field: string): ListRule | undefined {
  let rules = parsed.get(typeName);
  if (rules === undefined) {
    rules = new Map((wordsOf("mergeRuleTable", typeName) ?? []).map(parseRule));
    parsed.set(typeName, rules);
  }
  return rules.get(field);
}

/** Values that keys of list items have when absent. Only `protocol` of container and Service ports has one. */
export const keyDefaults: { readonly [key: string]: string } = { protocol: "TCP" };

const parsed = new Map<string, ReadonlyMap<string, ListRule>>();

/** `ports=map:containerPort,protocol~merge:containerPort` */
function parseRule(text: string): [string, ListRule] {
  const equals = text.indexOf("=");
  const [apply = "", patch = ""] = text.slice(equals + 1).split("~");
  const [kind = "", keys] = apply.split(":");
  const [strategy = "", mergeKey] = patch.split(":");
  return [
    text.slice(0, equals),
    {
      ...(kind === "atomic" || kind === "set" || kind === "map" || kind === "granular" ? { apply: kind } : {}),
      ...(keys === undefined ? {} : { keys: keys.split(",") }),
      ...(strategy.includes("merge") ? { patchMerge: true } : {}),
      ...(strategy.includes("retainKeys") ? { patchRetainKeys: true } : {}),
      ...(mergeKey === undefined ? {} : { patchMergeKey: mergeKey }),
    },
  ];
}

/** Whether a field's string (or the strings of its map or list) are quantities. */
export function isQuantity(typeName: string, field: string): boolean {
  return wordsOf("quantityTable", typeName)?.includes(field) === true;
}
