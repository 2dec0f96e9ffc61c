// Merges an apply configuration into the live object: structs and maps field by field, keyed lists item by item, sets by
// value, all else as the configuration says.

import { deepEqual } from "../equality.ts";
import { isObject, type JsonObject, type JsonValue } from "../wire.ts";
import { fieldShape, itemElement, type Shape } from "./shape.ts";

/** The live value with the configuration's laid over it; the live value itself when that changes nothing. */
export function mergeValues(shape: Shape, live: JsonValue | undefined, config: JsonValue): JsonValue {
  if (live === undefined || live === config) return config;
  if (isObject(config)) {
    if (shape.kind === "leaf" || !isObject(live)) return deepEqual(live, config) ? live : config;
    return mergeObjects(shape, live, config);
  }
  if ((shape.kind === "set" || shape.kind === "keyed") && Array.isArray(config) && Array.isArray(live)) {
    return config.length === 0 ? live : mergeLists(shape, live, config);
  }
  return deepEqual(live, config) ? live : config;
}

function mergeObjects(shape: Shape, live: JsonObject, config: JsonObject): JsonValue {
  let result: { [key: string]: JsonValue } | undefined;
  for (const [key, value] of Object.entries(config)) {
    const merged = mergeValues(fieldShape(shape, key), live[key], value);
    if (merged === live[key]) continue;
    result ??= { ...live };
    result[key] = merged;
  }
  return result ?? live;
}

/** Items of both in the order of the configuration, live-only ones kept between their neighbours. */
function mergeLists(shape: Shape & { kind: "set" | "keyed" }, live: readonly JsonValue[], config: readonly JsonValue[]): JsonValue {
  const left = live.map((item) => itemElement(shape, item));
  const right = config.map((item) => itemElement(shape, item));
  const liveAt = new Map(left.map((element, index) => [element, live[index] as JsonValue]));
  const configAt = new Map(right.map((element, index) => [element, config[index] as JsonValue]));
  const merged = mergeOrder(left, right, liveAt, configAt).map((element) => {
    const [old, wanted] = [liveAt.get(element), configAt.get(element)];
    if (wanted === undefined) return old as JsonValue;
    return shape.kind === "keyed" ? mergeValues(shape.of, old, wanted) : (old ?? wanted);
  });
  const same = merged.length === live.length && merged.every((item, index) => item === live[index]);
  return same ? live : merged;
}

/** Walks both lists; an item that both have is placed where the configuration has it. */
function mergeOrder(
  left: readonly string[],
  right: readonly string[],
  inLeft: ReadonlyMap<string, unknown>,
  inRight: ReadonlyMap<string, unknown>,
): string[] {
  const shared = right.filter((element) => inLeft.has(element));
  const placed = new Set<string>();
  const order: string[] = [];
  let [leftIndex, rightIndex, nextShared] = [0, 0, 0];
  const place = (element: string) => {
    placed.add(element);
    order.push(element);
    if (shared[nextShared] === element) nextShared += 1;
  };
  while (leftIndex < left.length || rightIndex < right.length) {
    const [fromLeft, fromRight] = [left[leftIndex], right[rightIndex]];
    if (fromLeft !== undefined && fromRight !== undefined) {
      if (fromLeft === fromRight) {
        place(fromLeft);
        leftIndex += 1;
        rightIndex += 1;
        continue;
      }
      if (inRight.has(fromLeft) && nextShared < shared.length && shared[nextShared] !== fromLeft) {
        leftIndex += 1;
        continue;
      }
    }
    if (fromLeft !== undefined) {
      if (!inRight.has(fromLeft)) {
        order.push(fromLeft);
        leftIndex += 1;
        continue;
      }
      if (placed.has(fromLeft)) leftIndex += 1;
    }
    if (fromRight !== undefined) {
      place(fromRight);
      rightIndex += 1;
    }
  }
  return order;
}
