import { describe, expect, it } from "vitest";
import type { JsonObject } from "#cluster/api/wire.ts";
import { keptOrder, mergedGroups } from "./merged-groups.ts";

const resource = (name: string, verbs: readonly string[], ...below: readonly string[]): JsonObject => ({
  resource: name,
  verbs,
  ...(below.length === 0 ? {} : { subresources: below.map((subresource) => ({ subresource })) }),
});
const group = (name: string, ...versions: readonly (readonly [string, ...JsonObject[]])[]): JsonObject => ({
  metadata: { name },
  versions: versions.map(([version, ...resources]) => ({ version, resources, freshness: "Current" })),
});

describe("names of several lists", () => {
  it.each<readonly [string, readonly (readonly string[])[], readonly string[]]>([
    [
      "keep the order of a list that has all",
      [
        ["b", "a"],
        ["b", "a", "c"],
      ],
      ["b", "a", "c"],
    ],
    [
      "stand by their texts where nothing is said",
      [
        ["a", "c"],
        ["b", "c"],
      ],
      ["a", "b", "c"],
    ],
    [
      "keep the order of each list",
      [
        ["z", "m"],
        ["m", "a"],
      ],
      ["z", "m", "a"],
    ],
    [
      "are all there where lists disagree",
      [
        ["a", "b", "x"],
        ["b", "a", "y"],
      ],
      ["a", "b", "x", "y"],
    ],
  ])("%s", (_title, lists, order) => {
    expect(keptOrder(lists)).toEqual(order);
  });
});

describe("[API-322] what several servers serve", () => {
  it("adds up: groups, versions, resources, verbs and subresources", () => {
    const old = [group("apps", ["v1", resource("sets", ["list", "get"])]), group("batch", ["v1", resource("jobs", ["get"])])];
    const newer = [
      group(
        "apps",
        ["v2", resource("sets", ["get"])],
        ["v1", resource("sets", ["watch", "get"], "status", "scale"), resource("tiers", ["get"])],
      ),
    ];
    expect(
      mergedGroups(
        new Map([
          ["b", newer],
          ["a", old],
        ]),
      ),
    ).toEqual([
      group(
        "apps",
        ["v2", resource("sets", ["get"])],
        ["v1", resource("sets", ["get", "list", "watch"], "scale", "status"), resource("tiers", ["get"])],
      ),
      group("batch", ["v1", resource("jobs", ["get"])]),
    ]);
  });

  it("is the server's own list where nobody knows more", () => {
    const own = [group("apps", ["v1", resource("sets", ["get"])])];
    expect(
      mergedGroups(
        new Map([
          ["a", own],
          ["b", own],
        ]),
      ),
    ).toEqual(own);
  });
});
