// The large case: a thousand nodes, and Pods by the hundred, the thousand and the ten thousand, from the creation of one
// Deployment to all replicas Ready. `npm run bench -- scale`; `node --expose-gc tests/bench/scale.ts PODS` prints one size as JSON.

import { execFileSync } from "node:child_process";
import { deployments } from "#cluster/api/kinds.ts";
import { provideTools } from "#world/tools.ts";
import { World } from "#world/world.ts";
import { cpuMs, type Figure } from "./figures.ts";

provideTools();

const nodes = 1000;
const sizes = [100, 1000, 10_000] as const;
const cpuBarMs = 8000;
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

/** Each size in a process of its own: none pays for what another one left behind, in memory or in code made for other shapes. */
export function benchScale(): readonly Figure[] {
  return sizes.flatMap((pods) => {
    const args = ["--expose-gc", import.meta.filename, String(pods)];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })) as Figure[];
  });
}

if (import.meta.main) console.log(JSON.stringify(measure(Number(process.argv[2]))));
