// Custom resources among the other objects: owners and dependents, contents of namespaces.

import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { KubeObject, ResourceType } from "#cluster/api/objects.ts";
import { startControlPlane } from "#cluster/controllers/control-plane.test-kit.ts";
import { garbageCollector } from "#cluster/controllers/garbage-collector/garbage-collector.ts";
import { namespaceController } from "#cluster/controllers/namespace/namespace-controller.ts";
import { crontabCrd, type Fields, plainSpec } from "./crontabs.test-kit.ts";

const type: ResourceType<KubeObject> = {
  group: "stable.example.com",
  version: "v1",
  plural: "crontabs",
  kind: "CronTab",
  namespaced: true,
};

function start() {
  const plane = startControlPlane({ definitions: [garbageCollector, namespaceController], nodes: [] });
  plane.settle();
  plane.client.create(kinds.customResourceDefinitions, crontabCrd(plainSpec) as KubeObject & CustomResourceDefinition);
  plane.settle();
  const make = (name: string, owner?: KubeObject, namespace = "default"): KubeObject =>
    plane.client.create(type, {
      metadata: {
        name,
        namespace,
        ...(owner === undefined
          ? {}
          : {
              ownerReferences: [
                {
                  apiVersion: owner.apiVersion,
                  kind: owner.kind,
                  name: owner.metadata.name as string,
                  uid: owner.metadata.uid as string,
                },
              ],
            }),
      },
      spec: {},
    }) as KubeObject;
  const names = () => plane.client.list(type).items.map(({ metadata }) => metadata.name);
  return { ...plane, make, names };
}

describe("custom resources", () => {
  it("are deleted with their owners and take their dependents along", () => {
    const { client, make, names, settle } = start();
    const owner = make("owner");
    make("child", owner);
    client.create(kinds.configMaps, {
      metadata: {
        name: "settings",
        namespace: "default",
        ownerReferences: [
          { apiVersion: "stable.example.com/v1", kind: "CronTab", name: "owner", uid: owner.metadata.uid as string },
        ],
      },
    });
    settle();
    client.delete(type, { namespace: "default", name: "owner" });
    settle();
    expect(names()).toEqual([]);
    expect(client.list(kinds.configMaps, { namespace: "default" }).items.map(({ metadata }) => metadata.name)).not.toContain(
      "settings",
    );
  });

  it("lose the reference to an owner that left them behind", () => {
    const { client, make, settle } = start();
    make("child", make("owner"));
    settle();
    client.delete(type, { namespace: "default", name: "owner" }, { propagationPolicy: "Orphan" });
    settle();
    const child = client.get(type, { namespace: "default", name: "child" }) as Fields;
    expect((child["metadata"] as Fields)["ownerReferences"] ?? []).toEqual([]);
  });

  it("go with their namespace", () => {
    const { client, make, names, settle } = start();
    client.create(kinds.namespaces, { metadata: { name: "shop" } });
    make("inside", undefined, "shop");
    client.delete(kinds.namespaces, { namespace: "", name: "shop" });
    settle();
    expect(names()).toEqual([]);
    expect(client.list(kinds.namespaces).items.map(({ metadata }) => metadata.name)).not.toContain("shop");
  });

  it("[API-198] may hide behind a server that does not answer: then a namespace waits", () => {
    const { client, settle, simulation } = start();
    const name = "v1beta1.metrics.k8s.io";
    client.create(kinds.apiServices, {
      metadata: { name },
      spec: {
        ...{ group: "metrics.k8s.io", version: "v1beta1", groupPriorityMinimum: 100, versionPriority: 100 },
        service: { namespace: "kube-system", name: "metrics-server" },
      },
    });
    client.create(kinds.namespaces, { metadata: { name: "shop" } });
    client.delete(kinds.namespaces, { namespace: "", name: "shop" });
    const shop = () => client.list(kinds.namespaces).items.find(({ metadata }) => metadata.name === "shop");
    simulation.run({ untilMs: simulation.nowMs + 10_000 });
    const stale = "metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1";
    expect(shop()?.status?.conditions?.[0]).toMatchObject({
      type: "NamespaceDeletionDiscoveryFailure",
      status: "True",
      reason: "DiscoveryFailed",
      message: `Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: ${stale}`,
    });
    client.delete(kinds.apiServices, { namespace: "", name });
    settle();
    simulation.run({ untilMs: simulation.nowMs + 60_000 });
    expect(shop()).toBeUndefined();
  });

  it("stop being watched when their definition goes", () => {
    const { client, make, server, settle, simulation } = start();
    make("a");
    client.delete(kinds.customResourceDefinitions, { namespace: "", name: "crontabs.stable.example.com" });
    settle();
    simulation.run({ untilMs: simulation.nowMs + 60_000 });
    expect([...server.openWatches.values()].filter(({ plural }) => plural === "crontabs")).toEqual([]);
    expect(client.customTypes()).toEqual([]);
  });
});
