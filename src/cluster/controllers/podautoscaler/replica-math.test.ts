import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { usualAutoscaling } from "./autoscaling-settings.ts";
import {
  averageReplicas,
  MetricFailure,
  type Sample,
  type Scene,
  sharedReplicas,
  utilizationReplicas,
  valueReplicas,
} from "./replica-math.ts";

const nowMs = 1_767_225_600_000;
const ago = (seconds: number) => formatTime(nowMs - seconds * 1000);

interface Kind {
  readonly phase?: string;
  readonly ready?: "True" | "False";
  /** Seconds ago. */
  readonly started?: number;
  readonly changed?: number;
  readonly deleted?: boolean;
  readonly spec?: object;
}

/** Of 1000 millicores each, up for an hour. */
function podOf(name: string, kind: Kind = {}): Stored<Pod> {
  const { phase = "Running", ready = "True", started = 3600, changed = 3590, deleted = false } = kind;
  const spec = kind.spec ?? { containers: [{ name: "web", resources: { requests: { cpu: "1" } } }] };
  return {
    metadata: { name, namespace: "default", labels: { app: "web" }, ...(deleted ? { deletionTimestamp: ago(1) } : {}) },
    spec,
    status: {
      phase,
      startTime: ago(started),
      conditions: [{ type: "Ready", status: ready, lastTransitionTime: ago(changed) }],
    },
  } as unknown as Stored<Pod>;
}

function sceneOf(pods: readonly Stored<Pod>[], more: Partial<Scene> = {}): Scene {
  const tolerances = { up: 0.1, down: 0.1 };
  return { nowMs, pods, specReplicas: pods.length, statusReplicas: pods.length, tolerances, settings: usualAutoscaling, ...more };
}

const sampleOf = (value: number, ageSeconds = 10): Sample => ({ value, timeMs: nowMs - ageSeconds * 1000, windowMs: 15_000 });

function samplesOf(pods: readonly Stored<Pod>[], values: readonly (number | undefined)[]): Map<string, Sample> {
  return new Map(
    values.flatMap((value, index) => (value === undefined ? [] : [[pods[index]?.metadata.name ?? "", sampleOf(value)] as const])),
  );
}

const cpu = (percent: number) => ({ percent, resource: "cpu", container: "" });

