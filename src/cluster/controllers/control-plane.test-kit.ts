// A world for tests of controllers: a real API server, the controllers asked for, Pods that run by themselves.

import * as kinds from "#cluster/api/kinds.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client } from "#cluster/client/client.ts";
import type { WatchDelays } from "#cluster/client/watch-delays.ts";
import { Simulation } from "#sim/simulation.ts";
import type { ControllerDefinition } from "./context.ts";
import { ControllerManager } from "./controller-manager.ts";
import { FakeKubelet } from "./fake-kubelet.test-kit.ts";
import { FakeScheduler } from "./fake-scheduler.test-kit.ts";
import { type Tuning, usualTuning } from "./tuning.ts";

/** 2026-01-01T00:00:00Z */
export const testStartMs = 1_767_225_600_000;

export interface TestControlPlane {
  readonly simulation: Simulation;
  readonly server: ApiServer;
  readonly client: Client;
  readonly manager: ControllerManager;
  readonly kubelet: FakeKubelet;
  /** Lets time pass until nothing but heartbeats is left, at most `limitMs` (10 minutes). */
  settle(limitMs?: number): void;
  /** `reason message` of the events about a kind, by time. */
  eventsOf(kind: string): readonly string[];
}

export interface TestOptions {
  readonly definitions?: readonly ControllerDefinition[];
  /** Pods are bound in turn to these; empty: nobody binds. */
  readonly nodes?: readonly string[];
  readonly seed?: number;
  readonly watchDelays?: WatchDelays;
  readonly tuning?: Partial<Tuning>;
  /** What the controller manager logs. */
  readonly log?: (place: string, message: string) => void;
}

export function startControlPlane(options: TestOptions = {}): TestControlPlane {
  const simulation = new Simulation({ startMs: testStartMs, seed: options.seed ?? 1 });
  const server = new ApiServer({ simulation });
  server.start();
  const client = server.clientFor({ name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] }, "kubectl");
  // The account that Pods get, in case its controller is not among those under test.
  client.create(kinds.serviceAccounts, { metadata: { namespace: "default", name: "default" } });
  const { definitions, watchDelays, tuning } = options;
  const manager = new ControllerManager({
    simulation,
    clients: server,
    hostname: "control-plane",
    ...(definitions === undefined ? {} : { definitions }),
    ...(watchDelays === undefined ? {} : { watchDelays }),
    ...(tuning === undefined ? {} : { tuning: { ...usualTuning, ...tuning } }),
  });
  const kubelet = new FakeKubelet(simulation, client);
  const nodes = options.nodes ?? ["node-1", "node-2", "node-3"];
  if (nodes.length > 0) new FakeScheduler(simulation, client, nodes);
  manager.start(options.log);
  return {
    simulation,
    server,
    client,
    manager,
    kubelet,
    settle: (limitMs = 600_000) => {
      simulation.runUntilIdle({ limitMs });
    },
    eventsOf: (kind) =>
      client
        .list(kinds.events)
        .items.filter((event) => event.involvedObject.kind === kind)
        .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map((event) => `${event.reason} ${event.message}`),
  };
}
