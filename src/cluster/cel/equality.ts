// When values are equal, as cel-go has it: objects and maps by their fields, lists by their items in order, numbers by what they
// count, whatever their types; values of different kinds are not equal.

import { Optional } from "@marcbachmann/cel-js";

/** For types that have a notion of their own: quantities, addresses. Undefined where there is none. */
export type OwnEquality = (a: object, b: object) => boolean | undefined;

export function celEquals(a: unknown, b: unknown, own: OwnEquality): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return a <= b && a >= b;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => celEquals(item, b[at], own));
  }
  if (a instanceof Optional || b instanceof Optional) {
    if (!(a instanceof Optional && b instanceof Optional) || a.hasValue() !== b.hasValue()) return false;
    return !a.hasValue() || celEquals(a.value(), b.value(), own);
  }
  const [left, right] = [entriesOf(a), entriesOf(b)];
  if (left === undefined || right === undefined) return left === right && (own(a, b) ?? false);
  return left.size === right.size && [...left].every(([key, value]) => right.has(key) && celEquals(value, right.get(key), own));
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Undefined for what is neither an object nor a map. */
function entriesOf(value: object): ReadonlyMap<unknown, unknown> | undefined {
  if (value instanceof Map) return value;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? new Map(Object.entries(value)) : undefined;
}
