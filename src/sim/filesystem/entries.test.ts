// Entries behave as a map does, few or many.

import fc from "fast-check";
import { expect, it } from "vitest";
import { Entries } from "./entries.ts";

it("has what a map has, in its order, as names come and go", () => {
  const name = fc.integer({ min: 0, max: 12 }).map(String);
  const step = fc.oneof(fc.record({ set: name, value: fc.integer() }), fc.record({ drop: name }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const entries = new Entries<number>();
      const map = new Map<string, number>();
      for (const each of steps) {
        if ("set" in each) {
          entries.set(each.set, each.value);
          map.set(each.set, each.value);
        } else {
          entries.delete(each.drop);
          map.delete(each.drop);
        }
        expect([...entries]).toEqual([...map]);
        for (const known of map.keys()) expect(entries.get(known)).toBe(map.get(known));
        expect(entries.get("13")).toBeUndefined();
      }
    }),
    { seed: 1 },
  );
});
