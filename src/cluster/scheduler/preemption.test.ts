import { describe, expect, it } from "vitest";
import type { Pod, PodDisruptionBudget } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { Random } from "#sim/random.ts";
import { SchedulerCache } from "./cache.ts";
import { defaultProfile } from "./default-profile.ts";
import type { Rejection } from "./framework.ts";
import { NominatedPods } from "./nominations.ts";
import { PodInfo } from "./pod-info.ts";
import { bestCandidate, findCandidates } from "./preemption.ts";
import { SchedulingCycle } from "./scheduling-cycle.ts";

const base = { uid: "", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };

function pod(name: string, priority: number, cpu: string, startTime = "2026-01-01T00:00:00Z", spec: object = {}): Stored<Pod> {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...base, name, uid: name, namespace: "default", labels: { app: name } },
    spec: { priority, containers: [{ name: "main", resources: { requests: { cpu } } }], ...spec },
    status: { startTime },
  };
}

function world(placed: { readonly [node: string]: readonly Stored<Pod>[] }) {
  const cache = new SchedulerCache();
  for (const [name, pods] of Object.entries(placed)) {
    const status = { allocatable: { cpu: "2", memory: "4Gi", pods: "110" } };
    cache.setNode({ apiVersion: "v1", kind: "Node", metadata: { ...base, name, uid: name }, status });
    for (const one of pods) cache.setPod(one, name);
  }
  const profile = defaultProfile({ selectorFor: () => undefined }, []);
  const nominations = new NominatedPods();
  const random = new Random(1);
  return (preemptor: Stored<Pod>, budgets: readonly Stored<PodDisruptionBudget>[] = []) => {
    const info = new PodInfo(preemptor);
    const cycle = new SchedulingCycle({ percentageOfNodesToScore: 0, needsAll: false }, cache, nominations, random);
    const refused: ReadonlyMap<string, Rejection> = cycle.findFeasible(profile, info).refused;
    const outcome = findCandidates({ profile, cache, nominations, budgets, random }, info, refused);
    if (outcome.kind === "fail") return outcome.message;
    const best = bestCandidate(outcome.candidates);
    return `${best?.nodeName}: ${best?.victims.map(({ uid }) => uid).join(" ")}`;
  };
}

it("looks at no other node where the nominated one fits", () => {
  const cache = new SchedulerCache();
  for (const name of ["a", "b"]) {
    const status = { allocatable: { cpu: "2", memory: "4Gi", pods: "110" } };
    cache.setNode({ apiVersion: "v1", kind: "Node", metadata: { ...base, name, uid: name }, status });
  }
  const profile = defaultProfile({ selectorFor: () => undefined }, []);
  const limits = { percentageOfNodesToScore: 0, needsAll: false };
  const cycle = new SchedulingCycle(limits, cache, new NominatedPods(), new Random(1));
  const feasible = (cpu: string) => {
    const nominated = { ...pod("new", 0, cpu), status: { nominatedNodeName: "b" } };
    return cycle.findFeasible(profile, new PodInfo(nominated)).feasible.map(({ name }) => name);
  };
  expect(feasible("1")).toEqual(["b"]);
  cache.setPod(pod("old", 0, "2"), "b");
  expect(feasible("1")).toEqual(["a"]);
});

describe("preemption", () => {
  it("[WRK-373] puts back as many victims as possible, the most important first", () => {
    const run = world({ a: [pod("p1", 1, "500m"), pod("p2", 2, "500m"), pod("p3", 3, "1")] });
    expect(run(pod("new", 10, "1"))).toBe("a: p2 p1");
    expect(run(pod("new", 10, "500m"))).toBe("a: p1");
  });

  it.each([
    ["the lowest highest victim", { a: [pod("a1", 5, "2")], b: [pod("b1", 3, "2")] }, "b: b1"],
    ["the smallest sum", { a: [pod("a1", 5, "1"), pod("a2", 4, "1")], b: [pod("b1", 5, "1"), pod("b2", 1, "1")] }, "b: b1 b2"],
    ["the fewest victims", { a: [pod("a1", 5, "1"), pod("a2", -2_147_483_648, "1")], b: [pod("b1", 5, "2")] }, "b: b1"],
    [
      "the latest start",
      { a: [pod("a1", 5, "2", "2026-01-01T00:00:01Z")], b: [pod("b1", 5, "2", "2026-01-01T00:00:09Z")] },
      "b: b1",
    ],
  ])("[WRK-374] prefers the node with %s", (_title, placed, expected) => {
    expect(world(placed)(pod("new", 10, "2"))).toBe(expected);
  });

  it("[POD-488] [WRK-388] looks at priority, not at the class of quality", () => {
    const guaranteed = { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1", memory: "1Gi" } };
    const placed = (guaranteedPriority: number) => ({
      a: [
        pod("guaranteed", guaranteedPriority, "1", undefined, { containers: [{ name: "main", resources: guaranteed }] }),
        pod("burstable", 5, "1"),
      ],
    });
    expect(world(placed(4))(pod("new", 10, "1"))).toBe("a: guaranteed");
    expect(world(placed(6))(pod("new", 10, "1"))).toBe("a: burstable");
  });

  it("[WRK-374] [WRK-385] avoids breaking a disruption budget, but is not held back by one", () => {
    const budget: Stored<PodDisruptionBudget> = {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { ...base, name: "x", namespace: "default" },
      spec: { selector: { matchLabels: { app: "a1" } } },
      status: { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 1 },
    };
    expect(world({ a: [pod("a1", 1, "2")], b: [pod("b1", 5, "2")] })(pod("new", 10, "2"), [budget])).toBe("b: b1");
    expect(world({ a: [pod("a1", 1, "2")] })(pod("new", 10, "2"), [budget])).toBe("a: a1");
  });

  it("[WRK-383] [WRK-339] says why it cannot help", () => {
    const run = world({ a: [pod("a1", 10, "2")], b: [pod("b1", 10, "2")] });
    expect(run(pod("new", 10, "1"))).toBe("0/2 nodes are available: 2 No preemption victims found for incoming pod.");
    expect(run(pod("new", 10, "3"))).toBe("0/2 nodes are available: 2 Preemption is not helpful for scheduling.");
  });

  it("[POD-488] looks at priorities, not at the class of service", () => {
    const whole = { requests: { cpu: "2", memory: "1Gi" }, limits: { cpu: "2", memory: "1Gi" } };
    const guaranteed = pod("guaranteed", 1, "2", undefined, { containers: [{ name: "main", resources: whole }] });
    const run = world({ a: [guaranteed], b: [pod("burstable", 2, "2")] });
    expect(run(pod("new", 10, "1"))).toBe("a: guaranteed");
  });

  it("[WRK-382] never preempts for a Pod that says so", () => {
    const run = world({ a: [pod("a1", 1, "2")] });
    expect(run(pod("new", 10, "1", "", { preemptionPolicy: "Never" }))).toBe("not eligible due to preemptionPolicy=Never.");
  });
});
