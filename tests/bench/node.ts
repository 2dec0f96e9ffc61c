// What the node side costs: kubelets, runtime and images over the real API server, without scheduler and controllers.

import type { PodSpec } from "#cluster/api/generated/types.ts";
import { pods } from "#cluster/api/kinds.ts";
import { SmallCluster } from "#cluster/node/small-cluster.test-kit.ts";
import { provideTools } from "#world/tools.ts";

provideTools();

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function timed(action: () => void): number {
  const before = cpuMs();
  action();
  return cpuMs() - before;
}

function createPods(cluster: SmallCluster, count: number, spec: Partial<PodSpec>): void {
  for (let index = 0; index < count; index += 1) {
    const node = cluster.nodes[index % cluster.nodes.length];
    cluster.createPod(`web-${index}`, { ...(node === undefined ? {} : { nodeName: node.machine.name }), ...spec });
  }
}

function untilAllReady(cluster: SmallCluster, count: number): void {
  cluster.simulation.advance(6_000);
  const ready = cluster.client
    .list(pods, { namespace: "default" })
    .items.filter((pod) => pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True")).length;
  if (ready !== count) throw new Error(`${ready} of ${count} pods are ready`);
}

export function startCost(count: number, nodes: number): readonly Figure[] {
  const cluster = new SmallCluster({ nodes, maxPods: count });
  cluster.startKubelets();
  cluster.simulation.advance(1_000);
  for (const { runtime } of cluster.nodes) runtime.importImage(cluster.image("nginx:1.27"));
  const create = timed(() => createPods(cluster, count, {}));
  const run = timed(() => untilAllReady(cluster, count));
  return [
    { name: `create ${count} pods in the API`, value: create, unit: "ms CPU" },
    { name: `${count} nginx pods on ${nodes} nodes to Ready`, value: run, unit: "ms CPU" },
  ];
}

export function probeCost(): readonly Figure[] {
  const count = 100;
  const make = (spec: Partial<PodSpec>): SmallCluster => {
    const cluster = new SmallCluster({ nodes: 1, maxPods: count });
    cluster.startKubelets();
    for (const { runtime } of cluster.nodes) runtime.importImage(cluster.image("nginx:1.27"));
    createPods(cluster, count, spec);
    untilAllReadyProbed(cluster, count);
    return cluster;
  };
  const readinessProbe = { httpGet: { path: "/", port: 80 } };
  const probed = make({ containers: [{ name: "web", image: "nginx:1.27", readinessProbe }] });
  const plain = make({});
  const hour = 3_600_000;
  const with_ = timed(() => probed.simulation.advance(hour));
  const without = timed(() => plain.simulation.advance(hour));
  const probes = count * 360;
  return [{ name: "one HTTP probe of an idle nginx", value: ((with_ - without) * 1000) / probes, unit: "µs CPU" }];
}

function untilAllReadyProbed(cluster: SmallCluster, count: number): void {
  cluster.simulation.advance(15_000);
  untilAllReady(cluster, count);
}

export function idleCost(): Figure {
  const cluster = new SmallCluster({ nodes: 4 });
  cluster.startKubelets();
  cluster.simulation.advance(60_000);
  return { name: "1 virtual hour of 4 idle kubelets", value: timed(() => cluster.simulation.advance(3_600_000)), unit: "ms CPU" };
}

function memoryCost(count: number, nodes: number): readonly Figure[] {
  const collect = (globalThis as { readonly gc?: () => void }).gc;
  if (collect === undefined) return [];
  const cluster = new SmallCluster({ nodes });
  cluster.startKubelets();
  for (const { runtime } of cluster.nodes) runtime.importImage(cluster.image("nginx:1.27"));
  collect();
  const before = process.memoryUsage();
  const cpu = timed(() => {
    createPods(cluster, count, {});
    untilAllReady(cluster, count);
  });
  collect();
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  return [
    { name: `${count} pods on ${nodes} nodes to Ready`, value: cpu, unit: "ms CPU" },
    { name: "memory for each pod", value: bytes / count / 1024, unit: "KiB" },
  ];
}

/** Best of three runs where it is about time; memory needs `node --expose-gc`. */
export function benchNode(): readonly Figure[] {
  startCost(300, 3);
  return [...startCost(300, 3), ...probeCost(), idleCost(), ...memoryCost(10_000, 1_000)];
}

if (process.argv[1]?.endsWith("node.ts") === true) {
  for (const { name, value, unit } of benchNode()) console.log(`${name}: ${value.toFixed(2)} ${unit}`);
}
