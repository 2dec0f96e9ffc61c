import { describe, expect, it } from "vitest";
import type { Deployment } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft, JsonValue } from "#cluster/api/objects.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { replicaSetController } from "../replicaset/replicaset-controller.ts";
import { deploymentController } from "./deployment-controller.ts";

const key = { namespace: "default", name: "web" };

function web(replicas: number, spec: Partial<NonNullable<Deployment["spec"]>> = {}): Draft<Deployment> {
  return {
    metadata: key,
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "nginx", image: "nginx:1.27" }] } },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      ...spec,
    },
  };
}

function start() {
  const plane = startControlPlane({ definitions: [deploymentController, replicaSetController] });
  const { client, simulation } = plane;
  return {
    ...plane,
    deployment: () => client.get(kinds.deployments, key),
    sets: () => client.list(kinds.replicaSets).items,
    pods: () => client.list(kinds.pods).items,
    setImage: (image: string) =>
      client.patch(kinds.deployments, key, "merge", { spec: { template: { spec: { containers: [{ name: "nginx", image }] } } } }),
    patch: (patch: object) => client.patch(kinds.deployments, key, "merge", patch as JsonValue),
    scaling: () => plane.eventsOf("Deployment").map((text) => text.replaceAll(/web-\w+/g, "X")),
    run: (ms: number) => simulation.advance(ms),
  };
}

const progressing = (world: ReturnType<typeof start>) => {
  const condition = world.deployment().status?.conditions?.find(({ type }) => type === "Progressing");
  return `${condition?.status} ${condition?.reason} ${condition?.message?.replaceAll(/web-\w+/g, "X")}`;
};

const sizes = (world: ReturnType<typeof start>) => world.sets().map((set) => set.spec?.replicas);

describe("deployment-controller: creation", () => {
  it("[WRK-064] [WRK-065] [WRK-066] [WRK-068] [WRK-069] creates one ReplicaSet with all replicas in one step", () => {
    const world = start();
    world.client.create(kinds.deployments, { ...web(3), metadata: { ...key, annotations: { team: "blue" } } });
    world.settle();
    const [set, ...others] = world.sets();
    const hash = set?.metadata.labels?.["pod-template-hash"] ?? "";
    expect(others).toEqual([]);
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{8,10}$/);
    expect(set?.metadata.name).toBe(`web-${hash}`);
    expect(set?.spec?.replicas).toBe(3);
    expect(set?.spec?.selector).toEqual({ matchLabels: { app: "web", "pod-template-hash": hash } });
    expect(set?.spec?.template?.metadata?.labels).toEqual({ app: "web", "pod-template-hash": hash });
    expect(set?.metadata.annotations).toEqual({
      team: "blue",
      "deployment.kubernetes.io/revision": "1",
      "deployment.kubernetes.io/desired-replicas": "3",
      "deployment.kubernetes.io/max-replicas": "4",
    });
    expect(world.deployment().metadata.annotations).toEqual({ team: "blue", "deployment.kubernetes.io/revision": "1" });
    expect(world.pods().map((pod) => pod.metadata.labels?.["pod-template-hash"])).toEqual([hash, hash, hash]);
    expect(world.eventsOf("Deployment")).toEqual([`ScalingReplicaSet Scaled up replica set web-${hash} from 0 to 3`]);
  });

  it("[WRK-078] [WRK-138] [WRK-139] [WRK-140] has the whole status of a complete rollout", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.settle();
    const name = world.sets()[0]?.metadata.name;
    expect(world.deployment().status).toEqual({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
      conditions: [
        {
          type: "Available",
          status: "True",
          reason: "MinimumReplicasAvailable",
          message: "Deployment has minimum availability.",
          lastUpdateTime: "2026-01-01T00:00:01Z",
          lastTransitionTime: "2026-01-01T00:00:01Z",
        },
        {
          type: "Progressing",
          status: "True",
          reason: "NewReplicaSetAvailable",
          message: `ReplicaSet "${name}" has successfully progressed.`,
          lastUpdateTime: "2026-01-01T00:00:01Z",
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ],
    });
  });

  it("[WRK-070] puts a ReplicaSet that was scaled by hand back", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.settle();
    const name = world.sets()[0]?.metadata.name ?? "";
    world.client.patch(kinds.replicaSets, { namespace: "default", name }, "merge", { spec: { replicas: 6 } });
    world.settle();
    expect(sizes(world)).toEqual([3]);
    expect(world.scaling().at(-1)).toBe("ScalingReplicaSet Scaled down replica set X from 6 to 3");
  });

  it("[WRK-071] [WRK-080] makes a deleted ReplicaSet again under the same name", () => {
    const world = start();
    world.client.create(kinds.deployments, web(2));
    world.settle();
    const [before] = world.sets();
    world.client.delete(kinds.replicaSets, { namespace: "default", name: before?.metadata.name ?? "" });
    world.settle();
    const [after] = world.sets();
    expect(after?.metadata.name).toBe(before?.metadata.name);
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  });

  it("[WRK-072] adopts a matching ReplicaSet with the same template as the current one, Pods unchanged", () => {
    const world = start();
    const { template, selector } = web(2).spec ?? {};
    world.client.create(kinds.replicaSets, {
      metadata: { namespace: "default", name: "legacy", labels: { app: "web" } },
      spec: { replicas: 2, selector: selector ?? {}, ...(template === undefined ? {} : { template }) },
    });
    world.settle();
    const uids = world.pods().map((pod) => pod.metadata.uid);
    world.client.create(kinds.deployments, web(2));
    world.settle();
    expect(world.sets().map((set) => [set.metadata.name, set.metadata.ownerReferences?.[0]?.name])).toEqual([["legacy", "web"]]);
    expect(world.sets()[0]?.metadata.labels).toEqual({ app: "web" });
    expect(world.pods().map((pod) => pod.metadata.uid)).toEqual(uids);
  });
});

