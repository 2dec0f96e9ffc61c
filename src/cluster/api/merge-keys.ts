// Facts that the client package lacks, from upstream's struct tags and markers: how lists and maps merge in strategic merge
// patches (patchStrategy, patchMergeKey) and in server-side apply (listType, listMapKey, mapType, structType), and which
// strings are quantities.

import { atomicTypeNames, mergeRuleTable, quantityTable } from "./generated/merging.ts";

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
  return rules().get(typeName)?.get(field);
}

/** Types that server-side apply treats as one value (structType=atomic). */
export function isAtomicType(typeName: string): boolean {
  return atomicTypes.has(typeName);
}

/** Values that keys of list items have when absent. Only `protocol` of container and Service ports has one. */
export const keyDefaults: { readonly [key: string]: string } = { protocol: "TCP" };

let parsed: Map<string, Map<string, ListRule>> | undefined;

function rules(): Map<string, Map<string, ListRule>> {
  parsed ??= parseRules();
  return parsed;
}

function parseRules(): Map<string, Map<string, ListRule>> {
  const table = new Map<string, Map<string, ListRule>>();
  for (const line of mergeRuleTable.split("\n")) {
    const [typeName = "", ...fields] = line.split(" ");
    table.set(typeName, new Map(fields.map((field) => parseRule(field))));
  }
  return table;
}

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

const atomicTypes: ReadonlySet<string> = new Set(atomicTypeNames.split(" "));

let quantities: Map<string, readonly string[]> | undefined;

/** Whether a field's string (or the strings of its map or list) are quantities. */
export function isQuantity(typeName: string, field: string): boolean {
  quantities ??= new Map(
    quantityTable.split("\n").map((line) => {
      const [name = "", ...fields] = line.split(" ");
      return [name, fields];
    }),
  );
  return quantities.get(typeName)?.includes(field) === true;
}
