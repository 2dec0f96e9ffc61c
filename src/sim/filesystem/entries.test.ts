// Entries behave as a map does, few or many.

import fc from "fast-check";
import { expect, it } from "vitest";
import { type Entries, eachEntry, entryOf, noEntries, withEntry, withoutEntry } from "./entries.ts";

it("has what a map has, in its order, as names come and go", () => {
  const name = fc.integer({ min: 0, max: 12 }).map(String);
  const step = fc.oneof(fc.record({ set: name, value: fc.integer() }), fc.record({ drop: name }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let entries: Entries<number> = noEntries;
      const map = new Map<string, number>();
      for (const each of steps) {
        if ("set" in each) {
          entries = withEntry(entries, each.set, each.value);
          map.set(each.set, each.value);
        } else {
          entries = withoutEntry(entries, each.drop);
          map.delete(each.drop);
        }
        expect([...eachEntry(entries)]).toEqual([...map]);
        for (const known of map.keys()) expect(entryOf(entries, known)).toBe(map.get(known));
        expect(entryOf(entries, "13")).toBeUndefined();
      }
    }),
    { seed: 1 },
  );
});
