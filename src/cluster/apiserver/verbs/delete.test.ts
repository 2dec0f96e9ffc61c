import { describe, expect, it } from "vitest";
import { deployments, namespaces, pods } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import { refusalOf, startServer } from "../test-server.test-kit.ts";

const key = { namespace: "default", name: "web" };

function createPod(client: Client, bound: boolean): void {
  client.create(pods, { metadata: key, spec: { containers: [{ name: "web", image: "nginx" }] } });
  if (bound)
    client.createSubresource(pods, key, "binding", { metadata: { name: "web" }, target: { kind: "Node", name: "node-1" } });
}

describe("deleting pods", () => {
  it("removes a pod that has no node at once", () => {
    const { client } = startServer();
    createPod(client, false);
    client.delete(pods, key);
    expect(refusalOf(() => client.get(pods, key))).toBe('pods "web" not found');
  });

  it("marks a pod on a node with the end of its grace period, and removes it when the kubelet deletes it with 0", () => {
    const { client } = startServer();
    createPod(client, true);
    const { metadata } = client.delete(pods, key);
    expect([metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds, metadata.generation]).toEqual([
      "2026-01-01T00:00:30Z",
      30,
      2,
    ]);
    client.delete(pods, key, { gracePeriodSeconds: 0 });
    expect(refusalOf(() => client.get(pods, key))).toBe('pods "web" not found');
  });

  it("shortens the grace period of a pod that is going, and never lengthens it", () => {
    const { client } = startServer();
    createPod(client, true);
    client.delete(pods, key);
    expect(client.delete(pods, key, { gracePeriodSeconds: 60 }).metadata.deletionGracePeriodSeconds).toBe(30);
    const { metadata } = client.delete(pods, key, { gracePeriodSeconds: 5 });
    expect([metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds]).toEqual(["2026-01-01T00:00:05Z", 5]);
  });

  it("[API-076] refuses a new pod of the same name while the old one is going", () => {
    const { client } = startServer();
    createPod(client, true);
    client.delete(pods, key);
    expect(refusalOf(() => createPod(client, false))).toBe('object is being deleted: pods "web" already exists');
  });

  it("refuses a delete whose preconditions do not hold", () => {
    const { client } = startServer();
    createPod(client, false);
    const { uid } = client.get(pods, key).metadata;
    expect(refusalOf(() => client.delete(pods, key, { uid: "other" }))).toBe(
      `Operation cannot be fulfilled on Pod "web": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  });
});

describe("propagation", () => {
  const deployment = {
    metadata: key,
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    },
  };
  it.each([
    ["Foreground", "foregroundDeletion"],
    ["Orphan", "orphan"],
  ] as const)("%s holds the object by the finalizer %s", (propagationPolicy, finalizer) => {
    const { client } = startServer();
    client.create(deployments, deployment);
    expect(client.delete(deployments, key, { propagationPolicy }).metadata.finalizers).toEqual([finalizer]);
    const held = client.get(deployments, key);
    client.update(deployments, { ...held, metadata: { ...held.metadata, finalizers: [] } });
    expect(refusalOf(() => client.get(deployments, key))).toBe('deployments.apps "web" not found');
  });
});

describe("deleting namespaces", () => {
  it("marks a namespace Terminating, takes no more objects in it, and lets it go when it is finalized", () => {
    const { client } = startServer();
    client.create(namespaces, { metadata: { name: "shop" } });
    const going = client.delete(namespaces, { namespace: "", name: "shop" });
    expect(going.status?.phase).toBe("Terminating");
    const pod = { metadata: { name: "web", namespace: "shop" }, spec: { containers: [{ name: "web", image: "nginx" }] } };
    expect(refusalOf(() => client.create(pods, pod))).toBe(
      'pods "web" is forbidden: unable to create new content in namespace shop because it is being terminated',
    );
    client.update(namespaces, { ...going, spec: {} }, { subresource: "finalize" });
    expect(refusalOf(() => client.get(namespaces, { namespace: "", name: "shop" }))).toBe('namespaces "shop" not found');
  });

  it("refuses to delete default", () => {
    const { client } = startServer();
    expect(refusalOf(() => client.delete(namespaces, { namespace: "", name: "default" }))).toBe(
      'namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });
});
