// The figures of the whole: a cluster's start, a Deployment of 300 replicas, an idle hour.

import { deployments } from "#cluster/api/kinds.ts";
import { Recorder } from "#history/recorder.ts";
import { type AddonName, usualAddons } from "#world/cluster-shape.ts";
import { provideTools } from "#world/tools.ts";
import { World } from "#world/world.ts";
import { cpuMs, type Figure, median } from "./figures.ts";

provideTools();

const hourMs = 3_600_000;

function freshWorld(nodes: number, addons: readonly AddonName[]): World {
  return new World({ startMs: 1_767_225_600_000, seed: 1, nodes, addons, files: {} });
}

function bootedWorld(nodes: number, addons: readonly AddonName[] = []): World {
  const world = freshWorld(nodes, addons);
  world.cluster.boot();
  return world;
}

function idleHour(addons: readonly AddonName[]): number {
  const world = bootedWorld(3, addons);
  world.simulation.advance(60_000);
  return cpuMs(() => world.simulation.advance(hourMs));
}

/** The idle hour of a lab, whose recorder keeps what happens. */
function recordedHour(): number {
  const world = freshWorld(3, usualAddons);
  const recorder = new Recorder(world);
  world.cluster.boot();
  world.simulation.advance(60_000);
  const ms = cpuMs(() => world.simulation.advance(hourMs));
  if (recorder.entries.length === 0) throw new Error("nothing was recorded");
  return ms;
}

function createWeb(world: World, replicas: number): void {
  const labels = { app: "web" };
  world.client.create(deployments, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "nginx", image: "nginx:1.27", ports: [{ containerPort: 80 }] }] },
      },
    },
  });
}

function untilReady(world: World, replicas: number): void {
  let nextLookMs = 0;
  let isReady = false;
  const look = (): boolean => {
    if (world.simulation.nowMs < nextLookMs) return isReady;
    nextLookMs = world.simulation.nowMs + 200;
    isReady = world.client.get(deployments, { namespace: "default", name: "web" }).status?.readyReplicas === replicas;
    return isReady;
  };
  if (!world.simulation.runUntil(look, { limitMs: hourMs })) throw new Error(`${replicas} replicas did not become Ready`);
}

/** A cluster of three workers, its system Pods Ready. */
export function bootCost(): number {
  return cpuMs(() => bootedWorld(3));
}

/** A Deployment in a fresh one of these, from its creation to all replicas Ready. */
export function rolloutCost(replicas: number): number {
  const world = bootedWorld(3);
  return cpuMs(() => {
    createWeb(world, replicas);
    untilReady(world, replicas);
  });
}

export function benchWorld(): readonly Figure[] {
  // What a fresh process starts first is mostly compilation; of the starts after it seven would still be.
  const first = cpuMs(() => bootedWorld(3));
  const start = median(31, bootCost);
  const usualStart = median(31, () => cpuMs(() => bootedWorld(3, usualAddons)));
  const rollout = median(5, () => rolloutCost(300));
  const idle = median(9, () => idleHour([]));
  const usualIdle = median(9, () => idleHour(usualAddons));
  const recorded = median(9, recordedHour);
  return [
    { name: "first cluster of a process", value: first, unit: "ms CPU" },
    { name: "cluster of 3 workers, system Pods Ready", value: start, unit: "ms CPU", bar: 50 },
    { name: "the same as labs have it, with add-ons", value: usualStart, unit: "ms CPU", bar: 50 },
    { name: "Deployment of 300 replicas to all Ready", value: rollout, unit: "ms CPU", bar: 300 },
    { name: "one idle hour of a 3-worker cluster", value: idle, unit: "ms CPU", bar: 100 },
    { name: "the same hour as labs have it, with add-ons", value: usualIdle, unit: "ms CPU", bar: 100 },
    { name: "that hour with a lab's recorder", value: recorded, unit: "ms CPU", bar: 100 },
  ];
}
