// Errors thrown at random places of the simulator: the world goes on, and what it was asked for comes about.

import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deployments, pods } from "#cluster/api/kinds.ts";
import { Authorizer } from "#cluster/apiserver/authorization/authorizer.ts";
import { Pipeline } from "#cluster/apiserver/pipeline.ts";
import { EventCorrelator } from "#cluster/client/event-correlation.ts";
import { Informer } from "#cluster/client/informer.ts";
import { DeploymentController } from "#cluster/controllers/deployment/deployment-controller.ts";
import { ReplicaController } from "#cluster/controllers/replicaset/replica-controller.ts";
import { StatusManager } from "#cluster/node/kubelet/status/status-manager.ts";
import { VolumeManager } from "#cluster/node/kubelet/volumes/volume-manager.ts";
import { Containerd } from "#cluster/node/runtime/containerd.ts";
import { SchedulingCycle } from "#cluster/scheduler/scheduling-cycle.ts";
import { Store } from "#cluster/storage/store.ts";
import { Table } from "#cluster/storage/table.ts";
import { Random } from "#sim/random.ts";
import { WholeCluster } from "./whole-cluster.test-kit.ts";

/** A prototype's method, to be broken now and then. */
interface Place {
  readonly name: string;
  readonly owner: object;
  readonly method: string;
}

const place = (owner: { readonly name: string; readonly prototype: object }, ...methods: readonly string[]): readonly Place[] =>
  methods.map((method) => ({ name: `${owner.name}.${method}`, owner: owner.prototype, method }));

const places: readonly Place[] = [
  ...place(Authorizer, "requireResource"),
  ...place(Pipeline, "create", "update"),
  ...place(Store, "put", "remove"),
  ...place(Table, "get", "list"),
  ...place(Informer, "byIndex", "get"),
  ...place(DeploymentController, "reconcile"),
  ...place(ReplicaController, "reconcile"),
  ...place(SchedulingCycle, "findFeasible", "choose"),
  ...place(VolumeManager, "mount", "mountsFor", "unmount"),
  ...place(StatusManager, "set"),
  ...place(Containerd, "runSandbox", "createContainer", "startContainer", "sandboxesOf", "containersOf", "stopSandbox"),
  ...place(EventCorrelator, "correlate"),
];

const indicesOf = (...names: readonly string[]): number[] => names.map((name) => places.findIndex((each) => each.name === name));

afterEach(() => {
  vi.restoreAllMocks();
});

/** From now on every call of the method throws with the given chance; ends with the function it returns. */
function breakNowAndThen({ name, owner, method }: Place, random: Random, chance: number): () => void {
  const original = (owner as { readonly [method: string]: (...args: unknown[]) => unknown })[method];
  expect(original, name).toBeTypeOf("function");
  const spy = vi.spyOn(owner as { [method: string]: (...args: unknown[]) => unknown }, method);
  spy.mockImplementation(function (this: unknown, ...args) {
    if (random.fraction() < chance) throw new TypeError(`broken: ${name}`);
    return (original as (...args: unknown[]) => unknown).apply(this, args);
  });
  return () => spy.mockRestore();
}

describe("a world in which anything may throw", () => {
  it("goes on, tells of it, and comes to what was asked for once nothing throws any more", () => {
    const faulty = fc.record({
      broken: fc.uniqueArray(fc.integer({ min: 0, max: places.length - 1 }), { minLength: 1, maxLength: 4 }),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      chance: fc.constantFrom(0.02, 0.2, 1),
    });
    const examples: [{ broken: number[]; seed: number; chance: number }][] = [
      // A Pod goes before the handler that failed at its coming is told of it again.
      [{ broken: indicesOf("Informer.get", "Store.put"), seed: 3, chance: 0.2 }],
      // A Pod has ended, and what is to be said of it fails.
      [{ broken: indicesOf("Containerd.sandboxesOf"), seed: 69_348, chance: 0.2 }],
      // The scheduler fails at a Pod, and at telling of it.
      [{ broken: indicesOf("Pipeline.create", "Authorizer.requireResource"), seed: 16, chance: 0.2 }],
    ];
    const told = new Set<string>();
    fc.assert(
      fc.property(faulty, ({ broken, seed, chance }) => {
        const cluster = new WholeCluster(2, 3);
        cluster.sh("kubectl create deployment web --image=nginx:1.27 --replicas=3");
        cluster.world.simulation.faults.contain(({ error }) => told.add(error.message));
        const random = new Random(seed);
        const mend = broken.map((index) => breakNowAndThen(places[index] as Place, random, chance));
        cluster.sh("kubectl scale deployment web --replicas=5; kubectl delete pod --all --wait=false; kubectl get pods");
        cluster.advance(40);
        for (const end of mend.reverse()) end();
        cluster.sh(
          "kubectl scale deployment web --replicas=4; kubectl apply -f - <<'END'\n{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\nEND",
        );
        // A pass that failed again and again waits for its turn; a Pod that stays is looked at every minute or two.
        cluster.advance(400);
        const { status } = cluster.get(deployments, "web");
        expect([status?.readyReplicas, status?.replicas]).toEqual([4, 4]);
        expect(
          cluster.client.list(pods, { namespace: "default" }).items.filter((pod) => pod.metadata.deletionTimestamp !== undefined),
        ).toEqual([]);
        expect(cluster.sh("kubectl get configmap c -o name")).toBe("configmap/c\n");
      }),
      { numRuns: 12, examples },
    );
    expect(told.size).toBeGreaterThan(1);
  });
});
