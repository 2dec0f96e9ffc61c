// `--sort-by`: orders rows or objects by a field.

import { JsonPath } from "#cluster/api/jsonpath/evaluate.ts";
import { JsonPathError, relaxedExpression } from "#cluster/api/jsonpath/parse.ts";
import { compareQuantities, tryParseQuantity } from "#cluster/api/quantity.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { isInt64 } from "#cluster/api/wire.ts";
import { KubectlError } from "../errors.ts";

/** No item has the field. */
export class UnknownField extends KubectlError {}

function isLess(left: JsonValue, right: JsonValue): boolean {
  if (left === null) return right !== null;
  if (right === null) return false;
  if (typeof left === "string" && typeof right === "string") {
    const a = tryParseQuantity(left);
    const b = tryParseQuantity(right);
    return a === undefined || b === undefined ? left < right : compareQuantities(a, b) < 0;
  }
  if (isInt64(left) && isInt64(right)) return left < right;
  return false;
}

/** A sorted copy; items without the field come first. Throws KubectlError when no item has the field. */
export function sortBy<T>(items: readonly T[], field: string, fieldOwner: (item: T) => JsonValue): readonly T[] {
  if (items.length === 0) return items;
  let values: ReadonlyMap<T, JsonValue | undefined>;
  let expression = field;
  try {
    expression = relaxedExpression(field);
    const path = new JsonPath(expression, { allowMissingKeys: true });
    values = new Map(items.map((item) => [item, path.find(fieldOwner(item))[0]?.[0]]));
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new KubectlError(error.message);
  }
  if ([...values.values()].every((value) => value === undefined)) {
    throw new UnknownField(`couldn't find any field with path ${JSON.stringify(expression)} in the list of objects`);
  }
  const order = (a: T, b: T): number => {
    const left = values.get(a);
    const right = values.get(b);
    if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined);
    return Number(isLess(right, left)) - Number(isLess(left, right));
  };
  return [...items].sort(order);
}
