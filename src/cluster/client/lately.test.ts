import { expect, it } from "vitest";
import { Lately, type Used } from "./lately.ts";

interface Item extends Used<Item> {
  readonly name: string;
}

it("lets go of what was not used for longest, and takes it back", () => {
  const lately = new Lately<Item>(3);
  const items = new Map(
    ["a", "b", "c", "d", "e"].map((name): [string, Item] => [name, { name, older: undefined, newer: undefined }]),
  );
  const gone = (names: string): string => [...names].map((name) => lately.use(items.get(name) as Item)?.name ?? "-").join("");
  expect(gone("abc")).toBe("---");
  expect(gone("aad")).toBe("--b");
  expect(gone("cb")).toBe("-a");
  expect(gone("eabc")).toBe("dc-e");
});
