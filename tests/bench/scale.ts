// The large case: a thousand nodes, and Pods by the hundred, the thousand and the ten thousand, from the creation of one
// Deployment to all replicas Ready. Run alone: `npm run bench -- scale`, or `node --expose-gc tests/bench/scale.ts PODS …`.

import { deployments } from "#cluster/api/kinds.ts";
import "#world/tools.ts";
import { World } from "#world/world.ts";
import { cpuMs, type Figure } from "./figures.ts";

const nodes = 1000;
const sizes = [100, 1000, 10_000] as const;
const cpuBarMs = 10_000;
const memoryBarMib = 1536;

function createWeb(world: World, replicas: number): void {
  const labels = { app: "web" };
  world.client.create(deployments, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.27" }] } },
    },
  });
}

function untilReady(world: World, replicas: number): void {
  let nextLookMs = 0;
  let isReady = false;
  const look = (): boolean => {
    if (world.simulation.nowMs < nextLookMs) return isReady;
    nextLookMs = world.simulation.nowMs + 500;
    isReady = world.client.get(deployments, { namespace: "default", name: "web" }).status?.readyReplicas === replicas;
    return isReady;
  };
  if (!world.simulation.runUntil(look, { limitMs: 3_600_000 })) throw new Error(`${replicas} replicas did not become Ready`);
}

function memoryMib(): number {
  (globalThis as { readonly gc?: () => void }).gc?.();
  const { heapUsed, arrayBuffers, external } = process.memoryUsage();
  return (heapUsed + arrayBuffers + external) / 1024 ** 2;
}

function measure(pods: number): readonly Figure[] {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes, files: {} });
  const boot = cpuMs(() => world.cluster.boot());
  const rollout = cpuMs(() => {
    createWeb(world, pods);
    untilReady(world, pods);
  });
  const isLargest = pods === 10_000;
  return [
    { name: `${nodes} nodes to Ready`, value: boot, unit: "ms CPU" },
    { name: `${pods} Pods to Ready on them`, value: rollout, unit: "ms CPU", ...(isLargest ? { bar: cpuBarMs } : {}) },
    { name: `${pods} Pods: cost of one`, value: rollout / pods, unit: "ms CPU" },
    { name: `${pods} Pods: memory in use`, value: memoryMib(), unit: "MiB", ...(isLargest ? { bar: memoryBarMib } : {}) },
  ];
}

export function benchScale(counts: readonly number[] = sizes): readonly Figure[] {
  return counts.flatMap(measure);
}

if (import.meta.main) {
  const asked = process.argv.slice(2).map(Number);
  for (const { name, value, unit } of benchScale(asked.length === 0 ? sizes : asked)) {
    console.log(`${name.padEnd(40)} ${value.toFixed(2).padStart(10)} ${unit}`);
  }
}
