// The list of known failures: its form, and what a run makes of it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acceptFailures, compareWithKnown, countBySig, readKnownFailures, writeKnownFailures } from "./known-failures.ts";
import type { Result, State } from "./suite-report.ts";

function result(name: string, state: State): Result {
  return { name, state, seconds: 1, reason: state, log: "" };
}

const all = ["[sig-apps] A", "[sig-apps] B", "[sig-node] C", "[sig-node] D", "[sig-node] E"] as const;
const known = new Map([
  [all[0], "no kernel"],
  [all[1], "no kernel"],
]);

describe("the list", () => {
  it("is written by reason, and read as it was written", () => {
    const text = writeKnownFailures(new Map([...known, [all[3], "a fault"]]));
    expect(text.split("\n").slice(2)).toEqual(["", "== a fault", all[3], "", "== no kernel", all[0], all[1], ""]);
    expect(readKnownFailures(text)).toEqual(new Map([...known, [all[3], "a fault"]]));
  });

  it("has a reason for every name, and every name once", () => {
    expect(() => readKnownFailures("# head\n[sig-apps] A\n")).toThrow("no reason stands above: [sig-apps] A");
    expect(() => readKnownFailures("== x\n[sig-apps] A\n== y\n[sig-apps] A\n")).toThrow("stands twice: [sig-apps] A");
  });

  it.each(["known-failures.txt", "known-failures-wider.txt"])(
    "stands in the folder in the form in which it is written: %s",
    (file) => {
      const text = readFileSync(join(import.meta.dirname, file), "utf8");
      expect(writeKnownFailures(readKnownFailures(text))).toBe(text);
    },
  );
});

describe("a run", () => {
  it("is held against the list: failures that it lacks, tests that pass, names that no test has", () => {
    const results = [result(all[0], "passed"), result(all[1], "failed"), result(all[2], "interrupted"), result(all[3], "skipped")];
    const comparison = compareWithKnown(new Map([...known, ["[sig-x] gone", "old"]]), results, all);
    expect(comparison).toEqual({ unexpected: [results[2]], mended: [all[0]], unknown: ["[sig-x] gone"] });
    expect(acceptFailures(known, comparison, "new")).toEqual(
      new Map([
        [all[1], "no kernel"],
        [all[2], "new"],
      ]),
    );
  });

  it("says nothing of tests that it did not play", () => {
    expect(compareWithKnown(known, [], all)).toEqual({ unexpected: [], mended: [], unknown: [] });
  });

  it("is counted by sig", () => {
    const results = [result(all[0], "failed"), result(all[1], "passed"), result(all[2], "interrupted"), result(all[3], "skipped")];
    expect(countBySig(all, results, known)).toEqual([
      { sig: "sig-apps", passed: 1, failed: 1, known: 1, skipped: 0, notRun: 0 },
      { sig: "sig-node", passed: 0, failed: 1, known: 0, skipped: 1, notRun: 1 },
      { sig: "all", passed: 1, failed: 2, known: 1, skipped: 1, notRun: 1 },
    ]);
  });
});
