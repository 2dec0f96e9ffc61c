import { describe, expect, it } from "vitest";
import type { Node, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import { Simulation } from "#sim/simulation.ts";
import { Scheduler } from "./scheduler.ts";
import { verdicts } from "./trace.ts";

const startMs = 1_767_225_600_000;

function start() {
  const simulation = new Simulation({ startMs, seed: 1 });
  const server = new ApiServer({ simulation });
  server.start();
  const client = server.clientFor({ name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] }, "kubectl");
  client.create(kinds.serviceAccounts, { metadata: { namespace: "default", name: "default" } });
  const scheduler = new Scheduler({ simulation, clients: server, hostname: "control-plane" });
  return {
    simulation,
    client,
    scheduler,
    addNode: (name: string, spec: Node["spec"] = {}, labels: { [key: string]: string } = {}, cpu = "2") => {
      const made = client.create(kinds.nodes, { metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } }, spec });
      const withoutTaints = client.patch(kinds.nodes, { namespace: "", name }, "merge", {
        spec: { taints: spec?.taints ?? null },
      } as never);
      const status = { capacity: { cpu, memory: "4Gi", pods: "110" }, allocatable: { cpu, memory: "4Gi", pods: "110" } };
      return client.updateStatus(kinds.nodes, { ...made, ...withoutTaints, status });
    },
    addPod: (name: string, spec: Partial<NonNullable<Pod["spec"]>> = {}, labels: { [key: string]: string } = {}) =>
      client.create(kinds.pods, podDraft(name, spec, labels)),
    pod: (name: string) => client.get(kinds.pods, { namespace: "default", name }),
    run: (ms = 100) => simulation.advance(ms),
    events: (name: string) =>
      client
        .list(kinds.events)
        .items.filter((event) => event.involvedObject.name === name)
        .map((event) => `${event.type} ${event.reason} ${event.message}`),
  };
}

function podDraft(name: string, spec: Partial<NonNullable<Pod["spec"]>>, labels: { [key: string]: string }): Draft<Pod> {
  return {
    metadata: { namespace: "default", name, labels },
    spec: { schedulerName: "default-scheduler", containers: [{ name: "main", image: "nginx" }], ...spec },
  };
}

const cpu = (amount: string): Partial<NonNullable<Pod["spec"]>> => ({
  containers: [{ name: "main", image: "nginx", resources: { requests: { cpu: amount } } }],
});

describe("the scheduler", () => {
  it("[WRK-316] [WRK-317] binds a Pod and says so", () => {
    const world = start();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("one");
    world.run();
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
    expect(world.pod("one").status?.conditions?.find(({ type }) => type === "PodScheduled")?.status).toBe("True");
    expect(world.events("one")).toEqual(["Normal Scheduled Successfully assigned default/one to node-1"]);
  });

  it("[WRK-319] [WRK-320] says why a Pod fits nowhere, in event and condition", () => {
    const world = start();
    world.addNode("cp", { taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] });
    for (const name of ["node-1", "node-2", "node-3"]) world.addNode(name);
    world.scheduler.start();
    world.addPod("big", cpu("64"));
    world.run();
    const message =
      "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient cpu. no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.";
    expect(world.events("big")).toEqual([`Warning FailedScheduling ${message}`]);
    expect(world.pod("big").status?.conditions?.find(({ type }) => type === "PodScheduled")).toMatchObject({
      status: "False",
      reason: "Unschedulable",
      message,
    });
    const [decision] = world.scheduler.decisions.newest();
    expect(decision && verdicts(decision).map(({ nodeName, refusedBy }) => `${nodeName} ${refusedBy}`)).toEqual([
      "cp TaintToleration",
      "node-1 NodeResourcesFit",
      "node-2 NodeResourcesFit",
      "node-3 NodeResourcesFit",
    ]);
  });
});
