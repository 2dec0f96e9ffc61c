// What is read out of the suite's own output.

import { expect, it } from "vitest";
import { focusOn, isAlone, readSuiteReport, readTestList, sigOf } from "./suite-report.ts";

const spec = {
  ContainerHierarchyTexts: ["[sig-node] Pods", ""],
  LeafNodeType: "It",
  LeafNodeText: "should be updated [Conformance]",
  RunTime: 2_500_000_000,
  NumAttempts: 1,
};

function report(...specs: readonly object[]): string {
  return JSON.stringify([{ SpecReports: specs }]);
}

it("reads the names out of the list of tests, without places and other lines", () => {
  const text = `The following spec names can be used with 'ginkgo run --focus/skip':
    k8s.io/kubernetes@v1.36.3/test/e2e/node/b.go:12: [sig-node] B works: [Conformance]
    k8s.io/kubernetes@v1.36.3/test/e2e/apps/a.go:7: [sig-apps] A works
`;
  expect(readTestList(text)).toEqual(["[sig-apps] A works", "[sig-node] B works: [Conformance]"]);
});

it("knows a test's sig, and whether it wants the cluster for itself", () => {
  expect(sigOf("[sig-api-machinery] Watchers should")).toBe("sig-api-machinery");
  expect(sigOf("Watchers should")).toBe("without a sig");
  expect(["[Serial]", "[Disruptive]", "[Slow]"].map((tag) => isAlone(`[sig-apps] A ${tag} works`))).toEqual([true, true, false]);
});

it("focuses on whole names behind the suite's title, letter by letter", () => {
  const names = ["[sig-node] A (x|y) works.", "[sig-node] B $HOME*"];
  const focus = new RegExp(focusOn(names));
  for (const name of names) expect(focus.test(`Kubernetes e2e suite ${name}`)).toBe(true);
  expect(focus.test("Kubernetes e2e suite [sig-node] A (x|y) works. Twice")).toBe(false);
  expect(focus.test("Kubernetes e2e suite [sig-node] A x works.")).toBe(false);
});

it("reads what passed, failed and was broken off, with the place and every message", () => {
  const { results, setupFailure } = readSuiteReport(
    report(
      { LeafNodeType: "SynchronizedBeforeSuite", LeafNodeText: "", ContainerHierarchyTexts: null, State: "passed", RunTime: 1 },
      { ...spec, State: "passed", CapturedGinkgoWriterOutput: "logged" },
      {
        ...spec,
        LeafNodeText: "B",
        State: "panicked",
        Failure: { Message: "no Pod\nat all ", Location: { FileName: "pods.go", LineNumber: 7 } },
        AdditionalFailures: [{ Failure: { Message: "nor cleaned up" } }],
      },
      { ...spec, LeafNodeText: "C", State: "interrupted", Failure: { Message: "Interrupted by User" } },
      { ...spec, LeafNodeText: "D", State: "skipped", Failure: { Message: "needs SSH" } },
    ),
  );
  expect(setupFailure).toBeUndefined();
  expect(results).toEqual([
    { name: "[sig-node] Pods should be updated [Conformance]", state: "passed", seconds: 2.5, reason: "", log: "logged" },
    { name: "[sig-node] Pods B", state: "failed", seconds: 2.5, reason: "no Pod\nat all (pods.go:7)\nnor cleaned up", log: "" },
    { name: "[sig-node] Pods C", state: "interrupted", seconds: 2.5, reason: "Interrupted by User", log: "" },
    { name: "[sig-node] Pods D", state: "skipped", seconds: 2.5, reason: "needs SSH", log: "" },
  ]);
});

it("leaves out what was not tried, and says why nothing was", () => {
  const text = report(
    { ...spec, LeafNodeType: "SynchronizedBeforeSuite", State: "failed", Failure: { Message: "no nodes" } },
    { ...spec, State: "skipped", NumAttempts: 0 },
  );
  expect(readSuiteReport(text)).toEqual({ results: [], setupFailure: "no nodes" });
});