describe("deployment-controller: rolling update", () => {
  it("[WRK-087] [WRK-090] [WRK-091] replaces 3 replicas one by one", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.settle();
    world.setImage("nginx:1.28");
    world.settle();
    expect(world.scaling().slice(1)).toEqual([
      "ScalingReplicaSet Scaled up replica set X from 0 to 1",
      "ScalingReplicaSet Scaled down replica set X from 3 to 2",
      "ScalingReplicaSet Scaled up replica set X from 1 to 2",
      "ScalingReplicaSet Scaled down replica set X from 2 to 1",
      "ScalingReplicaSet Scaled up replica set X from 2 to 3",
      "ScalingReplicaSet Scaled down replica set X from 1 to 0",
    ]);
    expect(sizes(world)).toEqual([0, 3].sort((a) => (world.sets()[0]?.spec?.replicas === a ? -1 : 1)));
    expect(world.deployment().metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("2");
  });

  it.each([
    ["[WRK-085]", 3, 4, 3],
    ["[WRK-085]", 4, 5, 3],
    ["[WRK-085]", 5, 7, 4],
    ["[WRK-085]", 10, 13, 8],
  ])("%s [WRK-084] [WRK-086] keeps %i replicas within %i Pods and %i available ones", (_id, replicas, most, least) => {
    const world = start();
    world.client.create(kinds.deployments, web(replicas));
    world.settle();
    world.setImage("nginx:1.28");
    let highest = 0;
    let lowest = replicas;
    const limit = world.simulation.nowMs + 120_000;
    while (world.simulation.nowMs < limit && world.simulation.step()) {
      const pods = world.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined);
      const ready = pods.filter((pod) => pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True"));
      highest = Math.max(highest, pods.length);
      lowest = Math.min(lowest, ready.length);
    }
    expect([highest, lowest]).toEqual([most, least]);
    expect(world.deployment().status?.updatedReplicas).toBe(replicas);
  });

  it("[WRK-092] Recreate ends all old Pods before it makes new ones", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3, { strategy: { type: "Recreate" } }));
    world.settle();
    world.setImage("nginx:1.28");
    let mixed = false;
    const limit = world.simulation.nowMs + 60_000;
    while (world.simulation.nowMs < limit && world.simulation.step()) {
      mixed ||= new Set(world.pods().map((pod) => pod.spec?.containers[0]?.image)).size > 1;
    }
    expect(mixed).toBe(false);
    expect(world.scaling().slice(1)).toEqual([
      "ScalingReplicaSet Scaled down replica set X from 3 to 0",
      "ScalingReplicaSet Scaled up replica set X from 0 to 3",
    ]);
  });

  it("[WRK-099] minReadySeconds delays availability", () => {
    const world = start();
    world.client.create(kinds.deployments, web(2, { minReadySeconds: 20 }));
    world.run(15_000);
    expect(world.deployment().status).toMatchObject({ readyReplicas: 2, unavailableReplicas: 2 });
    world.run(10_000);
    expect(world.deployment().status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
  });

  it("[POD-253] [WRK-103] [WRK-143] [WRK-142] a bad image stops at the surge and runs into the deadline; success later clears it", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.settle();
    world.kubelet.becomesReady = (pod) => pod.spec?.containers[0]?.image !== "nginx:1.91";
    world.setImage("nginx:1.91");
    world.run(500_000);
    expect(
      world
        .sets()
        .map((set) => set.spec?.replicas)
        .sort(),
    ).toEqual([1, 3]);
    expect(progressing(world)).toBe('True ReplicaSetUpdated ReplicaSet "X" is progressing.');
    world.run(110_000);
    expect(progressing(world)).toBe('False ProgressDeadlineExceeded ReplicaSet "X" has timed out progressing.');
    world.setImage("nginx:1.28");
    world.settle();
    expect(progressing(world)).toBe('True NewReplicaSetAvailable ReplicaSet "X" has successfully progressed.');
  });

  it("[WRK-101] [WRK-107] a template that was there before gets its set back and the next revision number", () => {
    const world = start();
    world.client.create(kinds.deployments, web(2));
    world.settle();
    world.setImage("nginx:1.28");
    world.settle();
    world.setImage("nginx:1.27");
    world.settle();
    const revisions = world
      .sets()
      .map(({ metadata: { annotations } }) => [
        annotations?.["deployment.kubernetes.io/revision"],
        annotations?.["deployment.kubernetes.io/revision-history"],
      ]);
    expect(revisions).toContainEqual(["3", "1"]);
    expect(revisions).toContainEqual(["2", undefined]);
  });

  it("[WRK-107] counts revisions beyond what a double holds", () => {
    const { client, settle, sets, deployment } = start();
    const labels = { app: "web" };
    client.create(kinds.replicaSets, {
      metadata: {
        namespace: "default",
        name: "old",
        labels,
        annotations: { "deployment.kubernetes.io/revision": "3546343826724305832" },
      },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.26" }] } },
      },
    });
    client.create(kinds.deployments, web(1));
    settle();
    const revisions = sets().map(({ metadata }) => metadata.annotations?.["deployment.kubernetes.io/revision"]);
    expect(revisions.sort()).toEqual(["3546343826724305832", "3546343826724305833"]);
    expect(deployment().metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("3546343826724305833");
  });

  it("[WRK-126] [WRK-127] keeps no more old sets than revisionHistoryLimit", () => {
    const world = start();
    world.client.create(kinds.deployments, web(1, { revisionHistoryLimit: 1 }));
    for (const image of ["a", "b", "c"]) {
      world.settle();
      world.setImage(image);
    }
    world.settle();
    expect(
      world
        .sets()
        .map((set) => set.metadata.annotations?.["deployment.kubernetes.io/revision"])
        .sort(),
    ).toEqual(["3", "4"]);
  });
});

