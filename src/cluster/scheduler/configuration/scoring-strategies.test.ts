import { describe, expect, it } from "vitest";
import type { Node, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { NodeInfo } from "../node-info.ts";
import { PodInfo } from "../pod-info.ts";
import { balanceScorer, strategyScorer } from "./scoring-strategies.ts";
import type { ResourceSpec, ScoringStrategy } from "./shapes.ts";

const base = { resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };

type Requests = { readonly [name: string]: string };

function pod(name: string, requests: Requests): PodInfo {
  const one: Stored<Pod> = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...base, name, namespace: "default", uid: name },
    spec: { containers: [{ name: "main", image: "nginx", resources: { requests } }] },
  };
  return new PodInfo(one);
}

/** 4 processors, 8 GiB, 4 devices; `used` runs there. */
function node(used: Requests): NodeInfo {
  const info = new NodeInfo("a", 0);
  const allocatable = { cpu: "4", memory: "8Gi", pods: "110", "example.com/gpu": "4" };
  const one: Stored<Node> = { apiVersion: "v1", kind: "Node", metadata: { ...base, name: "a", uid: "a" }, status: { allocatable } };
  info.setNode(one);
  info.addPod(pod("used", used));
  return info;
}

const both: readonly ResourceSpec[] = [
  { name: "cpu", weight: 1 },
  { name: "memory", weight: 1 },
];
const used = { cpu: "1", memory: "4Gi" };
const asked = { cpu: "1", memory: "2Gi" };

describe("NodeResourcesFit scores", () => {
  const shape = (points: readonly (readonly [number, number])[]): NonNullable<ScoringStrategy["requestedToCapacityRatio"]> => ({
    shape: points.map(([utilization, score]) => ({ utilization, score })),
  });
  it.each<[string, ScoringStrategy, Requests, number]>([
    // cpu 2 of 4, memory 6 of 8 GiB.
    ["what is left: (50 + 25) / 2", { type: "LeastAllocated", resources: both }, asked, 37],
    [
      "by weight: (3·50 + 25) / 4",
      {
        type: "LeastAllocated",
        resources: [
          { name: "cpu", weight: 3 },
          { name: "memory", weight: 1 },
        ],
      },
      asked,
      43,
    ],
    ["what is taken: (50 + 75) / 2", { type: "MostAllocated", resources: both }, asked, 62],
    ["nothing for more than there is", { type: "LeastAllocated", resources: [{ name: "cpu", weight: 1 }] }, { cpu: "5" }, 0],
    ["all for more than there is", { type: "MostAllocated", resources: [{ name: "cpu", weight: 1 }] }, { cpu: "5" }, 100],
    [
      "an extended resource that the Pod asks for: (50 + 25) / 2",
      {
        type: "MostAllocated",
        resources: [
          { name: "cpu", weight: 1 },
          { name: "example.com/gpu", weight: 1 },
        ],
      },
      { ...asked, "example.com/gpu": "1" },
      37,
    ],
    [
      "none that it does not ask for",
      {
        type: "MostAllocated",
        resources: [
          { name: "cpu", weight: 1 },
          { name: "example.com/gpu", weight: 1 },
        ],
      },
      asked,
      50,
    ],
    [
      "100m of a processor for a Pod that asks for none",
      { type: "MostAllocated", resources: [{ name: "cpu", weight: 1 }] },
      { memory: "1Gi" },
      27,
    ],
    [
      "along a line upwards: 50 and 75",
      {
        type: "RequestedToCapacityRatio",
        resources: both,
        requestedToCapacityRatio: shape([
          [0, 0],
          [100, 10],
        ]),
      },
      asked,
      63,
    ],
    [
      "along a line that bends: 60 at 50 %, 80 at 75 %",
      {
        type: "RequestedToCapacityRatio",
        resources: both,
        requestedToCapacityRatio: shape([
          [0, 0],
          [50, 6],
          [100, 10],
        ]),
      },
      asked,
      70,
    ],
    [
      "resources that score 0 do not count",
      {
        type: "RequestedToCapacityRatio",
        resources: both,
        requestedToCapacityRatio: shape([
          [50, 0],
          [100, 10],
        ]),
      },
      asked,
      50,
    ],
  ])("%s", (_title, strategy, requests, score) => {
    expect(strategyScorer(strategy, pod("new", requests)).score(node(used))).toBe(score);
  });
});

describe("NodeResourcesBalancedAllocation scores", () => {
  it.each<[string, readonly ResourceSpec[], Requests, number | undefined]>([
    // Before |1/4 - 4/8| / 2, after |2/4 - 6/8| / 2.
    ["no change", both, asked, 75],
    // After |2/4 - 4/8| / 2.
    ["a balance that is made", both, { cpu: "1" }, 81],
    // After |1/4 - 8/8| / 2.
    ["a balance that is lost", both, { memory: "4Gi" }, 62],
    // Before: 0.25, 0.5, 0 (deviation 0.204); after: 0.5, 0.75, 0.5 (deviation 0.118).
    [
      "three resources by their standard deviation",
      [...both, { name: "example.com/gpu" }],
      { ...asked, "example.com/gpu": "2" },
      79,
    ],
    ["nothing for a Pod that asks for none of them", both, {}, undefined],
  ])("%s", (_title, resources, requests, score) => {
    expect(balanceScorer(resources, pod("new", requests))?.score(node(used))).toBe(score);
  });
});
