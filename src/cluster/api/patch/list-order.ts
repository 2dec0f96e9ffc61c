// The order of a merged list: items that the patch names stand as the patch says, the others keep their places between
// them as well as that goes (design proposal "preserve order in strategic merge patch").

import { isList, isObject, type JsonValue } from "../wire.ts";
import { isDeleteItem, mergeKeyValue, PatchError } from "./directives.ts";

export type ElementKind = "map" | "scalar";

/** Whether lists hold objects or scalars. Throws PatchError for lists of lists, for mixtures and for two empty lists. */
export function listElementKind(...lists: readonly (readonly JsonValue[])[]): ElementKind {
  let kind: ElementKind | undefined;
  for (const list of lists) {
    for (const item of list) {
      if (isList(item)) throw new PatchError("lists of lists are not supported");
      const own = isObject(item) ? "map" : "scalar";
      if (kind !== undefined && kind !== own) throw new PatchError("list element types are not identical");
      kind = own;
    }
  }
  if (kind === undefined) throw new PatchError("no elements in any of the given slices");
  return kind;
}

/** `patchOrder` rules over its own items, `serverOrder` over the others. */
export function orderMerged(
  merged: readonly JsonValue[],
  patchOrder: readonly JsonValue[],
  serverOrder: readonly JsonValue[],
  mergeKey: string | undefined,
  kind: ElementKind,
): readonly JsonValue[] {
  const key = kind === "map" ? mergeKey : undefined;
  const { patchItems, serverItems } = partition(merged, patchOrder, key);
  const left = sortByOrder(serverItems, serverOrder, key);
  const right = sortByOrder(patchItems, patchOrder, key);
  const rank = ranksOf(serverOrder, key);
  const result: JsonValue[] = [];
  let [leftIndex, rightIndex] = [0, 0];
  while (leftIndex < left.length || rightIndex < right.length) {
    const [fromLeft, fromRight] = [left[leftIndex], right[rightIndex]];
    if (fromLeft !== undefined && (fromRight === undefined || precedes(rank, fromLeft, fromRight, key))) {
      result.push(fromLeft);
      leftIndex += 1;
    } else {
      result.push(fromRight as JsonValue);
      rightIndex += 1;
    }
  }
  return result;
}

function identity(item: JsonValue, mergeKey: string | undefined): JsonValue {
  return mergeKey === undefined ? item : mergeKeyValue(item, mergeKey);
}

function precedes(rank: Map<JsonValue, number>, a: JsonValue, b: JsonValue, mergeKey: string | undefined): boolean {
  const [left, right] = [rank.get(identity(a, mergeKey)), rank.get(identity(b, mergeKey))];
  return left !== undefined && right !== undefined && left < right;
}

/** The first place of each item. */
function ranksOf(order: readonly JsonValue[], mergeKey: string | undefined): Map<JsonValue, number> {
  const ranks = new Map<JsonValue, number>();
  order.forEach((item, index) => {
    const key = identity(item, mergeKey);
    if (!ranks.has(key)) ranks.set(key, index);
  });
  return ranks;
}

/** Splits items by whether `order` names them. */
export function partition(
  items: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string | undefined,
): { readonly patchItems: readonly JsonValue[]; readonly serverItems: readonly JsonValue[] } {
  const named = ranksOf(order, mergeKey);
  const patchItems = items.filter((item) => named.has(identity(item, mergeKey)));
  const serverItems = items.filter((item) => !named.has(identity(item, mergeKey)));
  return { patchItems, serverItems };
}

/** Sorted as `order` says, deletions last. */
export function sortByOrder(
  items: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string | undefined,
): readonly JsonValue[] {
  const ranks = ranksOf(order, mergeKey);
  const deletions = mergeKey === undefined ? [] : items.filter(isDeleteItem);
  const others = mergeKey === undefined ? [...items] : items.filter((item) => !isDeleteItem(item));
  const rankOf = (item: JsonValue) => ranks.get(identity(item, mergeKey)) ?? -1;
  return [...others.sort((a, b) => rankOf(a) - rankOf(b)), ...deletions];
}