describe("deployment-controller: scale and pause", () => {
  it("[WRK-132] scales to 0", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.settle();
    world.patch({ spec: { replicas: 0 } });
    world.settle();
    expect(sizes(world)).toEqual([0]);
    expect(world.pods()).toEqual([]);
    expect(world.deployment().status?.replicas ?? 0).toBe(0);
  });

  it("[WRK-133] [WRK-134] [WRK-135] a paused Deployment collects changes and rolls them out at once when resumed", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.settle();
    world.patch({ spec: { paused: true } });
    world.settle();
    expect(progressing(world)).toBe("Unknown DeploymentPaused Deployment is paused");
    world.setImage("nginx:1.28");
    world.patch({ spec: { replicas: 5 } });
    world.settle();
    expect(sizes(world)).toEqual([5]);
    expect(world.deployment().status?.updatedReplicas ?? 0).toBe(0);
    world.setImage("nginx:1.29");
    world.patch({ spec: { paused: false } });
    world.settle();
    expect(world.sets().length).toBe(2);
    expect(world.deployment().status?.updatedReplicas).toBe(5);
    expect(world.deployment().metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("2");
  });

  it("[WRK-083] changes outside of the template make no new ReplicaSet", () => {
    const world = start();
    world.client.create(kinds.deployments, web(2));
    world.settle();
    world.patch({
      metadata: { labels: { a: "b" } },
      spec: { minReadySeconds: 1, revisionHistoryLimit: 3, progressDeadlineSeconds: 60 },
    });
    world.settle();
    expect(world.sets().length).toBe(1);
    expect(world.deployment().metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("1");
  });
});

