// Which tests are chosen, and played together.

import { expect, it } from "vitest";
import { batchesOf, chooseTests, namedTests } from "./batches.ts";

it("puts neighbours into different batches, each name into one", () => {
  expect(batchesOf(["a", "b", "c", "d", "e"], 2)).toEqual([["a", "d"], ["b", "e"], ["c"]]);
  expect(batchesOf([], 2)).toEqual([]);
});

it("chooses by letters, else by a regular expression, whatever their case", () => {
  const all = ["[sig-apps] Job works", "[sig-node] Pods work [Serial]", "[sig-node] Probes (http"];
  expect(chooseTests(all, "pods|job")).toEqual(all.slice(0, 2));
  expect(chooseTests(all, "[serial]")).toEqual([all[1]]);
  expect(chooseTests(all, "probes (HTTP")).toEqual([all[2]]);
  expect(chooseTests(all, "nothing (")).toEqual([]);
});

it("refuses a named test that the suite does not have", () => {
  expect(namedTests("# quick ones\n\nb\na\n", ["a", "b", "c"])).toEqual(["b", "a"]);
  expect(() => namedTests("a\nd\n", ["a"])).toThrow("the suite has no such test: d");
});
