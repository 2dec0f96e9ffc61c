import { describe, expect, it } from "vitest";
import { deepEqual, deepFreeze, semanticDeepEqual } from "./equality.ts";

describe("equality", () => {
  it("ignores fields that are undefined and the order of keys", () => {
    expect(deepEqual({ a: 1, b: undefined, c: [1] }, { c: [1], a: 1 })).toBe(true);
    expect(deepEqual({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(deepEqual([1, 2], [2, 1])).toBe(false);
    expect(deepEqual({}, [])).toBe(false);
  });

  it("takes absent and empty for the same when asked semantically", () => {
    expect(semanticDeepEqual({ a: [], b: {} }, { c: null })).toBe(true);
    expect(semanticDeepEqual({ a: [1] }, {})).toBe(false);
    expect(semanticDeepEqual({ a: "1.0" }, { a: "1" })).toBe(false);
  });

  it("freezes all that a value holds", () => {
    expect(Object.isFrozen(deepFreeze({ a: { b: [{}] } }).a.b[0])).toBe(true);
  });
});
