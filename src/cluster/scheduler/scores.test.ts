// How well nodes fit, plugin by plugin, as decisions keep it.

import { describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { startScheduling } from "./scheduler.test-kit.ts";
import { verdicts } from "./verdicts.ts";

type Spec = Partial<NonNullable<Pod["spec"]>>;
type World = ReturnType<typeof startScheduling>;

const asking = (requests: { readonly [resource: string]: string }): Spec => ({
  containers: [{ name: "main", image: "nginx", resources: { requests } }],
});

/** What a plugin gives each node for the Pod that was scheduled last: before and after normalising. */
function scoresOf(world: World, plugin: string): { readonly [nodeName: string]: readonly [number, number] } {
  const [decision] = world.scheduler.decisions.newest();
  const shown = (decision ? verdicts(decision) : []).map(({ nodeName, scores }) => {
    const score = scores.find((one) => one.plugin === plugin);
    return [nodeName, [score?.raw ?? Number.NaN, score?.normalized ?? Number.NaN]] as const;
  });
  return Object.fromEntries(shown);
}

function scheduled(world: World, spec: Spec): World {
  world.addPod("one", spec);
  world.run();
  return world;
}

describe("[WRK-352] NodeResourcesBalancedAllocation", () => {
  /** A node of 2 CPU and 4 GiB with a Pod on it. */
  const balanced = (there: { readonly [resource: string]: string }, requests: { readonly [resource: string]: string }) => {
    const world = startScheduling();
    world.addNode("node-1");
    world.addNode("node-2");
    world.addPod("there", { ...asking(there), nodeName: "node-1" });
    world.scheduler.start();
    return scoresOf(scheduled(world, asking(requests)), "NodeResourcesBalancedAllocation")["node-1"]?.[0];
  };

  it.each([
    ["75 points where nothing changes", { cpu: "500m", memory: "1Gi" }, { cpu: "500m", memory: "1Gi" }, 75],
    ["fewer where shares part", { cpu: "500m", memory: "1Gi" }, { cpu: "1" }, 62],
    ["more where they come together", { cpu: "1" }, { memory: "2Gi" }, 87],
    ["50 for the largest difference", {}, { cpu: "2" }, 50],
    ["100 for a difference made up", { cpu: "2" }, { memory: "4Gi" }, 100],
  ])("gives %s", (_title, there, requests, points) => {
    expect(balanced(there, requests)).toBe(points);
  });

  it("says nothing of a Pod that asks for neither", () => {
    const world = startScheduling();
    for (const name of ["node-1", "node-2"]) world.addNode(name);
    world.scheduler.start();
    expect(scoresOf(scheduled(world, {}), "NodeResourcesBalancedAllocation")["node-1"]).toEqual([Number.NaN, Number.NaN]);
  });
});

it("[WRK-353] ImageLocality counts the size of images that are there, by the share of nodes that have them", () => {
  const world = startScheduling();
  const mebibyte = 1024 * 1024;
  for (const [name, sizeBytes] of [
    ["node-1", 512 * mebibyte],
    ["node-2", 512 * mebibyte],
    ["node-3", 0],
    ["node-4", 0],
  ] as const) {
    const node = world.addNode(name);
    const images = sizeBytes === 0 ? [] : [{ names: ["nginx:latest"], sizeBytes }];
    world.client.updateStatus(kinds.nodes, { ...node, status: { ...node.status, images } });
  }
  world.scheduler.start();
  // Half of the nodes have it: 256 MiB count, of which 23 are too few to matter, and 1000 would be all.
  const points = Math.floor((100 * (256 - 23)) / (1000 - 23));
  expect(scoresOf(scheduled(world, {}), "ImageLocality")).toEqual({
    "node-1": [points, points],
    "node-2": [points, points],
    "node-3": [0, 0],
    "node-4": [0, 0],
  });
});

it("[WRK-353] ImageLocality counts images of volumes like those of containers", () => {
  const world = startScheduling();
  const mebibyte = 1024 * 1024;
  const node = world.addNode("node-1");
  world.addNode("node-2");
  const images = [{ names: ["registry.example/data:v1"], sizeBytes: 1024 * mebibyte }];
  world.client.updateStatus(kinds.nodes, { ...node, status: { ...node.status, images } });
  world.scheduler.start();
  const volumes = [{ name: "data", image: { reference: "registry.example/data:v1" } }];
  // Two images, of which 2000 MiB would be all.
  const points = Math.floor((100 * (512 - 23)) / (2000 - 23));
  expect(scoresOf(scheduled(world, { volumes }), "ImageLocality")).toEqual({ "node-1": [points, points], "node-2": [0, 0] });
});

it("[WRK-354] NodeAffinity adds the weights of wishes that a node fulfils; the best has 100", () => {
  const world = startScheduling();
  world.addNode("node-1", {}, { disk: "ssd", zone: "a" });
  world.addNode("node-2", {}, { disk: "ssd" });
  world.addNode("node-3");
  world.scheduler.start();
  const wish = (key: string, value: string, weight: number) => ({
    weight,
    preference: { matchExpressions: [{ key, operator: "In", values: [value] }] },
  });
  const preferredDuringSchedulingIgnoredDuringExecution = [wish("disk", "ssd", 30), wish("zone", "a", 10)];
  scheduled(world, { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution } } });
  expect(scoresOf(world, "NodeAffinity")).toEqual({ "node-1": [40, 100], "node-2": [30, 75], "node-3": [0, 0] });
});

it("[WRK-355] TaintToleration gives more the fewer PreferNoSchedule taints are not tolerated", () => {
  const world = startScheduling();
  const taint = (key: string) => ({ key, effect: "PreferNoSchedule" });
  world.addNode("node-1", { taints: [taint("a"), taint("b")] });
  world.addNode("node-2", { taints: [taint("a")] });
  world.addNode("node-3", { taints: [taint("c")] });
  world.scheduler.start();
  scheduled(world, { tolerations: [{ key: "c", operator: "Exists" }] });
  expect(scoresOf(world, "TaintToleration")).toEqual({ "node-1": [2, 0], "node-2": [1, 50], "node-3": [0, 100] });
});

it("[WRK-322] the highest total wins; among equals chance does", () => {
  const chosen = new Set<string | undefined>();
  for (let round = 0; round < 12; round += 1) {
    const world = startScheduling(round + 1);
    for (const name of ["node-1", "node-2", "node-3"]) world.addNode(name);
    world.addNode("node-4", { taints: [{ key: "a", effect: "PreferNoSchedule" }] });
    world.scheduler.start();
    scheduled(world, {});
    chosen.add(world.pod("one").spec?.nodeName);
  }
  expect([...chosen].sort()).toEqual(["node-1", "node-2", "node-3"]);
});