describe("replicas for a utilization", () => {
  /** Pods by kind and use in millicores. */
  type Given = readonly (readonly [use: number | undefined, kind?: Kind])[];

  it.each<readonly [string, Given, number, { readonly replicas: number; readonly utilization?: number }]>([
    ["[WRK-157] use over target times the Pods, rounded up", [[300], [500], [700]], 30, { replicas: 5, utilization: 50 }],
    ["[WRK-157] fewer where less is used", [[100], [100], [100], [100], [100]], 50, { replicas: 1, utilization: 10 }],
    ["[WRK-157] as many within a tenth above", [[500], [600]], 50, { replicas: 2, utilization: 55 }],
    ["[WRK-157] one more beyond it", [[560], [560]], 50, { replicas: 3, utilization: 56 }],
    ["[WRK-157] as many within a tenth below", [[450], [450]], 50, { replicas: 2, utilization: 45 }],
    [
      "[WRK-157] one less beyond it",
      [[430], [430], [430], [430], [430], [430], [430], [430]],
      50,
      { replicas: 7, utilization: 43 },
    ],
    [
      "[WRK-162] on the way up a Pod that is not ready uses nothing",
      [[900], [900], [undefined, { phase: "Pending", ready: "False" }]],
      50,
      { replicas: 4, utilization: 90 },
    ],
    [
      "[WRK-162] on the way up a Pod without metrics uses nothing",
      [[900], [900], [undefined]],
      50,
      { replicas: 4, utilization: 90 },
    ],
    [
      "[WRK-162] on the way down a Pod without metrics uses all that it requests",
      [[100], [100], [100], [undefined]],
      50,
      { replicas: 3, utilization: 10 },
    ],
    [
      "[WRK-162] Pods without metrics never turn the direction",
      [[600], [undefined], [undefined]],
      50,
      { replicas: 3, utilization: 60 },
    ],
    ["[WRK-162] failed Pods do not count", [[800], [undefined, { phase: "Failed" }]], 50, { replicas: 2, utilization: 80 }],
    ["[WRK-162] Pods that are being deleted do not count", [[800], [100, { deleted: true }]], 50, { replicas: 2, utilization: 80 }],
    [
      "[WRK-162] a young Pod that became ready after its last measuring does not count as ready",
      [[900], [900, { started: 60, changed: 12 }]],
      50,
      { replicas: 2, utilization: 90 },
    ],
    [
      "[WRK-162] a young Pod that was ready for a whole window counts",
      [[900], [900, { started: 60, changed: 40 }]],
      50,
      { replicas: 4, utilization: 90 },
    ],
    [
      "[WRK-162] an old Pod that is not ready any more counts",
      [[900], [900, { ready: "False", changed: 20 }]],
      50,
      { replicas: 4, utilization: 90 },
    ],
    [
      "[WRK-162] an old Pod that never was ready does not",
      [[900], [900, { ready: "False", changed: 3595 }]],
      50,
      { replicas: 2, utilization: 90 },
    ],
  ])("%s", (_title, given, percent, expected) => {
    const pods = given.map(([, kind], index) => podOf(`web-${index}`, kind));
    const samples = samplesOf(
      pods,
      given.map(([use]) => use),
    );
    expect(utilizationReplicas(sceneOf(pods), samples, cpu(percent))).toMatchObject(expected);
  });

  const containers = (...requests: readonly (string | undefined)[]) => ({
    containers: requests.map((request, index) => ({
      name: `c${index}`,
      resources: request === undefined ? {} : { requests: { cpu: request } },
    })),
  });

  it.each<readonly [string, object, string, number]>([
    ["all containers together", containers("300m", "700m"), "", 1000],
    [
      "sidecars, too",
      { ...containers("300m"), initContainers: [{ name: "s", restartPolicy: "Always", resources: { requests: { cpu: "200m" } } }] },
      "",
      500,
    ],
    [
      "but not what only prepares",
      { ...containers("300m"), initContainers: [{ name: "i", resources: { requests: { cpu: "2" } } }] },
      "",
      300,
    ],
    ["one container where one is named", containers("300m", "700m"), "c1", 700],
    [
      "the Pod's own request before those of its containers",
      { ...containers("300m"), resources: { requests: { cpu: "2" } } },
      "",
      2000,
    ],
  ])("relates the use to the request of %s", (_title, spec, container, request) => {
    const pods = [podOf("web-0", { spec })];
    const result = utilizationReplicas(sceneOf(pods), samplesOf(pods, [request / 2]), { percent: 50, resource: "cpu", container });
    expect(result).toMatchObject({ replicas: 1, utilization: 50, value: request / 2 });
  });

  it.each<readonly [string, readonly Stored<Pod>[], number | undefined, string, string]>([
    [
      "[WRK-162] a container without a request",
      [podOf("web-0", { spec: containers("1", undefined) })],
      1,
      "",
      "missing request for cpu in container c1 of Pod web-0",
    ],
    ["a container that is not there", [podOf("web-0")], 1, "db", "container db not found in Pod web-0"],
    ["no Pods", [], undefined, "", "no pods returned by selector while calculating replica count"],
    [
      "Pods that are all unready",
      [podOf("web-0", { phase: "Pending" })],
      undefined,
      "",
      "did not receive metrics for targeted pods (pods might be unready)",
    ],
    [
      "a Pod with a request for memory only",
      [podOf("web-0", { spec: { ...containers(undefined), resources: { requests: { memory: "1Gi" } } } })],
      1,
      "",
      "missing pod-level request for cpu in Pod web-0",
    ],
  ])("gives no number for %s", (_title, pods, use, container, message) => {
    const samples = samplesOf(pods, [use]);
    expect(() => utilizationReplicas(sceneOf(pods), samples, { percent: 50, resource: "cpu", container })).toThrow(
      new MetricFailure(message),
    );
  });
});