describe("deployment-controller: as a loop", () => {
  it("[WRK-008] survives a restart of the controller manager and then catches up", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.settle();
    world.manager.stop();
    world.setImage("nginx:1.28");
    world.run(60_000);
    expect(world.sets().length).toBe(1);
    world.manager.start();
    world.run(120_000);
    expect(world.deployment().status).toMatchObject({ updatedReplicas: 3, availableReplicas: 3 });
  });

  it("writes nothing when settled", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.run(60_000);
    const versions = () => [...world.sets(), ...world.pods(), world.deployment()].map(({ metadata }) => metadata.resourceVersion);
    const before = versions();
    world.run(3_600_000);
    expect(versions()).toEqual(before);
  });
});

describe("deployment-controller: what learners try", () => {
  it.each<[string, object]>([
    ["labels", { metadata: { labels: { version: "2" } } }],
    ["annotations", { metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z" } } }],
    ["environment", { spec: { containers: [{ name: "nginx", image: "nginx:1.27", env: [{ name: "A", value: "b" }] }] } }],
    ["resources", { spec: { containers: [{ name: "nginx", image: "nginx:1.27", resources: { requests: { cpu: "1m" } } }] } }],
  ])("[WRK-082] [WRK-106] a change of the template's %s is a rollout", (_title, template) => {
    const world = start();
    world.client.create(kinds.deployments, web(2));
    world.settle();
    world.patch({ spec: { template } });
    world.settle();
    expect(world.sets().length).toBe(2);
    expect(world.deployment().metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("2");
    expect(world.deployment().status).toMatchObject({ updatedReplicas: 2, availableReplicas: 2 });
  });

  it.each([
    [
      "[WRK-094] takes as many as may be missing at once",
      { maxUnavailable: "30%", maxSurge: 0 },
      "ScalingReplicaSet Scaled down replica set X from 10 to 7",
    ],
    [
      "[WRK-088] adds as many as there may be more at once",
      { maxUnavailable: 0, maxSurge: "30%" },
      "ScalingReplicaSet Scaled up replica set X from 0 to 3",
    ],
  ])("%s", (_title, rollingUpdate, first) => {
    const world = start();
    world.client.create(kinds.deployments, web(10, { strategy: { type: "RollingUpdate", rollingUpdate } }));
    world.settle();
    world.setImage("nginx:1.28");
    world.settle();
    expect(
      world
        .scaling()
        .slice(1)
        .find((text) => !text.endsWith("from 0 to 0")),
    ).toBe(first);
  });

  it("[WRK-095] has no more Pods than the surge allows", () => {
    const world = start();
    world.client.create(
      kinds.deployments,
      web(10, { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "30%", maxUnavailable: 0 } } }),
    );
    world.settle();
    world.setImage("nginx:1.28");
    let highest = 0;
    const limit = world.simulation.nowMs + 60_000;
    while (world.simulation.nowMs < limit && world.simulation.step()) {
      highest = Math.max(highest, world.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined).length);
    }
    expect(highest).toBe(13);
  });

  it("[WRK-100] a third template while the second rolls makes the second an old one", () => {
    const world = start();
    world.client.create(kinds.deployments, web(5));
    world.settle();
    world.setImage("nginx:1.28");
    world.run(500);
    world.setImage("nginx:1.29");
    world.run(500);
    expect(world.sets().length).toBe(3);
    world.settle();
    expect(new Set(world.pods().map((pod) => pod.spec?.containers[0]?.image))).toEqual(new Set(["nginx:1.29"]));
    expect(world.pods().length).toBe(5);
  });

  it("[WRK-102] clears away old Pods that never got ready, within the surge", () => {
    const world = start();
    world.kubelet.becomesReady = () => false;
    world.client.create(kinds.deployments, web(5));
    world.run(30_000);
    world.setImage("nginx:1.28");
    world.run(30_000);
    expect(sizes(world).sort()).toEqual([3, 4]);
    expect(world.scaling().slice(1)).toEqual([
      "ScalingReplicaSet Scaled up replica set X from 0 to 2",
      "ScalingReplicaSet Scaled down replica set X from 5 to 4",
      "ScalingReplicaSet Scaled up replica set X from 2 to 3",
    ]);
  });

  it("[WRK-108] [WRK-109] [WRK-110] the change's cause goes to the newest set only", () => {
    const world = start();
    const causes = () =>
      world
        .sets()
        .map(({ metadata: { annotations } }) => [
          annotations?.["deployment.kubernetes.io/revision"],
          annotations?.["kubernetes.io/change-cause"],
        ])
        .sort();
    world.client.create(kinds.deployments, {
      ...web(1),
      metadata: { ...key, annotations: { "kubernetes.io/change-cause": "first" } },
    });
    world.settle();
    world.setImage("nginx:1.28");
    world.settle();
    expect(causes()).toEqual([
      ["1", "first"],
      ["2", "first"],
    ]);
    world.patch({ metadata: { annotations: { "kubernetes.io/change-cause": "second" } } });
    world.settle();
    expect(causes()).toEqual([
      ["1", "first"],
      ["2", "second"],
    ]);
  });

  it("[WRK-074] takes over no Pods of its own: its sets do, by their hash", () => {
    const world = start();
    world.client.create(kinds.pods, {
      metadata: { namespace: "default", name: "naked", labels: { app: "web" } },
      spec: { containers: [{ name: "x", image: "x" }] },
    });
    world.client.create(kinds.deployments, web(2));
    world.settle();
    expect(world.pods().length).toBe(3);
    expect(world.client.get(kinds.pods, { namespace: "default", name: "naked" }).metadata.ownerReferences ?? []).toEqual([]);
  });

  it("[WRK-081] two that select the same each work on their own", () => {
    const world = start();
    world.client.create(kinds.deployments, web(2));
    world.client.create(kinds.deployments, { ...web(3), metadata: { ...key, name: "other" } });
    world.settle();
    expect(
      world
        .sets()
        .map((set) => [set.metadata.ownerReferences?.[0]?.name, set.spec?.replicas])
        .sort(),
    ).toEqual([
      ["other", 3],
      ["web", 2],
    ]);
    expect(world.pods().length).toBe(5);
  });

  it("[WRK-075] [WRK-079] counts nobody before they are up, and says which specification it has seen", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.run(500);
    expect(world.deployment().status).toMatchObject({
      replicas: 3,
      updatedReplicas: 3,
      unavailableReplicas: 3,
      observedGeneration: 1,
    });
    expect(world.deployment().status?.readyReplicas).toBeUndefined();
    world.patch({ spec: { replicas: 4 } });
    world.settle();
    expect([world.deployment().metadata.generation, world.deployment().status?.observedGeneration]).toEqual([2, 2]);
  });

  it("[WRK-141] repeats why its set cannot make Pods, until it can", () => {
    const world = start();
    const account = { namespace: "default", name: "default" };
    world.client.delete(kinds.serviceAccounts, account);
    world.client.create(kinds.deployments, web(2));
    world.run(5_000);
    const failure = () => world.deployment().status?.conditions?.find(({ type }) => type === "ReplicaFailure");
    expect(failure()).toMatchObject({
      status: "True",
      reason: "FailedCreate",
      message: world.sets()[0]?.status?.conditions?.[0]?.message,
    });
    world.client.create(kinds.serviceAccounts, { metadata: account });
    world.run(60_000);
    expect(failure()).toBeUndefined();
  });

  it("[WRK-144] does not time out once it was complete, whatever becomes of its Pods", () => {
    const world = start();
    world.client.create(kinds.deployments, web(2, { progressDeadlineSeconds: 30 }));
    world.settle();
    for (const pod of world.pods()) world.kubelet.setReady(`default/${pod.metadata.name}`, false);
    world.run(120_000);
    expect(progressing(world)).toBe('True NewReplicaSetAvailable ReplicaSet "X" has successfully progressed.');
    expect(world.deployment().status?.unavailableReplicas).toBe(2);
  });

  it("[WRK-067] takes another hash when the name is somebody else's", () => {
    const world = start();
    world.client.create(kinds.deployments, web(1));
    world.settle();
    const name = world.sets()[0]?.metadata.name ?? "";
    world.client.delete(kinds.deployments, key, { propagationPolicy: "Background" });
    world.client.delete(kinds.replicaSets, { namespace: "default", name });
    const labels = { app: "other" };
    world.client.create(kinds.replicaSets, {
      metadata: { namespace: "default", name },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "x", image: "x" }] } },
      },
    });
    world.client.create(kinds.deployments, web(1));
    world.settle();
    const own = world.sets().find(({ metadata }) => metadata.ownerReferences?.[0]?.name === "web");
    expect(own?.metadata.name).toMatch(/^web-[a-z0-9]+$/);
    expect(own?.metadata.name).not.toBe(name);
    expect(world.deployment().status).toMatchObject({ collisionCount: 1, availableReplicas: 1 });
  });

  it("[WRK-073] rolls an adopted set of another template down", () => {
    const world = start();
    const { selector } = web(2).spec ?? {};
    world.client.create(kinds.replicaSets, {
      metadata: { namespace: "default", name: "legacy", labels: { app: "web" } },
      spec: {
        replicas: 2,
        selector: selector ?? {},
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "nginx", image: "nginx:1.14" }] } },
      },
    });
    world.settle();
    world.client.create(kinds.deployments, web(2));
    world.settle();
    const legacy = world.sets().find(({ metadata }) => metadata.name === "legacy");
    expect([legacy?.metadata.ownerReferences?.[0]?.name, legacy?.spec?.replicas]).toEqual(["web", 0]);
    expect(world.pods().map((pod) => pod.spec?.containers[0]?.image)).toEqual(["nginx:1.27", "nginx:1.27"]);
  });

  it("[WRK-128] does not make an old set again that was deleted by hand", () => {
    const world = start();
    world.client.create(kinds.deployments, web(1));
    world.settle();
    const [old] = world.sets();
    world.setImage("nginx:1.28");
    world.settle();
    world.client.delete(kinds.replicaSets, { namespace: "default", name: old?.metadata.name ?? "" });
    world.settle();
    expect(world.sets().map(({ metadata }) => metadata.annotations?.["deployment.kubernetes.io/revision"])).toEqual(["2"]);
  });

  it("[WRK-089] takes old Pods away first that are not ready", () => {
    const world = start();
    world.client.create(kinds.deployments, web(4));
    world.settle();
    const [broken] = world.pods();
    world.kubelet.setReady(`default/${broken?.metadata.name}`, false);
    world.settle();
    world.kubelet.becomesReady = (pod) => pod.spec?.containers[0]?.image !== "nginx:bad";
    world.setImage("nginx:bad");
    world.run(60_000);
    const left = world.pods().filter((pod) => pod.spec?.containers[0]?.image === "nginx:1.27");
    expect(left.length).toBe(3);
    expect(left.map(({ metadata }) => metadata.uid)).not.toContain(broken?.metadata.uid);
  });
});
