// Bad and good input without a person who thinks of it: of a good object, each field is left out, emptied, and given what it cannot be.

import fc from "fast-check";
import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";

export interface Mutation {
  /** `spec.ports[0].port = -1` */
  readonly title: string;
  readonly object: JsonObject;
}

type Path = readonly (string | number)[];

/** The object itself first. */
export function mutationsOf(object: JsonObject): readonly Mutation[] {
  return [{ title: "as it is", object }, ...changesBelow(object, [], object)];
}

/** Several changes at once, drawn by chance: the same seed draws the same. An object comes at most once. */
export function randomMutations(object: JsonObject, count: number, seed: number): readonly Mutation[] {
  const draws = fc.sample(fc.array(fc.nat(), { minLength: 2, maxLength: 5 }), { seed, numRuns: count });
  const mutations = draws.map((picks) => picks.reduce(mutatedOnce, { title: "", object }));
  return [...new Map(mutations.map((each) => [each.title, each])).values()];
}

function mutatedOnce({ title, object }: Mutation, pick: number): Mutation {
  const changes = changesBelow(object, [], object);
  const chosen = changes[pick % changes.length];
  if (chosen === undefined) return { title, object };
  return { title: title === "" ? chosen.title : `${title}; ${chosen.title}`, object: chosen.object };
}

function changesBelow(root: JsonObject, path: Path, value: JsonValue): readonly Mutation[] {
  const children = childrenOf(value);
  const own = path.length === 0 || isIdentity(path) ? [] : changesAt(root, path, value);
  return [...own, ...children.flatMap(([key, child]) => changesBelow(root, [...path, key], child))];
}

function childrenOf(value: JsonValue): readonly (readonly [string | number, JsonValue])[] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item] as const);
  return isObject(value) ? Object.entries(value).map(([name, field]) => [name, field as JsonValue] as const) : [];
}

/** What says where the object belongs is not changed: the request would be another. */
function isIdentity(path: Path): boolean {
  return path.length === 1 && (path[0] === "apiVersion" || path[0] === "kind" || path[0] === "metadata");
}

function changesAt(root: JsonObject, path: Path, value: JsonValue): readonly Mutation[] {
  const without = { title: `without ${written(path)}`, object: changed(root, path, undefined) as JsonObject };
  return [
    without,
    ...othersFor(value).map((other) => ({
      title: `${written(path)} = ${shortened(other)}`,
      object: changed(root, path, other) as JsonObject,
    })),
  ];
}

function othersFor(value: JsonValue): readonly JsonValue[] {
  if (typeof value === "string") return ["", "Not Valid_!", "a".repeat(300), 7, null];
  if (typeof value === "number") return [-1, 0, 1, 65536, 2147483648, "x"];
  if (typeof value === "boolean") return [!value, "x", null];
  if (Array.isArray(value)) return [[], value.length > 0 ? [...value, value[0] as JsonValue] : [null], {}, null];
  if (isObject(value)) return [{}, { ...value, surprise: 1 }, "x", []];
  return ["x"];
}

function changed(value: JsonValue, [key, ...rest]: Path, other: JsonValue | undefined): JsonValue {
  if (key === undefined) return other ?? null;
  if (Array.isArray(value)) {
    if (rest.length === 0 && other === undefined) return value.filter((_, index) => index !== key);
    return value.map((item, index) => (index === key ? changed(item, rest, other) : item));
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value) as (readonly [string, JsonValue])[];
  if (rest.length === 0 && other === undefined) return Object.fromEntries(fields.filter(([name]) => name !== key));
  return Object.fromEntries(fields.map(([name, field]) => [name, name === key ? changed(field, rest, other) : field]));
}

function written(path: Path): string {
  return path.map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${key}`)).join("");
}

function shortened(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text;
}
