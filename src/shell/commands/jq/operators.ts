// Arithmetic, indexing and changes of values.

import { compare, isArray, isObject, JqError, type Json, propertyOf, toJson, typeOf } from "./value.ts";

/** `string ("a")`, cut as jq cuts it. */
export function described(value: Json): string {
  const text = toJson(value);
  return `${typeOf(value)} (${text.length > 11 ? `${text.slice(0, 10)}...` : text})`;
}

export function binary(operator: string, a: Json, b: Json): Json {
  switch (operator) {
    case "==":
      return compare(a, b) === 0;
    case "!=":
      return compare(a, b) !== 0;
    case "<":
      return compare(a, b) < 0;
    case "<=":
      return compare(a, b) <= 0;
    case ">":
      return compare(a, b) > 0;
    case ">=":
      return compare(a, b) >= 0;
    case "+":
      return add(a, b);
    case "-":
      return subtract(a, b);
    case "*":
      return multiply(a, b);
    case "/":
      return divide(a, b);
    default:
      return modulo(a, b);
  }
}

export function add(a: Json, b: Json): Json {
  if (a === null) return b;
  if (b === null) return a;
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (isArray(a) && isArray(b)) return [...a, ...b];
  if (isObject(a) && isObject(b)) return { ...a, ...b };
  throw new JqError(`${described(a)} and ${described(b)} cannot be added`);
}

function subtract(a: Json, b: Json): Json {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (isArray(a) && isArray(b)) return a.filter((item) => !b.some((other) => compare(item, other) === 0));
  throw new JqError(`${described(a)} and ${described(b)} cannot be subtracted`);
}

const maximumText = 50_000_000;

function multiply(a: Json, b: Json): Json {
  if (typeof a === "number" && typeof b === "number") return a * b;
  const [text, times] = typeof a === "string" ? [a, b] : [b, a];
  if (typeof text === "string" && typeof times === "number") {
    if (times <= 0) return null;
    const count = times < 1 ? 1 : Math.floor(times);
    if (text.length * count > maximumText) throw new JqError("Repeat string result too long");
    return text.repeat(count);
  }
  if (isObject(a) && isObject(b)) return merge(a, b);
  throw new JqError(`${described(a)} and ${described(b)} cannot be multiplied`);
}

function merge(a: { readonly [key: string]: Json }, b: { readonly [key: string]: Json }): Json {
  const merged: { [key: string]: Json } = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const old = propertyOf(a, key);
    merged[key] = old !== undefined && isObject(old) && isObject(value) ? merge(old, value) : value;
  }
  return merged;
}

function divide(a: Json, b: Json): Json {
  if (typeof a === "number" && typeof b === "number") {
    if (b === 0) throw new JqError(`${described(a)} and ${described(b)} cannot be divided because the divisor is zero`);
    return a / b;
  }
  if (typeof a === "string" && typeof b === "string") return a === "" ? [] : a.split(b);
  throw new JqError(`${described(a)} and ${described(b)} cannot be divided`);
}

function modulo(a: Json, b: Json): Json {
  if (typeof a !== "number" || typeof b !== "number") throw new JqError(`${described(a)} and ${described(b)} cannot be divided`);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  const divisor = Math.trunc(b);
  if (divisor === 0) throw new JqError(`${described(a)} and ${described(b)} cannot be divided because the divisor is zero`);
  return Math.trunc(a) % Math.abs(divisor) || 0;
}

