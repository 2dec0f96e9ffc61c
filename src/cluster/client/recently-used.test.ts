import { expect, it } from "vitest";
import { RecentlyUsed } from "./recently-used.ts";

it("keeps what was used lately, whatever came and went meanwhile", () => {
  const recent = new RecentlyUsed<number>(3);
  const kept = (): readonly string[] => ["a", "b", "c", "d", "e", "f"].filter((key) => recent.get(key) !== undefined);
  for (const [index, key] of ["a", "b", "c", "a", "d"].entries()) recent.set(key, index);
  expect(kept()).toEqual(["a", "c", "d"]);
  recent.delete("c");
  recent.set("e", 5);
  expect(kept()).toEqual(["a", "d", "e"]);
  recent.set("c", 6);
  expect(kept()).toEqual(["c", "d", "e"]);
  for (const key of ["d", "e", "a", "b"]) recent.set(key, 7);
  expect(kept()).toEqual(["a", "b", "e"]);
});
