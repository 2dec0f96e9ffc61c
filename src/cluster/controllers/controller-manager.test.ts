import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { formatMicroTime } from "#cluster/api/time.ts";
import { startControlPlane } from "./control-plane.test-kit.ts";
import { ControllerManager } from "./controller-manager.ts";
import { deploymentController } from "./deployment/deployment-controller.ts";

describe("kube-controller-manager", () => {
  it("[WRK-006] holds a Lease in kube-system and says that it leads", () => {
    const world = startControlPlane();
    world.simulation.advance(10);
    const lease = world.client.get(kinds.leases, { namespace: "kube-system", name: "kube-controller-manager" });
    expect(lease.spec).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 0, holderIdentity: world.manager.identity });
    expect(world.manager.identity).toMatch(/^control-plane_[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(world.eventsOf("Lease")).toEqual([`LeaderElection ${world.manager.identity} became leader`]);
  });

  it("[WRK-007] hands over to another process 15 s after it was killed", () => {
    const world = startControlPlane();
    const standby = new ControllerManager({ simulation: world.simulation, clients: world.server, hostname: "cp-2" });
    standby.start();
    world.simulation.advance(60_000);
    expect([world.manager.isLeader, standby.isLeader]).toEqual([true, false]);
    world.manager.stop();
    world.simulation.advance(12_000);
    expect(standby.isLeader).toBe(false);
    world.simulation.advance(13_000);
    expect(standby.isLeader).toBe(true);
  });

  it("[API-267] [API-268] gives up what another has taken: says so, ends, and lets the other be", () => {
    const world = startControlPlane();
    world.manager.stop();
    let ended = 0;
    const manager = new ControllerManager({
      simulation: world.simulation,
      clients: world.server,
      hostname: "cp-2",
      onExit: () => {
        ended += 1;
      },
    });
    manager.start();
    world.simulation.advance(60_000);
    const { identity } = manager;
    const lease = world.client.get(kinds.leases, { namespace: "kube-system", name: "kube-controller-manager" });
    expect([lease.spec?.holderIdentity, lease.spec?.leaseTransitions]).toEqual([identity, 1]);
    // Another that renews for itself: never free again within the ten seconds.
    for (let second = 0; second < 14; second += 1) {
      world.client.patch(kinds.leases, { namespace: "kube-system", name: "kube-controller-manager" }, "merge", {
        spec: { holderIdentity: "cp-3", renewTime: formatMicroTime(world.simulation.nowMs) },
      });
      world.simulation.advance(1_000);
    }
    expect([ended, manager.isLeader, manager.runners.length]).toEqual([1, false, 0]);
    expect(world.eventsOf("Lease").slice(-2)).toEqual([
      `LeaderElection ${identity} became leader`,
      `LeaderElection ${identity} stopped leading`,
    ]);
  });

  it("[WRK-011] leaves out what --controllers turns off", () => {
    const world = startControlPlane();
    world.manager.stop();
    const manager = new ControllerManager({
      simulation: world.simulation,
      clients: world.server,
      hostname: "cp",
      controllers: ["*", "-deployment-controller"],
    });
    manager.start();
    world.simulation.advance(30_000);
    const names = manager.runners.map(({ controller }) => controller.name);
    expect(names).toContain("replicaset-controller");
    expect(names).not.toContain("deployment-controller");
  });

  it("[WRK-005] has five workers for Deployments, or as many as the flag says: the others wait", () => {
    const roundsOf = (workers?: number): number => {
      const tuning = workers === undefined ? {} : { workers: new Map([["deployment", workers]]) };
      const world = startControlPlane({ definitions: [deploymentController], nodes: [], tuning });
      world.settle();
      const containers = [{ name: "c", image: "nginx" }];
      for (let index = 0; index < 20; index += 1) {
        const labels = { app: `d${index}` };
        world.client.create(kinds.deployments, {
          metadata: { namespace: "default", name: `d${index}` },
          spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
        });
      }
      const startMs = world.simulation.nowMs;
      const sets = () => world.client.list(kinds.replicaSets).items.length;
      world.simulation.runUntil(() => sets() === 20, { limitMs: 60_000 });
      return Math.floor((world.simulation.nowMs - startMs) / 10);
    };
    // Passes take 10 ms: twenty by one worker, by five, by more than there are Deployments.
    expect([roundsOf(1), roundsOf(), roundsOf(50)]).toEqual([19, 3, 0]);
  });

  it("lets each controller act as an account in kube-system, which it makes where it is missing", () => {
    const world = startControlPlane();
    world.simulation.advance(30_000);
    const accounts = (): readonly string[] =>
      world.client.list(kinds.serviceAccounts, { namespace: "kube-system" }).items.map(({ metadata }) => metadata.name);
    expect(accounts()).toEqual(expect.arrayContaining(["deployment-controller", "generic-garbage-collector", "node-controller"]));
    const before = accounts().length;
    world.client.delete(kinds.serviceAccounts, { namespace: "kube-system", name: "deployment-controller" });
    world.manager.stop();
    world.simulation.advance(30_000);
    expect(accounts()).toHaveLength(before - 1);
    world.manager.start();
    world.simulation.advance(30_000);
    expect(accounts()).toHaveLength(before);
  });

  it("gives new namespaces an account and the cluster's CA", () => {
    const world = startControlPlane();
    world.client.create(kinds.namespaces, { metadata: { name: "team" } });
    world.simulation.advance(100);
    expect(world.client.get(kinds.serviceAccounts, { namespace: "team", name: "default" }).metadata.name).toBe("default");
    expect(Object.keys(world.client.get(kinds.configMaps, { namespace: "team", name: "kube-root-ca.crt" }).data ?? {})).toEqual([
      "ca.crt",
    ]);
  });

  it("empties a namespace that is deleted, and then lets it go", () => {
    const world = startControlPlane();
    world.client.create(kinds.namespaces, { metadata: { name: "team" } });
    world.simulation.advance(100);
    world.client.create(kinds.configMaps, { metadata: { namespace: "team", name: "held", finalizers: ["example.com/hold"] } });
    world.client.delete(kinds.namespaces, { namespace: "", name: "team" });
    world.simulation.advance(7_000);
    const { status } = world.client.get(kinds.namespaces, { namespace: "", name: "team" });
    expect(status?.conditions?.map(({ type, status, message }) => `${type} ${status} ${message}`)).toEqual([
      "NamespaceDeletionDiscoveryFailure False All resources successfully discovered",
      "NamespaceDeletionGroupVersionParsingFailure False All legacy kube types successfully parsed",
      "NamespaceDeletionContentFailure False All content successfully deleted, may be waiting on finalization",
      "NamespaceContentRemaining True Some resources are remaining: configmaps. has 1 resource instances",
      "NamespaceFinalizersRemaining True Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
    ]);
    world.client.patch(kinds.configMaps, { namespace: "team", name: "held" }, "merge", { metadata: { finalizers: null } });
    world.simulation.advance(30_000);
    expect(world.client.list(kinds.namespaces).items.map((item) => item.metadata.name)).not.toContain("team");
  });
});