/** `.[key]`. A key `{start, end}` takes a slice. */
export function index(value: Json, key: Json): Json {
  if (value === null && (typeof key === "string" || typeof key === "number" || key === null)) return null;
  if (isObject(value) && typeof key === "string") return propertyOf(value, key) ?? null;
  if (isArray(value) && typeof key === "number") {
    if (Number.isNaN(key)) return null;
    const at = Math.floor(key);
    return value[at < 0 ? at + value.length : at] ?? null;
  }
  if (isObject(key) && (value === null || isArray(value)))
    return slice(value, propertyOf(key, "start") ?? null, propertyOf(key, "end") ?? null);
  if (isArray(value) && isArray(key)) return indicesOf(value, key);
  if (typeof key === "string") throw new JqError(`Cannot index ${typeOf(value)} with "${key}"`);
  throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(key)}`);
}

export function slice(value: Json, from: Json, to: Json): Json {
  if (value === null) return null;
  if (!isArray(value) && typeof value !== "string") throw new JqError(`Cannot index ${typeOf(value)} with object`);
  if ((from !== null && typeof from !== "number") || (to !== null && typeof to !== "number"))
    throw new JqError("Start and end indices of an array slice must be numbers");
  const items = typeof value === "string" ? [...value] : value;
  const taken = items.slice(...bounds(items.length, from, to));
  return typeof value === "string" ? taken.join("") : taken;
}

function bounds(length: number, from: number | null, to: number | null): [number, number] {
  const place = (at: number): number => Math.max(0, Math.min(length, at < 0 ? at + length : at));
  const start = place(Math.floor(from ?? 0));
  return [start, Math.max(start, place(Math.ceil(to ?? length)))];
}

/** Where a list (or a value) occurs in a list. */
export function indicesOf(value: readonly Json[], wanted: readonly Json[]): readonly number[] {
  if (wanted.length === 0) return [];
  return value.flatMap((_, at) =>
    at + wanted.length <= value.length && wanted.every((item, offset) => compare(value[at + offset] as Json, item) === 0)
      ? [at]
      : [],
  );
}

export type Path = readonly Json[];

export function getPath(value: Json, path: Path): Json {
  let found = value;
  for (const key of path) {
    if (found === null) return null;
    found = index(found, key);
  }
  return found;
}

/** A copy with another value at a path. */
export function setPath(value: Json, path: Path, changed: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return changed;
  if (isObject(key)) {
    const items = value === null ? [] : value;
    if (!isArray(items)) throw new JqError(`Cannot update field at object index of ${typeOf(value)}`);
    const inner = setPath(index(value, key), rest, changed);
    if (!isArray(inner)) throw new JqError("A slice of an array can only be assigned another array");
    const from = propertyOf(key, "start") ?? null;
    const to = propertyOf(key, "end") ?? null;
    const [start, end] = bounds(items.length, typeof from === "number" ? from : null, typeof to === "number" ? to : null);
    return [...items.slice(0, start), ...inner, ...items.slice(end)];
  }
  const inner = setPath(index(value, key), rest, changed);
  if (typeof key === "string") return { ...(value as { readonly [key: string]: Json } | null), [key]: inner };
  if (typeof key !== "number") throw new JqError(`Invalid path component`);
  const items = [...((value as readonly Json[] | null) ?? [])];
  const at = Math.floor(key) < 0 ? Math.floor(key) + items.length : Math.floor(key);
  if (at < 0) throw new JqError("Out of bounds negative array index");
  if (at > 5_000_000) throw new JqError("Array index too large");
  while (items.length < at) items.push(null);
  items[at] = inner;
  return items;
}

/** A copy without what is at the paths. */
export function deletePaths(value: Json, paths: readonly Path[]): Json {
  // From the back, so that places of a list stay where they are.
  return [...paths].sort((a, b) => compare(b, a)).reduce(deletePath, value);
}

function deletePath(value: Json, path: Path): Json {
  const [key, ...rest] = path;
  if (value === null || key === undefined) return null;
  if (rest.length > 0) {
    const inner = index(value, key);
    return inner === null ? value : setPath(value, [key], deletePath(inner, rest));
  }
  if (isObject(value) && typeof key === "string") return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  if (isArray(value) && typeof key === "number") {
    const at = Math.floor(key) < 0 ? Math.floor(key) + value.length : Math.floor(key);
    return value.filter((_, position) => position !== at);
  }
  if (isArray(value) && isObject(key)) return setPath(value, [key], []);
  throw new JqError(
    typeof key === "string"
      ? `Cannot delete field at object index of ${typeOf(value)}`
      : `Cannot delete field at array index of ${typeOf(value)}`,
  );
}
