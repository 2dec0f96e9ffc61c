import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { refusalOf } from "#cluster/apiserver/test-server.test-kit.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { deploymentController } from "../deployment/deployment-controller.ts";
import { replicaSetController } from "../replicaset/replicaset-controller.ts";
import type { Tuning } from "../tuning.ts";
import { resourceQuotaController } from "./resource-quota-controller.ts";

const key = { namespace: "default", name: "q" };

function start(hard: { readonly [name: string]: string }, tuning: Partial<Tuning> = {}) {
  const definitions = [deploymentController, replicaSetController, resourceQuotaController];
  const world = startControlPlane({ definitions, tuning });
  world.client.create(kinds.resourceQuotas, { metadata: key, spec: { hard } });
  world.settle();
  const status = () => world.client.get(kinds.resourceQuotas, key).status;
  const pod = (name: string) =>
    world.client.create(kinds.pods, {
      metadata: { namespace: "default", name },
      spec: { containers: [{ name: "c", image: "nginx" }] },
    });
  return { ...world, status, pod };
}

describe("resource quota controller", () => {
  it("[WRK-464] [WRK-473] copies the limits to the status and counts what is there", () => {
    const { status } = start({ pods: "2", "count/deployments.apps": "1", "limits.cpu": "1", "example.com/what": "3" });
    expect(status()).toEqual({
      hard: { pods: "2", "count/deployments.apps": "1", "limits.cpu": "1", "example.com/what": "3" },
      used: { pods: "0", "count/deployments.apps": "0", "limits.cpu": "0" },
    });
  });

  it("[API-283] [WRK-466] gives back what a deleted or ended Pod had", () => {
    const { client, settle, status, pod } = start({ pods: "2", "count/pods": "5" });
    pod("a");
    pod("b");
    expect(status()?.used).toEqual({ pods: "2", "count/pods": "2" });
    expect(refusalOf(() => pod("c"))).toBe(
      'pods "c" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
    );
    settle();
    client.delete(kinds.pods, { namespace: "default", name: "a" }, { gracePeriodSeconds: 0 });
    settle();
    expect(status()?.used).toEqual({ pods: "1", "count/pods": "1" });
    const ended = client.get(kinds.pods, { namespace: "default", name: "b" });
    client.updateStatus(kinds.pods, { ...ended, status: { ...ended.status, phase: "Succeeded" } });
    settle();
    expect(status()?.used).toEqual({ pods: "0", "count/pods": "1" });
  });

  it("[WRK-466] moves a Pod whose time gets limited from one scope to the other", () => {
    const { client, settle, pod } = start({ secrets: "9" });
    const quota = (name: string, scope: string) =>
      client.create(kinds.resourceQuotas, {
        metadata: { namespace: "default", name },
        spec: { hard: { pods: "1" }, scopes: [scope] },
      });
    quota("limited", "Terminating");
    quota("endless", "NotTerminating");
    settle();
    const used = () =>
      ["limited", "endless"].map((name) => client.get(kinds.resourceQuotas, { namespace: "default", name }).status?.used?.["pods"]);
    pod("a");
    expect(used()).toEqual(["0", "1"]);
    client.patch(kinds.pods, { namespace: "default", name: "a" }, "merge", { spec: { activeDeadlineSeconds: 60 } });
    expect(used()).toEqual(["1", "1"]);
    settle(20_000);
    expect(used()).toEqual(["1", "0"]);
    pod("b");
    expect(
      refusalOf(() =>
        client.patch(kinds.pods, { namespace: "default", name: "b" }, "merge", { spec: { activeDeadlineSeconds: 60 } }),
      ),
    ).toBe('pods "b" is forbidden: exceeded quota: limited, requested: pods=1, used: pods=1, limited: pods=1');
  });

  it("[API-283] counts custom kinds", () => {
    const { client, settle } = start({ pods: "2" });
    client.create(kinds.customResourceDefinitions, {
      metadata: { name: "shops.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "shops", singular: "shop", kind: "Shop" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        ],
      },
    });
    settle();
    const shops = client.customTypes()[0];
    if (shops === undefined) throw new Error("no kind");
    client.create(shops, { metadata: { namespace: "default", name: "a" } } as object);
    const counted = { namespace: "default", name: "shops" };
    client.create(kinds.resourceQuotas, { metadata: counted, spec: { hard: { "count/shops.example.com": "2" } } });
    settle();
    const used = () => client.get(kinds.resourceQuotas, counted).status?.used;
    expect(used()).toEqual({ "count/shops.example.com": "1" });
    client.create(shops, { metadata: { namespace: "default", name: "b" } } as object);
    expect(used()).toEqual({ "count/shops.example.com": "2" });
    expect(refusalOf(() => client.create(shops, { metadata: { namespace: "default", name: "c" } } as object))).toBe(
      'shops.example.com "c" is forbidden: exceeded quota: shops, requested: count/shops.example.com=1, used: count/shops.example.com=2, limited: count/shops.example.com=2',
    );
    client.delete(shops, { namespace: "default", name: "a" });
    settle();
    expect(used()).toEqual({ "count/shops.example.com": "1" });
  });

  it("[WRK-146] lets a Deployment make as many Pods as fit, and the rest when there is room", () => {
    const { client, simulation, settle, status, eventsOf } = start({ pods: "2" });
    client.create(kinds.deployments, {
      metadata: { namespace: "default", name: "web" },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "nginx" }] } },
      },
    });
    settle();
    expect([status()?.used, client.list(kinds.pods).items.length]).toEqual([{ pods: "2" }, 2]);
    expect(
      eventsOf("ReplicaSet")
        .filter((text) => text.startsWith("FailedCreate"))[0]
        ?.replace(/web-\w+-\w+/, "web-hash-name"),
    ).toBe(
      'FailedCreate Error creating: pods "web-hash-name" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
    );
    client.patch(kinds.resourceQuotas, key, "merge", { spec: { hard: { pods: "3" } } });
    // The ReplicaSet controller tries again after at most 1000 s.
    simulation.run({ untilMs: simulation.nowMs + 1_100_000 });
    expect([status()?.used, client.list(kinds.pods).items.length]).toEqual([{ pods: "3" }, 3]);
  });

  it("[WRK-465] [API-283] counts again every five minutes, and writes nothing when nothing differs", () => {
    const { client, simulation, status } = start({ configmaps: "9" });
    const quota = client.get(kinds.resourceQuotas, key);
    client.updateStatus(kinds.resourceQuotas, { ...quota, status: { ...quota.status, used: { configmaps: "7" } } });
    simulation.run({ untilMs: simulation.nowMs + 301_000 });
    expect(status()?.used).toEqual({ configmaps: "0" });
    const { resourceVersion } = client.get(kinds.resourceQuotas, key).metadata;
    simulation.run({ untilMs: simulation.nowMs + 900_000 });
    expect(client.get(kinds.resourceQuotas, key).metadata.resourceVersion).toBe(resourceVersion);
  });

  it.each([
    ["as often as --resource-quota-sync-period says", 20_000, ["7", "0"]],
    ["for a reason only where that is 0", 0, ["7", "7"]],
  ])("[WRK-465] counts again %s", (_title, quotaSyncMs, expected) => {
    const { client, simulation, status } = start({ configmaps: "9" }, { quotaSyncMs });
    const quota = client.get(kinds.resourceQuotas, key);
    client.updateStatus(kinds.resourceQuotas, { ...quota, status: { ...quota.status, used: { configmaps: "7" } } });
    const seen = [15_000, 400_000].map((ms) => {
      simulation.run({ untilMs: simulation.nowMs + ms });
      return status()?.used?.["configmaps"];
    });
    expect(seen).toEqual(expected);
  });

  it("[WRK-467] writes the status when it is empty, when the limits are others or something else is used, and never otherwise", () => {
    const { client, settle, simulation, status } = start({ configmaps: "9" });
    const version = () => Number(client.get(kinds.resourceQuotas, key).metadata.resourceVersion);
    const write = (content: object | undefined) => {
      const { status: _status, ...quota } = client.get(kinds.resourceQuotas, key);
      client.updateStatus(kinds.resourceQuotas, content === undefined ? quota : { ...quota, status: content });
      const written = version();
      simulation.run({ untilMs: simulation.nowMs + 301_000 });
      return { isMended: version() > written, status: status() };
    };
    const right = { hard: { configmaps: "9" }, used: { configmaps: "0" } };
    expect(write(undefined)).toEqual({ isMended: true, status: right });
    expect(write({ ...right, used: { configmaps: "3" } })).toEqual({ isMended: true, status: right });
    expect(write({ ...right, hard: { configmaps: "4" } })).toEqual({ isMended: true, status: right });
    expect(write({ hard: { configmaps: "9000m" }, used: { configmaps: "0" } }).isMended).toBe(false);
    // Something that the quota does not count.
    const before = version();
    client.create(kinds.secrets, { metadata: { namespace: "default", name: "s" } });
    client.delete(kinds.secrets, { namespace: "default", name: "s" });
    settle();
    expect(version()).toBe(before);
  });
});
