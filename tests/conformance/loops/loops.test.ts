// Every loop under faults: a few seeds in every run, others at each commit; PILOTHOUSE_LAW_SEEDS=1000 runs so many.

import { describe, expect, it } from "vitest";
import { keep } from "./law.test-kit.ts";
import { laws } from "./laws.ts";

const seeds = Number(process.env["PILOTHOUSE_LAW_SEEDS"] ?? 4);
const first = Number(process.env["PILOTHOUSE_LAW_FIRST"] ?? 1);
const only = process.env["PILOTHOUSE_LAW"];

describe("a loop comes to what was asked for, whatever goes wrong meanwhile", () => {
  it.each([...laws].filter(([name]) => only === undefined || name === only))("%s", (_name, law) => {
    const failures: string[] = [];
    for (let seed = first; seed < first + seeds; seed += 1) {
      try {
        keep(law, seed);
      } catch (error) {
        failures.push(error instanceof Error && error.name === "Broken" ? error.message : String((error as Error).stack));
      }
    }
    expect(failures.slice(0, 3).join("\n\n")).toBe("");
  });
});
