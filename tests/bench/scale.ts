// The large cases: a thousand nodes, and Pods by the hundred, the thousand and the ten thousand, from the creation of one Deployment to
// all replicas Ready (`npm run bench -- scale`), and 50,000 Pods on 5,000 nodes (`npm run bench -- scale-limit`).
// `node --expose-gc tests/bench/scale.ts NODES PODS` prints one size as JSON.

import { execFileSync } from "node:child_process";
import { deployments } from "#cluster/api/kinds.ts";
import { provideTools } from "#world/tools.ts";
import { World } from "#world/world.ts";
import { cpuMs, type Figure } from "./figures.ts";

provideTools();

interface Size {
  readonly nodes: number;
  readonly pods: number;
}

const sizes: readonly Size[] = [100, 1000, 10_000].map((pods) => ({ nodes: 1000, pods }));
/** What Kubernetes says it is made for, in nodes, and ten Pods on each. */
const limit: Size = { nodes: 5000, pods: 50_000 };
const bars: { readonly [pods: number]: { readonly cpuMs: number; readonly memoryMib: number } } = {
  10000: { cpuMs: 8000, memoryMib: 1536 },
  50000: { cpuMs: 60_000, memoryMib: 4096 },
};

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

function measure({ nodes, pods }: Size): readonly Figure[] {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes, files: {} });
  const boot = cpuMs(() => world.cluster.boot());
  const rollout = cpuMs(() => {
    createWeb(world, pods);
    untilReady(world, pods);
  });
  const bar = bars[pods];
  return [
    { name: `${nodes} nodes to Ready`, value: boot, unit: "ms CPU" },
    { name: `${pods} Pods to Ready on them`, value: rollout, unit: "ms CPU", ...(bar && { bar: bar.cpuMs }) },
    { name: `${pods} Pods: cost of one`, value: rollout / pods, unit: "ms CPU" },
    { name: `${pods} Pods: memory in use`, value: memoryMib(), unit: "MiB", ...(bar && { bar: bar.memoryMib }) },
  ];
}

/** Each size in a process of its own: none pays for what another one left behind, in memory or in code made for other shapes. */
function measuredApart({ nodes, pods }: Size): readonly Figure[] {
  const args = ["--expose-gc", "--max-old-space-size=12288", import.meta.filename, String(nodes), String(pods)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })) as Figure[];
}

export function benchScale(): readonly Figure[] {
  return sizes.flatMap(measuredApart);
}

/** Takes minutes, and 5 GB. */
export function benchScaleLimit(): readonly Figure[] {
  return measuredApart(limit);
}

if (import.meta.main) console.log(JSON.stringify(measure({ nodes: Number(process.argv[2]), pods: Number(process.argv[3]) })));
