// The scheduler at size: all of it over a real API server, without kubelets, from Pods that wait to the last one bound.
// `npm run bench -- scheduler`; `node --expose-gc tests/bench/scheduler.ts CASE NODES PODS` prints one case as JSON.

import { execFileSync } from "node:child_process";
import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client } from "#cluster/client/client.ts";
import { Scheduler } from "#cluster/scheduler/scheduler.ts";
import { Simulation } from "#sim/simulation.ts";
import { provideTools } from "#world/tools.ts";
import { cpuMs, type Figure } from "./figures.ts";

provideTools();

type PodSpec = NonNullable<Pod["spec"]>;
const zones = 10;
const labels = { app: "web" };
const selector = { matchLabels: labels };
const containers = [{ name: "main", image: "nginx", resources: { requests: { cpu: "100m", memory: "64Mi" } } }];

/** What Pods ask for beside room. */
const cases = {
  plain: {},
  spread: {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: selector },
    ],
  },
  affinity: {
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { topologyKey: "topology.kubernetes.io/zone", labelSelector: selector } },
        ],
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: "kubernetes.io/hostname", labelSelector: selector } },
        ],
      },
    },
  },
  preemption: {},
} satisfies { readonly [name: string]: Partial<PodSpec> };
type Case = keyof typeof cases;

function addNode(client: Client, index: number, cpu: string): void {
  const name = `node-${index}`;
  const nodeLabels = { "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": `zone-${index % zones}` };
  const node = client.create(kinds.nodes, { metadata: { name, labels: nodeLabels }, spec: {} });
  const untainted = client.patch(kinds.nodes, { namespace: "", name }, "merge", { spec: { taints: null } });
  const capacity = { cpu, memory: "64Gi", pods: "110" };
  client.updateStatus(kinds.nodes, { ...node, ...untainted, status: { capacity, allocatable: capacity } });
}

function addPods(client: Client, prefix: string, count: number, spec: Partial<PodSpec>): void {
  for (let index = 0; index < count; index += 1)
    client.create(kinds.pods, {
      metadata: { namespace: "default", name: `${prefix}-${index}`, labels },
      spec: { schedulerName: "default-scheduler", containers, ...spec },
    });
}

/** Pods bound in a second of the processor's time. */
function measure(name: Case, nodes: number, pods: number): number {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const server = new ApiServer({ simulation });
  server.start();
  const client = server.clientFor({ name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] }, "kubectl");
  client.create(kinds.serviceAccounts, { metadata: { namespace: "default", name: "default" } });
  client.create(kinds.priorityClasses, { metadata: { name: "high" }, value: 1000 });
  const preempts = name === "preemption";
  // All nodes are full of Pods of lower priority for one in ten.
  const earlier = preempts ? pods - pods / 10 : 0;
  const room = preempts ? Math.ceil(earlier / nodes) * 100 : 32_000;
  for (let index = 0; index < nodes; index += 1) addNode(client, index, `${room}m`);
  const scheduler = new Scheduler({ simulation, clients: server, hostname: "control-plane" });
  const isBound = ({ spec, metadata }: Pod): boolean => (spec?.nodeName ?? "") !== "" && metadata?.deletionTimestamp === undefined;
  const until = (count: number): void => {
    let bound = 0;
    for (let tries = 0; bound < count; tries += 1) {
      if (tries > 3600) throw new Error(`${bound} of ${count} Pods were bound`);
      simulation.advance(1000);
      bound = client.list(kinds.pods).items.filter(isBound).length;
    }
  };
  if (!preempts) {
    addPods(client, "web", pods, cases[name]);
    return (
      pods /
      (cpuMs(() => {
        scheduler.start();
        until(pods);
      }) /
        1000)
    );
  }
  addPods(client, "low", earlier, {});
  const high = pods / 10;
  const spent = cpuMs(() => {
    scheduler.start();
    until(earlier);
    addPods(client, "high", high, { priorityClassName: "high", terminationGracePeriodSeconds: 0 });
    // Nobody else ends victims here.
    const end = (): void => {
      for (const { metadata } of client.list(kinds.pods).items)
        if (metadata.deletionTimestamp !== undefined)
          client.delete(kinds.pods, { namespace: "default", name: metadata.name }, { gracePeriodSeconds: 0 });
      simulation.after(100, end);
    };
    end();
    until(earlier);
  });
  return pods / (spent / 1000);
}

const runs: readonly { readonly name: Case; readonly nodes: number; readonly pods: number; readonly floor?: number }[] = [
  { name: "plain", nodes: 500, pods: 5000 },
  { name: "plain", nodes: 1000, pods: 5000, floor: 4000 },
  { name: "plain", nodes: 5000, pods: 5000, floor: 1500 },
  { name: "spread", nodes: 1000, pods: 5000 },
  { name: "spread", nodes: 5000, pods: 5000 },
  { name: "affinity", nodes: 1000, pods: 5000, floor: 800 },
  { name: "affinity", nodes: 5000, pods: 5000 },
  { name: "preemption", nodes: 1000, pods: 5000 },
];

/** Each case in a process of its own. */
export function benchScheduler(): readonly Figure[] {
  return runs.map(({ name, nodes, pods, floor }) => {
    const args = ["--expose-gc", import.meta.filename, name, String(nodes), String(pods)];
    const value = Number(execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }));
    const figure = { name: `${name}: ${pods} Pods on ${nodes} nodes`, value, unit: "Pods/s CPU" };
    return floor === undefined ? figure : { ...figure, floor };
  });
}

if (import.meta.main) {
  const [name = "plain", nodes, pods] = process.argv.slice(2);
  console.log(String(measure(name as Case, Number(nodes), Number(pods))));
}
