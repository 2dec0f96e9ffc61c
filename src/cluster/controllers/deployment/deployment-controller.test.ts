import { describe, expect, it } from "vitest";
import type { Deployment } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { replicaSetController } from "../replicaset/replicaset-controller.ts";
import { startControlPlane } from "../testing/control-plane.ts";
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
    patch: (patch: { [field: string]: never } | object) => client.patch(kinds.deployments, key, "merge", patch as never),
    scaling: () => plane.eventsOf("Deployment").map((text) => text.replaceAll(/web-\w+/g, "X")),
    run: (ms: number) => simulation.advance(ms),
  };
}

describe("deployment-controller: creation", () => {
  it("[WRK-064] creates one ReplicaSet with all replicas in one step", () => {
    const world = start();
    world.client.create(kinds.deployments, web(3));
    world.settle();
    const [set, ...others] = world.sets();
    expect(others).toEqual([]);
    expect(set?.spec?.replicas).toBe(3);
    expect(world.eventsOf("Deployment")).toEqual([`ScalingReplicaSet Scaled up replica set ${set?.metadata.name} from 0 to 3`]);
    expect(world.deployment().status).toEqual({});
  });
});
