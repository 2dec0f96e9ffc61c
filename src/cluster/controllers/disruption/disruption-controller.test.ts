import { describe, expect, it } from "vitest";
import type { PodDisruptionBudget } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { deploymentController } from "../deployment/deployment-controller.ts";
import { replicaSetController } from "../replicaset/replicaset-controller.ts";
import { disruptionController } from "./disruption-controller.ts";

const key = { namespace: "default", name: "web" };
const selector = { matchLabels: { app: "web" } };

function start(spec: NonNullable<PodDisruptionBudget["spec"]>, replicas = 4) {
  const plane = startControlPlane({ definitions: [disruptionController, deploymentController, replicaSetController] });
  const { client } = plane;
  if (replicas > 0) {
    client.create(kinds.deployments, {
      metadata: key,
      spec: {
        replicas,
        selector,
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx" }] } },
      },
    });
  }
  plane.settle();
  client.create(kinds.podDisruptionBudgets, { metadata: key, spec: { selector, ...spec } });
  plane.settle();
  const pods = () => client.list(kinds.pods).items;
  return {
    ...plane,
    pods,
    status: () => client.get(kinds.podDisruptionBudgets, key).status,
    evict: (name: string | undefined) =>
      client.createSubresource(kinds.pods, { namespace: "default", name: name ?? "" }, "eviction", {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { namespace: "default", name },
      }),
  };
}