describe("replicas for values", () => {
  const pods = ["web-0", "web-1", "web-2"].map((name) => podOf(name));

  it("go by the average of the Pods", () => {
    const samples = samplesOf(pods, [10_000, 20_000, 30_000]);
    expect(averageReplicas(sceneOf(pods), samples, { value: 15_000, resource: "" })).toEqual({ replicas: 4, value: 20_000 });
  });

  it("take the target for a Pod that says nothing, on the way down", () => {
    const samples = samplesOf(pods, [1000, 1000]);
    expect(averageReplicas(sceneOf(pods), samples, { value: 10_000, resource: "" })).toEqual({ replicas: 2, value: 1000 });
  });

  it.each([
    [3, 33_000, 15_000, 7],
    [3, 16_000, 15_000, 3],
    [0, 33_000, 15_000, 3],
  ])("of an object go by the Pods that are ready: %d replicas, %d of %d", (specReplicas, value, target, replicas) => {
    expect(valueReplicas(sceneOf(pods, { specReplicas }), value, target)).toEqual({ replicas, value });
  });

  it("that Pods share are divided among them", () => {
    expect(sharedReplicas(sceneOf(pods), 100_000, 20_000)).toEqual({ replicas: 5, value: 33_334 });
    expect(sharedReplicas(sceneOf(pods), 62_000, 20_000)).toEqual({ replicas: 3, value: 20_667 });
  });
});

describe("laws of the replica math", () => {
  const someUses = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 12 });
  const somePercent = fc.integer({ min: 1, max: 200 });
  const replicasFor = (uses: readonly (number | undefined)[], percent: number): number => {
    const pods = uses.map((_, index) => podOf(`web-${index}`));
    return utilizationReplicas(sceneOf(pods), samplesOf(pods, uses), cpu(percent)).replicas;
  };

  it("[WRK-157] nothing changes within the tolerance, and something does beyond it", () => {
    fc.assert(
      fc.property(someUses, somePercent, (uses, percent) => {
        const utilization = Math.trunc((100 * uses.reduce((sum, use) => sum + use, 0)) / (1000 * uses.length));
        const ratio = utilization / percent;
        const replicas = replicasFor(uses, percent);
        if (ratio >= 0.9 && ratio <= 1.1) expect(replicas).toBe(uses.length);
        else expect(replicas).toBe(Math.ceil(ratio * uses.length));
      }),
    );
  });

  it("more use never asks for fewer", () => {
    fc.assert(
      fc.property(someUses, somePercent, fc.nat(11), fc.integer({ min: 1, max: 3000 }), (uses, percent, which, more) => {
        const busier = uses.map((use, index) => (index === which % uses.length ? use + more : use));
        expect(replicasFor(busier, percent)).toBeGreaterThanOrEqual(replicasFor(uses, percent));
      }),
    );
  });

  it("a higher target never asks for more", () => {
    fc.assert(
      fc.property(someUses, somePercent, fc.integer({ min: 1, max: 100 }), (uses, percent, more) => {
        expect(replicasFor(uses, percent + more)).toBeLessThanOrEqual(replicasFor(uses, percent));
      }),
    );
  });

  it("[WRK-162] Pods of which nothing is known hold back: the number never moves further than without them, nor the other way", () => {
    const some = fc.array(fc.option(fc.integer({ min: 0, max: 4000 }), { nil: undefined }), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(some, somePercent, (uses, percent) => {
        const known = uses.filter((use) => use !== undefined);
        fc.pre(known.length > 0);
        const utilization = Math.trunc((100 * known.reduce((sum, use) => sum + use, 0)) / (1000 * known.length));
        const replicas = replicasFor(uses, percent);
        if (utilization < percent) expect(replicas).toBeLessThanOrEqual(uses.length);
        if (utilization > percent) expect(replicas).toBeGreaterThanOrEqual(uses.length);
      }),
    );
  });
});
