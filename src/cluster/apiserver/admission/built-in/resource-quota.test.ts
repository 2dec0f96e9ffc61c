import { describe, expect, it } from "vitest";
import type { ResourceQuotaSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json } from "../../http/http-call.test-kit.ts";
import { refusalOf, startServer } from "../../test-server.test-kit.ts";

type Amounts = { readonly [name: string]: string };

const namespace = "default";
const roots: { readonly [plural: string]: string } = { deployments: "/apis/apps/v1" };

/** A server with a quota that has been counted: `used` beside zeros. */
function start(spec: ResourceQuotaSpec, used: Amounts = {}) {
  const { server, client } = startServer();
  const quota = client.create(kinds.resourceQuotas, { metadata: { namespace, name: "q" }, spec });
  const zeros = Object.fromEntries(Object.keys(spec.hard ?? {}).map((name) => [name, "0"]));
  client.updateStatus(kinds.resourceQuotas, { ...quota, status: { hard: spec.hard ?? {}, used: { ...zeros, ...used } } });
  const post = (plural: string, body: JsonValue, query = ""): string => {
    const reply = exchange(server, "POST", `${roots[plural] ?? "/api/v1"}/namespaces/${namespace}/${plural}${query}`, body);
    return reply.status === 201 ? "created" : String(json(reply)["message"]);
  };
  return { server, client, post, used: () => client.get(kinds.resourceQuotas, { namespace, name: "q" }).status?.used };
}

function pod(name: string, resources: object = {}, spec: object = {}): JsonValue {
  return { metadata: { name }, spec: { containers: [{ name: "c", image: "nginx", resources }], ...spec } } as JsonValue;
}