describe("disruption-controller", () => {
  it.each<[NonNullable<PodDisruptionBudget["spec"]>, number, number, number]>([
    [{ minAvailable: 3 }, 4, 3, 1],
    [{ minAvailable: "60%" }, 4, 3, 1],
    [{ minAvailable: "100%" }, 4, 4, 0],
    [{ maxUnavailable: 2 }, 4, 2, 2],
    [{ maxUnavailable: "30%" }, 4, 2, 2],
    [{ maxUnavailable: 9 }, 4, 0, 4],
    [{ minAvailable: 9 }, 4, 9, 0],
  ])(
    "[POD-376] [POD-377] [POD-378] [POD-379] [POD-380] %j: of %i Pods %i must be healthy, %i may go",
    (spec, expected, desired, allowed) => {
      const world = start(spec);
      expect(world.status()).toEqual({
        observedGeneration: 1,
        expectedPods: expected,
        desiredHealthy: desired,
        currentHealthy: 4,
        disruptionsAllowed: allowed,
        conditions: [
          {
            type: "DisruptionAllowed",
            status: allowed > 0 ? "True" : "False",
            observedGeneration: 1,
            lastTransitionTime: "2026-01-01T00:00:01Z",
            reason: allowed > 0 ? "SufficientPods" : "InsufficientPods",
            message: "",
          },
        ],
      });
    },
  );

  it("[POD-384] [POD-392] follows the readiness of its Pods", () => {
    const world = start({ minAvailable: 3 });
    world.kubelet.setReady(`default/${world.pods()[0]?.metadata.name}`, false);
    world.simulation.advance(1_000);
    expect(world.status()).toMatchObject({
      currentHealthy: 3,
      disruptionsAllowed: 0,
      conditions: [{ status: "False", reason: "InsufficientPods" }],
    });
    world.kubelet.setReady(`default/${world.pods()[0]?.metadata.name}`, true);
    world.simulation.advance(1_000);
    expect(world.status()).toMatchObject({
      currentHealthy: 4,
      disruptionsAllowed: 1,
      conditions: [{ status: "True", reason: "SufficientPods" }],
    });
  });

  it("[POD-390] has a disruption again when the evicted Pod has been replaced", () => {
    const world = start({ minAvailable: 3 });
    const [first, second] = world.pods();
    world.evict(first?.metadata.name);
    expect(() => world.evict(second?.metadata.name)).toThrow("Cannot evict pod as it would violate the pod's disruption budget.");
    world.simulation.advance(10_000);
    expect(world.status()).toMatchObject({ currentHealthy: 4, disruptionsAllowed: 1 });
    expect(world.status()?.disruptedPods).toBeUndefined();
    world.evict(second?.metadata.name);
  });

  it("counts a Pod again that was evicted and did not go for two minutes", () => {
    const world = start({ minAvailable: 3 });
    const [pod] = world.pods();
    const budget = world.client.get(kinds.podDisruptionBudgets, key);
    const disruptedPods = { [pod?.metadata.name ?? ""]: "2026-01-01T00:00:01Z" };
    world.client.updateStatus(kinds.podDisruptionBudgets, { ...budget, status: { ...budget.status, disruptedPods } });
    world.simulation.advance(60_000);
    expect(world.status()).toMatchObject({ currentHealthy: 3, disruptedPods });
    world.simulation.advance(65_000);
    expect(world.status()?.disruptedPods).toBeUndefined();
    expect(world.status()?.currentHealthy).toBe(4);
    expect(world.eventsOf("Pod").filter((text) => text.startsWith("NotDeleted"))).toEqual([
      "NotDeleted Pod was expected by PDB default/web to be deleted but it wasn't",
    ]);
  });

  it("[POD-381] without Pods allows nothing, and says so", () => {
    const world = start({ maxUnavailable: 1 }, 0);
    expect(world.status()).toMatchObject({ expectedPods: 0, desiredHealthy: 0, currentHealthy: 0, disruptionsAllowed: 0 });
    expect(world.eventsOf("PodDisruptionBudget")).toEqual(["NoPods No matching pods found"]);
  });

  it("[POD-383] selects all Pods with an empty selector", () => {
    const world = start({ minAvailable: 1, selector: {} });
    expect(world.status()).toMatchObject({ expectedPods: 4, disruptionsAllowed: 3 });
  });

  it("[POD-382] cannot tell a share of Pods whose owner has no scale", () => {
    const world = start({ maxUnavailable: "50%" }, 0);
    const owner = { apiVersion: "batch/v1", kind: "Job", name: "pi", uid: "1", controller: true };
    const metadata = { namespace: "default", name: "pi-1", labels: { app: "web" }, ownerReferences: [owner] };
    world.client.create(kinds.pods, { metadata, spec: { containers: [{ name: "x", image: "x" }] } });
    world.settle();
    const message = "jobs.batch does not implement the scale subresource";
    expect(world.status()).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: "False", reason: "SyncFailed", message }],
    });
    expect(world.eventsOf("PodDisruptionBudget")).toContain(
      `CalculateExpectedPodCountFailed Failed to calculate the number of expected pods: ${message}`,
    );
  });

  // Upstream does not fail here: it warns and counts the owned Pods only.
  it("[POD-382] warns of Pods that nobody owns", () => {
    const world = start({ maxUnavailable: 1 }, 0);
    const metadata = { namespace: "default", name: "naked", labels: { app: "web" } };
    world.client.create(kinds.pods, { metadata, spec: { containers: [{ name: "x", image: "x" }] } });
    world.settle();
    expect(world.status()).toMatchObject({ expectedPods: 0, currentHealthy: 1, disruptionsAllowed: 0 });
    expect(world.eventsOf("PodDisruptionBudget").at(-1)).toBe(
      'UnmanagedPods Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
    );
  });

  it("[WRK-105] [POD-391] stands in the way of evictions, not of rollouts", () => {
    const world = start({ minAvailable: 4 });
    const template = { spec: { containers: [{ name: "web", image: "nginx:2" }] } };
    world.client.patch(kinds.deployments, key, "merge", { spec: { template } });
    let fewest = 4;
    const limit = world.simulation.nowMs + 60_000;
    while (world.simulation.nowMs < limit && world.simulation.step())
      fewest = Math.min(fewest, world.status()?.currentHealthy ?? 4);
    expect(fewest).toBe(3);
    expect(new Set(world.pods().map((pod) => pod.spec?.containers[0]?.image))).toEqual(new Set(["nginx:2"]));
  });

  it("writes nothing when settled", () => {
    const world = start({ minAvailable: 3 });
    const version = () => world.client.get(kinds.podDisruptionBudgets, key).metadata.resourceVersion;
    const before = version();
    world.simulation.advance(3_600_000);
    expect(version()).toBe(before);
  });
});
