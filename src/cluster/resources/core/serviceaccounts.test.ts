import { expect, it } from "vitest";
import { rowOf } from "../strategy.test-kit.ts";
import { serviceAccounts } from "./serviceaccounts.ts";

// pkg/printers/internalversion/printers.go: references to Secrets drive nothing, and are not counted.
it("service accounts show their name and age, and no number of Secrets", () => {
  const account = { metadata: { name: "robot" }, secrets: [{ name: "robot-token" }] };
  expect(Object.keys(rowOf(serviceAccounts, account))).toEqual(["Name", "Age"]);
});