describe("ResourceQuota", () => {
  it("[API-429] [API-283] [WRK-466] [WRK-470] charges what is made and refuses what does not fit", () => {
    const { post, used } = start({ hard: { pods: "2", "requests.cpu": "1", "limits.memory": "1Gi" } });
    const asks = { requests: { cpu: "300m" }, limits: { memory: "256Mi" } };
    expect([post("pods", pod("a", asks)), post("pods", pod("b", asks))]).toEqual(["created", "created"]);
    expect(used()).toEqual({ pods: "2", "requests.cpu": "600m", "limits.memory": "512Mi" });
    expect(post("pods", pod("c", asks))).toBe(
      'pods "c" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
    );
    expect(used()).toEqual({ pods: "2", "requests.cpu": "600m", "limits.memory": "512Mi" });
  });

  it.each<[string, ResourceQuotaSpec, Amounts, string, JsonValue, string]>([
    [
      "several resources, by name",
      { hard: { "requests.memory": "1Gi", "requests.cpu": "1", pods: "9" } },
      { "requests.memory": "900Mi", "requests.cpu": "800m" },
      "pods",
      pod("web", { requests: { cpu: "500m", memory: "256Mi" } }),
      'pods "web" is forbidden: exceeded quota: q, requested: requests.cpu=500m,requests.memory=256Mi, used: requests.cpu=800m,requests.memory=900Mi, limited: requests.cpu=1,requests.memory=1Gi',
    ],
    [
      "a container that does not say what is limited",
      { hard: { "limits.cpu": "1", "requests.memory": "1Gi" } },
      {},
      "pods",
      pod("web"),
      'pods "web" is forbidden: failed quota: q: must specify limits.cpu for: c; requests.memory for: c',
    ],
    [
      "the second of two containers",
      { hard: { memory: "1Gi" } },
      {},
      "pods",
      {
        metadata: { name: "web" },
        spec: {
          containers: [
            { name: "a", image: "nginx", resources: { requests: { memory: "1Mi" } } },
            { name: "b", image: "nginx" },
          ],
        },
      },
      'pods "web" is forbidden: failed quota: q: must specify memory for: b',
    ],
    [
      "extended resources",
      { hard: { "requests.nvidia.com/gpu": "1" } },
      { "requests.nvidia.com/gpu": "1" },
      "pods",
      pod("web", { limits: { "nvidia.com/gpu": "1" } }),
      'pods "web" is forbidden: exceeded quota: q, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=1, limited: requests.nvidia.com/gpu=1',
    ],
    [
      "objects by their old name",
      { hard: { configmaps: "1" } },
      { configmaps: "1" },
      "configmaps",
      { metadata: { name: "m" } },
      'configmaps "m" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1',
    ],
    [
      "objects of any kind by their count",
      { hard: { "count/deployments.apps": "0" } },
      {},
      "deployments",
      {
        metadata: { name: "web" },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "nginx" }] } },
        },
      },
      'deployments.apps "web" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
    ],
    [
      "node ports",
      { hard: { "services.nodeports": "1" } },
      {},
      "services",
      {
        metadata: { name: "s" },
        spec: {
          type: "NodePort",
          ports: [
            { name: "a", port: 80 },
            { name: "b", port: 81 },
          ],
        },
      },
      'services "s" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1',
    ],
    [
      "load balancers",
      { hard: { "services.loadbalancers": "0" } },
      {},
      "services",
      { metadata: { name: "s" }, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } },
      'services "s" is forbidden: exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=0, limited: services.loadbalancers=0',
    ],
    [
      "storage of one class",
      { hard: { "gold.storageclass.storage.k8s.io/requests.storage": "5Gi" } },
      {},
      "persistentvolumeclaims",
      {
        metadata: { name: "d" },
        spec: { storageClassName: "gold", accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "6Gi" } } },
      },
      'persistentvolumeclaims "d" is forbidden: exceeded quota: q, requested: gold.storageclass.storage.k8s.io/requests.storage=6Gi, used: gold.storageclass.storage.k8s.io/requests.storage=0, limited: gold.storageclass.storage.k8s.io/requests.storage=5Gi',
    ],
  ])("[WRK-471] [WRK-473] refuses %s", (_title, ...row) => {
    const [spec, used, plural, body, message] = row;
    expect(start(spec, used).post(plural, body)).toBe(message);
  });

  it.each<[string, ResourceQuotaSpec["scopes"] | ResourceQuotaSpec, JsonValue, boolean]>([
    ["BestEffort holds a Pod without requests", ["BestEffort"], pod("web"), true],
    ["BestEffort does not hold one with", ["BestEffort"], pod("web", { requests: { cpu: "1" } }), false],
    ["NotBestEffort holds one with", ["NotBestEffort"], pod("web", { requests: { cpu: "1" } }), true],
    ["Terminating holds a Pod with a deadline", ["Terminating"], pod("web", {}, { activeDeadlineSeconds: 5 }), true],
    ["NotTerminating does not", ["NotTerminating"], pod("web", {}, { activeDeadlineSeconds: 5 }), false],
    [
      "PriorityClass in a set",
      { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["system-node-critical"] }] } },
      pod("web", {}, { priorityClassName: "system-node-critical" }),
      true,
    ],
    [
      "PriorityClass not in the set",
      { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["system-node-critical"] }] } },
      pod("web"),
      false,
    ],
  ])("scope %s", (_title, scope, body, held) => {
    const scoped = Array.isArray(scope) ? { scopes: scope } : (scope as ResourceQuotaSpec);
    const { post } = start({ hard: { pods: "0" }, ...scoped });
    expect(post("pods", body)).toBe(
      held ? 'pods "web" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0' : "created",
    );
  });

  it("charges an update with what it adds", () => {
    const { client, post, used, server } = start({ hard: { "services.nodeports": "2", services: "5" } });
    post("services", { metadata: { name: "s" }, spec: { type: "NodePort", ports: [{ name: "a", port: 80 }] } });
    const path = "/api/v1/namespaces/default/services/s";
    const merge = { "content-type": "application/strategic-merge-patch+json" };
    expect(exchange(server, "PATCH", path, { spec: { ports: [{ name: "b", port: 81 }] } }, merge).status).toBe(200);
    expect(used()).toEqual({ "services.nodeports": "2", services: "1" });
    expect(json(exchange(server, "PATCH", path, { spec: { ports: [{ name: "c", port: 82 }] } }, merge))["message"]).toBe(
      'services "s" is forbidden: exceeded quota: q, requested: services.nodeports=1, used: services.nodeports=2, limited: services.nodeports=2',
    );
    client.delete(kinds.services, { namespace, name: "s" });
    expect(used()).toEqual({ "services.nodeports": "2", services: "1" });
  });

  it("[POD-092] counts the overhead of a Pod, its init containers and its sidecars", () => {
    const { post, used, server } = start({ hard: { "requests.cpu": "9" } });
    const podFixed = { cpu: "250m" };
    const metadata = { name: "sandboxed", creationTimestamp: "2026-01-01T00:00:00Z" };
    const runtimeClass = { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", metadata, overhead: { podFixed } };
    server.store.put(server.store.table("runtimeclasses.node.k8s.io"), "sandboxed", runtimeClass);
    const asks = (name: string, cpu: string, rest: object = {}) => ({
      name,
      image: "x",
      resources: { requests: { cpu } },
      ...rest,
    });
    post("pods", {
      metadata: { name: "web" },
      spec: {
        runtimeClassName: "sandboxed",
        containers: [asks("a", "100m"), asks("b", "200m")],
        initContainers: [asks("s", "50m", { restartPolicy: "Always" }), asks("i", "500m")],
      },
    } as JsonValue);
    // The largest step is the init container beside the sidecar.
    expect(used()).toEqual({ "requests.cpu": "800m" });
  });

  it("charges a claim that grows with what it grows by", () => {
    const { client, post, used, server } = start({ hard: { "requests.storage": "5Gi", persistentvolumeclaims: "2" } });
    const metadata = { name: "gold", creationTimestamp: "2026-01-01T00:00:00Z" };
    const gold = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata, allowVolumeExpansion: true };
    server.store.put(server.store.table("storageclasses.storage.k8s.io"), "gold", gold);
    const spec = { storageClassName: "gold", accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } };
    post("persistentvolumeclaims", { metadata: { name: "d" }, spec });
    const key = { namespace, name: "d" };
    const claim = client.get(kinds.persistentVolumeClaims, key);
    client.updateStatus(kinds.persistentVolumeClaims, { ...claim, status: { phase: "Bound" } });
    const grow = (storage: string) => () =>
      client.patch(kinds.persistentVolumeClaims, key, "merge", { spec: { resources: { requests: { storage } } } });
    grow("4Gi")();
    expect(used()).toEqual({ "requests.storage": "4Gi", persistentvolumeclaims: "1" });
    expect(refusalOf(grow("6Gi"))).toBe(
      'persistentvolumeclaims "d" is forbidden: exceeded quota: q, requested: requests.storage=2Gi, used: requests.storage=4Gi, limited: requests.storage=5Gi',
    );
  });

  it("is not in force before it was counted, and refuses while a count is missing", () => {
    const { client, post } = start({ hard: { pods: "0" } });
    const quota = client.get(kinds.resourceQuotas, { namespace, name: "q" });
    client.updateStatus(kinds.resourceQuotas, { ...quota, status: { hard: { pods: "1" } } });
    expect(post("pods", pod("web"))).toBe('pods "web" is forbidden: status unknown for quota: q, resources: pods');
    const counted = client.get(kinds.resourceQuotas, { namespace, name: "q" });
    client.updateStatus(kinds.resourceQuotas, { ...counted, status: {} });
    expect(post("pods", pod("web"))).toBe("created");
  });

  it("charges nothing for a dry run, and says who charged", () => {
    const { server, post, used } = start({ hard: { pods: "1" } });
    expect([post("pods", pod("web"), "?dryRun=All"), used()]).toEqual(["created", { pods: "0" }]);
    expect([post("pods", pod("web")), used()]).toEqual(["created", { pods: "1" }]);
    const entries = (
      json(exchange(server, "GET", "/api/v1/namespaces/default/resourcequotas/q"))["metadata"] as { managedFields: object[] }
    ).managedFields as { manager: string; subresource?: string }[];
    expect(entries.map(({ manager, subresource }) => [manager, subresource])).toContainEqual(["kube-apiserver", "status"]);
  });
});
