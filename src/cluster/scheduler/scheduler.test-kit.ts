// A scheduler over an API server without anybody else, for tests.

import type { Node, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft, JsonValue } from "#cluster/api/objects.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import { Simulation } from "#sim/simulation.ts";
import { Scheduler } from "./scheduler.ts";

const startMs = 1_767_225_600_000;

/** An API server with a scheduler that is started by hand. */
export function startScheduling(seed = 1) {
  const simulation = new Simulation({ startMs, seed });
  const server = new ApiServer({ simulation });
  server.start();
  const client = server.clientFor({ name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] }, "kubectl");
  client.create(kinds.serviceAccounts, { metadata: { namespace: "default", name: "default" } });
  client.create(kinds.priorityClasses, { metadata: { name: "high" }, value: 1000 });
  const scheduler = new Scheduler({ simulation, clients: server, hostname: "control-plane" });
  return {
    simulation,
    client,
    scheduler,
    addNode: (name: string, spec: Node["spec"] = {}, labels: { [key: string]: string } = {}, cpu = "2") => {
      const made = client.create(kinds.nodes, { metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } }, spec });
      const withoutTaints = client.patch(kinds.nodes, { namespace: "", name }, "merge", {
        spec: { taints: spec?.taints ?? null },
      } as JsonValue);
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

export function podDraft(name: string, spec: Partial<NonNullable<Pod["spec"]>>, labels: { [key: string]: string }): Draft<Pod> {
  return {
    metadata: { namespace: "default", name, labels },
    spec: { schedulerName: "default-scheduler", containers: [{ name: "main", image: "nginx" }], ...spec },
  };
}

/** A Pod that asks for so much of a processor. */
export const cpu = (amount: string): Partial<NonNullable<Pod["spec"]>> => ({
  containers: [{ name: "main", image: "nginx", resources: { requests: { cpu: amount } } }],
});
