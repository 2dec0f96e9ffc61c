// Strategic merge as kustomize does it, which is not quite the API server's: items that a patch adds to a list come first, a field
// that its schema does not know is taken as it is, and lists of unknown kinds are replaced.

import { type ListRule, listRuleOf } from "#cluster/api/merge-keys.ts";
import { fieldsOf, isKnownType, type TypeSchema } from "#cluster/api/schema.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { isArray, isObject, type JsonObject, textAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { hasSchema } from "./kinds.ts";
import { nodeKind, wrongNode } from "./node-text.ts";
import { scalarText } from "./resource.ts";

/** What is known of a value. */
interface Field {
  readonly type?: TypeSchema;
  readonly rule?: ListRule;
}

const unknown: Field = {};

/** The object with the patch merged in, undefined when the patch deletes it. Throws KubectlError. */
export function strategicallyMerged(object: JsonObject, patch: JsonObject): JsonObject | undefined {
  const kind = textAt(object, "kind");
  const known = hasSchema(textAt(object, "apiVersion"), kind) && isKnownType(kind);
  const result = merged(object, patch, known ? { type: { kind: "object", name: kind } } : unknown);
  return isObject(result) ? result : undefined;
}

function merged(value: JsonValue | undefined, patch: JsonValue | undefined, field: Field): JsonValue | undefined {
  if (patch === null) return undefined;
  const first = value ?? patch;
  if (first === undefined) return undefined;
  if (value !== undefined && value !== null && patch !== undefined && nodeKind(value) !== nodeKind(patch))
    throw new KubectlError(wrongNode(nodeKind(value), patch));
  if (isArray(first)) return mergedList(value ?? undefined, patch, field);
  if (!isObject(first)) return patch ?? value;
  const [before, added] = [isObject(value) ? value : undefined, isObject(patch) ? patch : undefined];
  const directive = directiveOf(added);
  if (directive === "delete") return undefined;
  const kept = directive === "replace" ? undefined : before;
  const { $patch: _, ...rest } = added ?? {};
  const result: { [name: string]: JsonValue } = {};
  for (const name of new Set([...Object.keys(kept ?? {}), ...Object.keys(rest)])) {
    const next = merged(kept?.[name], rest[name], fieldIn(field, name));
    if (next !== undefined) result[name] = next;
  }
  return result;
}

/** Throws KubectlError for one that there is not. */
function directiveOf(patch: JsonObject | undefined): "merge" | "replace" | "delete" {
  const word = patch?.["$patch"];
  if (word === undefined || word === "merge") return "merge";
  if (word === "replace" || word === "delete") return word;
  throw new KubectlError(`unknown patch strategy '${scalarText(word)}'`);
}

function fieldIn({ type }: Field, name: string): Field {
  if (type?.kind === "map") return { type: type.of };
  if (type?.kind !== "object") return unknown;
  const schema = fieldsOf(type.name).get(name);
  if (schema === undefined) return unknown;
  const rule = listRuleOf(type.name, name);
  return { type: schema.type, ...(rule === undefined ? {} : { rule }) };
}

function mergedList(value: JsonValue | undefined, patch: JsonValue | undefined, { type, rule }: Field): JsonValue | undefined {
  if (rule?.patchMerge !== true) return patch ?? value;
  let [before, added] = [isArray(value) ? value : [], isArray(patch) ? patch : []];
  const steering = added.find((item) => isObject(item) && "$patch" in item && Object.keys(item).length === 1);
  if (isObject(steering)) {
    const directive = directiveOf(steering);
    if (directive === "delete" && value !== undefined) return undefined;
    if (directive === "replace") before = [];
    added = added.filter((item) => item !== steering);
  }
  const key = rule.patchMergeKey;
  if (key === undefined) return [...new Set([...added, ...before])];
  const of: Field = type?.kind === "list" ? { type: type.of } : unknown;
  return new KeyedLists(before, added, rule.keys ?? [key], of).merged();
}

/** The values of an item's merge keys, "" for one that is not there. */
type Tuple = readonly string[];

class KeyedLists {
  readonly #before: readonly JsonValue[];
  readonly #added: readonly JsonValue[];
  readonly #keys: readonly string[];
  readonly #field: Field;

  constructor(before: readonly JsonValue[], added: readonly JsonValue[], keys: readonly string[], field: Field) {
    this.#before = before;
    this.#added = added;
    this.#field = field;
    // A key that no item has does not count.
    const items = [...before, ...added].filter(isObject);
    const used = keys.filter((key) => items.some((item) => scalarText(item[key]) !== ""));
    this.#keys = used.length === 0 ? keys : used;
  }

  merged(): readonly JsonValue[] {
    const changed = new Map<JsonValue, JsonValue | undefined>();
    const result: JsonValue[] = [];
    for (const tuple of this.#tuples()) {
      const before = this.#find(this.#before, tuple);
      const next = merged(before, this.#find(this.#added, tuple), this.#field);
      const isThere = isObject(next) && Object.keys(next).length > 0;
      if (before !== undefined) changed.set(before, isThere ? next : undefined);
      if (isThere) result.push(this.#withKeys(next, tuple));
    }
    for (const item of this.#before) {
      const next = changed.has(item) ? changed.get(item) : item;
      if (next !== undefined) this.#put(result, next);
    }
    return result;
  }

  #tupleOf(item: JsonValue): Tuple {
    return this.#keys.map((key) => (isObject(item) ? scalarText(item[key]) : ""));
  }

  /** Of the patch first; one that only lacks a key is taken for that which has it. */
  #tuples(): readonly Tuple[] {
    const tuples = [...this.#added, ...this.#before].map((item) => this.#tupleOf(item));
    const distinct = new Map<string, Tuple>();
    for (const tuple of tuples) {
      const whole = tuples.reduce(united, tuple);
      distinct.set(JSON.stringify(whole), whole);
    }
    return [...distinct.values()];
  }

  #find(items: readonly JsonValue[], tuple: Tuple): JsonValue | undefined {
    if (tuple.every((text) => text === "")) return undefined;
    return items.find((item) => {
      const own = this.#tupleOf(item);
      return tuple.every((text, index) => text === "" || text === own[index]);
    });
  }

  #withKeys(item: JsonObject, tuple: Tuple): JsonObject {
    const missing = this.#keys.flatMap((key, index) => (key in item || tuple[index] === "" ? [] : [[key, tuple[index] as string]]));
    return missing.length === 0 ? item : { ...item, ...Object.fromEntries(missing) };
  }

  /** Items of before keep their order among themselves when the list has more than one key. */
  #put(result: JsonValue[], item: JsonValue): void {
    const tuple = this.#tupleOf(item);
    const isSame = (other: JsonValue): boolean =>
      this.#tupleOf(other).every((text, index) => text === tuple[index] || tuple[index] === "");
    const at = result.findIndex(isSame);
    if (this.#keys.length === 1) {
      if (at < 0) result.push(item);
      return;
    }
    for (let index = at; index >= 0; index = result.findIndex(isSame)) result.splice(index, 1);
    result.push(item);
  }
}

function united(a: Tuple, b: Tuple): Tuple {
  const fits = a.every((text, index) => text === b[index] || text === "" || b[index] === "");
  return fits && a.some((text, index) => text === b[index]) ? a.map((text, index) => text || (b[index] as string)) : a;
}
