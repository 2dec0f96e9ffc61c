// The table of a run and its JUnit.

import { expect, it } from "vitest";
import { junitOf } from "./junit.ts";
import { countsTable } from "./results.ts";

it("shows a table by sig with the sum below", () => {
  const counts = [
    { sig: "sig-apps", passed: 40, failed: 2, known: 1, skipped: 3, notRun: 0 },
    { sig: "all", passed: 40, failed: 2, known: 1, skipped: 3, notRun: 0 },
  ];
  expect(countsTable(counts)).toBe(
    [
      "| sig      | passed | failed | known | skipped | not run |",
      "| -------- | -----: | -----: | ----: | ------: | ------: |",
      "| sig-apps |     40 |      2 |     1 |       3 |       0 |",
      "| all      |     40 |      2 |     1 |       3 |       0 |",
      "",
    ].join("\n"),
  );
});

it("writes JUnit: a suite for each sig, failures with their log, what was not run", () => {
  const text = junitOf(
    [
      { name: "[sig-node] B", state: "failed", seconds: 2, reason: 'got <nil> & "x"\nmore', log: "a\u001b[0m" },
      { name: "[sig-apps] A", state: "passed", seconds: 1.5, reason: "", log: "quiet" },
    ],
    ["[sig-node] C"],
  );
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="sig-apps" tests="1" failures="0" skipped="0" time="1.500">
    <testcase classname="conformance" name="[sig-apps] A" time="1.500"/>
  </testsuite>
  <testsuite name="sig-node" tests="2" failures="1" skipped="1" time="2.000">
    <testcase classname="conformance" name="[sig-node] B" time="2.000"><failure message="got &lt;nil&gt; &amp; &quot;x&quot;">got &lt;nil&gt; &amp; &quot;x&quot;
more</failure><system-out>a[0m</system-out></testcase>
    <testcase classname="conformance" name="[sig-node] C" time="0.000"><skipped message="not run"/></testcase>
  </testsuite>
</testsuites>
`);
});
