// The program of `npm run cluster` as a process of its own: what it prints and how it leaves.

import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { helpText } from "./arguments.ts";

it("prints its options and leaves with 0 when asked for help", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["src/server/main.ts", "--help"], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${helpText}\n`, stderr: "" });
});
