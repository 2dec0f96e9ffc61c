import { describe, expect, it } from "vitest";
import { SchedulerCache } from "./cache.ts";
import { defaultProfile } from "./default-profile.ts";
import { countReasons, fitErrorMessage } from "./fit-error.ts";
import { rejection } from "./framework.ts";
import { nodeName } from "./plugins/node-name.ts";
import { PodInfo } from "./pod-info.ts";
import { podRequests } from "./resources.ts";
import { feasibleNodesToFind } from "./scheduling-cycle.ts";
import { isTolerated } from "./tolerations.ts";

describe("what a Pod asks for", () => {
  const container = (cpu: string, extra: object = {}) => ({ name: "c", resources: { requests: { cpu } }, ...extra });
  it.each([
    ["[WRK-338] containers together", { containers: [container("100m"), container("200m")] }, 300],
    [
      "[WRK-338] or the largest init step",
      { containers: [container("100m")], initContainers: [container("1"), container("500m")] },
      1000,
    ],
    [
      "[WRK-338] sidecars count with both",
      { containers: [container("100m")], initContainers: [container("200m", { restartPolicy: "Always" }), container("500m")] },
      700,
    ],
    ["[WRK-338] and the overhead", { containers: [container("100m")], overhead: { cpu: "50m" } }, 150],
  ])("%s", (_title, spec, milliCpu) => {
    expect(podRequests(spec).milliCpu).toBe(milliCpu);
  });

  it("[WRK-351] counts 100m and 200 MiB for a container without requests, in scores only", () => {
    const spec = { containers: [{ name: "c" }] };
    expect(podRequests(spec)).toMatchObject({ milliCpu: 0, memory: 0 });
    expect(podRequests(spec, true)).toMatchObject({ milliCpu: 100, memory: 200 * 1024 * 1024 });
  });
});

describe("tolerations", () => {
  const taint = { key: "a", value: "b", effect: "NoSchedule" };
  it.each([
    ["equal value", { key: "a", operator: "Equal", value: "b", effect: "NoSchedule" }, true],
    ["Equal by default", { key: "a", value: "b" }, true],
    ["another value", { key: "a", value: "c" }, false],
    ["Exists", { key: "a", operator: "Exists" }, true],
    ["all keys", { operator: "Exists" }, true],
    ["another effect", { key: "a", operator: "Exists", effect: "NoExecute" }, false],
    ["empty key without Exists", { value: "b" }, false],
  ])("[WRK-331] %s", (_title, toleration, expected) => {
    expect(isTolerated(taint, [toleration])).toBe(expected);
  });
});

describe("node sampling", () => {
  it.each([
    [3, 3],
    [99, 99],
    [100, 100],
    [1000, 420],
    [5000, 500],
    [10_000, 500],
  ])("[WRK-315] of %i nodes looks for %i", (total, expected) => {
    expect(feasibleNodesToFind(total)).toBe(expected);
  });
});

it("[WRK-320] sorts reasons as text", () => {
  const reasons = ["b", "a", "b"].map((reason) => rejection("x", reason));
  expect(fitErrorMessage(3, countReasons(reasons))).toBe("0/3 nodes are available: 1 a, 2 b.");
});

it("[WRK-359] no plugin of the default profile scores all nodes alike, or only by Services: EqualPriority and ServiceSpreading are gone", () => {
  const { scoring } = defaultProfile({ selectorFor: () => undefined }, []);
  expect(scoring.map(({ plugin }) => plugin.name).sort()).toEqual([
    "ImageLocality",
    "InterPodAffinity",
    "NodeAffinity",
    "NodeResourcesBalancedAllocation",
    "NodeResourcesFit",
    "PodTopologySpread",
    "TaintToleration",
  ]);
});

it("[WRK-329] NodeName refuses all nodes but the one that the Pod names, and no removal of Pods helps", () => {
  const metadata = { uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
  const cache = new SchedulerCache();
  for (const name of ["a", "b"]) cache.setNode({ apiVersion: "v1", kind: "Node", metadata: { ...metadata, name } });
  const refusals = (named: string) => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, name: "p", namespace: "default" } };
    const prepared = nodeName.prepareFilter?.(
      new PodInfo({ ...pod, spec: { nodeName: named, containers: [{ name: "main" }] } }),
      cache,
    );
    return prepared?.kind === "filter" ? cache.nodes.map((node) => prepared.filter(node)) : prepared?.kind;
  };
  expect(refusals("a")).toEqual([
    undefined,
    { plugin: "NodeName", reasons: ["node(s) didn't match the requested node name"], unresolvable: true },
  ]);
  expect(refusals("")).toBe("skip");
});
