import { expect, it } from "vitest";
import { lateNames } from "./index.ts";
import { lateCode } from "./late-code.ts";

it("builtins that come late are known by their names before", () => {
  expect([...lateCode.keys()].sort()).toEqual([...lateNames].sort());
});
