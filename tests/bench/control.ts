// What controllers and scheduler cost, API server included. Run alone: `node tests/bench/control.ts`.

import type { Node, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatMicroTime } from "#cluster/api/time.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import { ControllerManager } from "#cluster/controllers/controller-manager.ts";
import { FakeKubelet } from "#cluster/controllers/fake-kubelet.test-kit.ts";
import { SchedulerCache } from "#cluster/scheduler/cache.ts";
import { defaultProfile } from "#cluster/scheduler/default-profile.ts";
import { NominatedPods } from "#cluster/scheduler/nominations.ts";
import { PodInfo } from "#cluster/scheduler/pod-info.ts";
import { Scheduler } from "#cluster/scheduler/scheduler.ts";
import { SchedulingCycle } from "#cluster/scheduler/scheduling-cycle.ts";
import { Random } from "#sim/random.ts";
import { Simulation } from "#sim/simulation.ts";
import { provideTools } from "#world/tools.ts";

provideTools();

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const startMs = 1_767_225_600_000;
const nodeNames = ["node-1", "node-2", "node-3"];
const resources = { cpu: "32", memory: "64Gi", pods: "110" };

/** Cycles of the scheduler alone: 10,000 Pods of one ReplicaSet on 1,000 nodes. */
function scheduleCycles(nodes: number, pods: number): number {
  const cache = new SchedulerCache();
  const metadata = { resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
  for (let index = 0; index < nodes; index += 1) {
    const name = `node-${index}`;
    const labels = { "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": `zone-${index % 3}` };
    const node: Stored<Node> = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { ...metadata, name, uid: name, labels },
      status: { allocatable: resources },
    };
    cache.setNode(node);
  }
  const selector = { id: "web", matches: (labels: { readonly [key: string]: string } | undefined) => labels?.["app"] === "web" };
  const profile = defaultProfile({ selectorFor: () => selector }, []);
  const limits = { percentageOfNodesToScore: 0, needsAll: false };
  const cycle = new SchedulingCycle(limits, cache, new NominatedPods(), new Random(1));
  const begin = performance.now();
  for (let index = 0; index < pods; index += 1) {
    const name = `web-${index}`;
    const pod: Stored<Pod> = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...metadata, name, uid: name, namespace: "default", labels: { app: "web" } },
      spec: { containers: [{ name: "main", image: "nginx", resources: { requests: { cpu: "100m", memory: "64Mi" } } }] },
    };
    const info = new PodInfo(pod);
    cache.assume(info, cycle.choose(profile, info, cycle.findFeasible(profile, info).feasible).node.name);
  }
  return ((performance.now() - begin) * 1000) / pods;
}

/** A Deployment to all Pods ready, and an hour of nothing after it. */
function rollOut(replicas: number): { readonly readyMs: number; readonly idleHourMs: number; readonly idlePasses: number } {
  const simulation = new Simulation({ startMs, seed: 1 });
  const server = new ApiServer({ simulation });
  server.start();
  const client = server.clientFor({ name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] }, "kubectl");
  const manager = new ControllerManager({ simulation, clients: server, hostname: "cp" });
  manager.start();
  new Scheduler({ simulation, clients: server, hostname: "cp" }).start();
  new FakeKubelet(simulation, client);
  for (const name of nodeNames) {
    client.create(kinds.leases, { metadata: { namespace: "kube-node-lease", name }, spec: {} });
    const node = client.create(kinds.nodes, { metadata: { name, labels: { "kubernetes.io/hostname": name } }, spec: {} });
    const allocatable = { ...resources, pods: String(replicas) };
    client.updateStatus(kinds.nodes, {
      ...node,
      status: { capacity: allocatable, allocatable, conditions: [{ type: "Ready", status: "True" }] },
    });
  }
  const renew = (): void => {
    simulation.after(10_000, renew, { background: true });
    const renewTime = formatMicroTime(simulation.nowMs);
    for (const name of nodeNames)
      client.patch(kinds.leases, { namespace: "kube-node-lease", name }, "merge", { spec: { renewTime } });
  };
  renew();
  simulation.advance(20_000);
  const key = { namespace: "default", name: "web" };
  const begin = performance.now();
  client.create(kinds.deployments, {
    metadata: key,
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "main", image: "nginx" }] } },
    },
  });
  const done = (): boolean => client.get(kinds.deployments, key).status?.availableReplicas === replicas;
  while (!done()) simulation.advance(50);
  const readyMs = performance.now() - begin;
  simulation.advance(20_000);
  const passes = (): number => manager.runners.reduce((sum, runner) => sum + runner.passes, 0);
  const before = passes();
  const idle = performance.now();
  simulation.advance(3_600_000);
  return { readyMs, idleHourMs: performance.now() - idle, idlePasses: passes() - before };
}

export function benchControl(): readonly Figure[] {
  rollOut(100);
  const rollout = rollOut(300);
  return [
    { name: "scheduling cycle, 3 nodes", value: scheduleCycles(3, 300), unit: "µs/pod" },
    { name: "scheduling cycle, 1,000 nodes, 10,000 pods", value: scheduleCycles(1000, 10_000), unit: "µs/pod" },
    { name: "Deployment of 300 replicas, API server and fake kubelet included", value: rollout.readyMs, unit: "ms" },
    { name: "controller passes in an hour of a settled cluster", value: rollout.idlePasses, unit: "passes" },
    { name: "an idle hour: leases of 3 nodes, controllers, scheduler, API server", value: rollout.idleHourMs, unit: "ms" },
  ];
}

if (process.argv[1]?.endsWith("control.ts") === true) {
  for (const { name, value, unit } of benchControl()) console.log(`${name}: ${value.toFixed(1)} ${unit}`);
}
