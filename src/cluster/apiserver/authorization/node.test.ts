import { describe, expect, it } from "vitest";
import { configMaps, namespaces, nodes, persistentVolumeClaims, pods, secrets, serviceAccounts } from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchangeAs, json, peerOf } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";

const kubelet = peerOf("system:node:w-1", ["system:nodes"]);
const container = { name: "web", image: "nginx" };

/** Two nodes; `mine` runs on w-1 and names objects called used, `theirs` runs on w-2. */
function start() {
  const { server, client } = startServer({ enableAdmissionPlugins: ["NodeRestriction"] });
  client.create(namespaces, { metadata: { name: "team" } });
  for (const name of ["w-1", "w-2"]) client.create(nodes, { metadata: { name } });
  const namespace = "team";
  for (const name of ["used", "unused"]) {
    client.create(secrets, { metadata: { name, namespace } });
    client.create(configMaps, { metadata: { name, namespace } });
    client.create(serviceAccounts, { metadata: { name, namespace } });
    client.create(persistentVolumeClaims, {
      metadata: { name, namespace },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
  }
  const mine = client.create(pods, {
    metadata: { name: "mine", namespace },
    spec: {
      nodeName: "w-1",
      serviceAccountName: "used",
      containers: [{ ...container, envFrom: [{ configMapRef: { name: "used" } }] }],
      volumes: [
        { name: "a", secret: { secretName: "used" } },
        { name: "b", persistentVolumeClaim: { claimName: "used" } },
      ],
    },
  });
  const theirs = client.create(pods, {
    metadata: { name: "theirs", namespace },
    spec: { nodeName: "w-2", containers: [container] },
  });
  const ask = (method: string, path: string, body?: JsonValue): readonly [number, JsonValue] => {
    const reply = exchangeAs(kubelet, server, { method, target: path, body, headers: { "content-type": "application/json" } });
    return [reply.status, reply.status < 300 ? "" : (json(reply)["message"] as JsonValue)];
  };
  return { client, ask, mine, theirs };
}

const core = "/api/v1/namespaces/team";
const unrelated = "no relationship found between node 'w-1' and this object";

function cannot(verb: string, resource: string, name: string, reason: string): JsonValue {
  const [plural = ""] = resource.split("/");
  const subject = name === "" ? plural : `${plural} "${name}"`;
  return `${subject} is forbidden: User "system:node:w-1" cannot ${verb} resource "${resource}" in API group "" in the namespace "team": ${reason}`;
}

describe("the node authorizer", () => {
  it.each(["secrets", "configmaps", "persistentvolumeclaims", "serviceaccounts"])(
    "[NET-282] lets a kubelet read the %s that its pods name",
    (resource) => {
      const { ask } = start();
      expect([ask("GET", `${core}/${resource}/used`), ask("GET", `${core}/${resource}/unused`)]).toEqual([
        [200, ""],
        [403, cannot("get", resource, "unused", unrelated)],
      ]);
    },
  );

  it.each([
    ["GET", `${core}/secrets`, cannot("list", "secrets", "", "No Object name found")],
    [
      "GET",
      "/api/v1/secrets",
      'secrets is forbidden: User "system:node:w-1" cannot list resource "secrets" in API group "" at the cluster scope: can only read namespaced object of this type',
    ],
    ["DELETE", `${core}/secrets/used`, cannot("delete", "secrets", "used", "can only read resources of this type")],
    [
      "GET",
      `${core}/persistentvolumeclaims`,
      cannot("list", "persistentvolumeclaims", "", "can only get individual resources of this type"),
    ],
    ["GET", `${core}/pods`, cannot("list", "pods", "", "can only list/watch pods with spec.nodeName field selector")],
    ["GET", `${core}/pods/theirs`, cannot("get", "pods", "theirs", unrelated)],
    ["POST", `${core}/serviceaccounts/unused/token`, cannot("create", "serviceaccounts/token", "unused", unrelated)],
    [
      "GET",
      "/api/v1/nodes",
      `nodes is forbidden: User "system:node:w-1" cannot list resource "nodes" in API group "" at the cluster scope: node 'w-1' cannot read all nodes, only its own Node object`,
    ],
    [
      "GET",
      "/api/v1/nodes/w-2",
      `nodes "w-2" is forbidden: User "system:node:w-1" cannot get resource "nodes" in API group "" at the cluster scope: node 'w-1' cannot read 'w-2', only its own Node object`,
    ],
    [
      "GET",
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/w-2",
      'leases.coordination.k8s.io "w-2" is forbidden: User "system:node:w-1" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-node-lease": can only access node lease with the same name as the requesting node',
    ],
    [
      "GET",
      "/apis/coordination.k8s.io/v1/namespaces/team/leases/w-1",
      'leases.coordination.k8s.io "w-1" is forbidden: User "system:node:w-1" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "team": can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      "GET",
      "/apis/apps/v1/deployments",
      'deployments.apps is forbidden: User "system:node:w-1" cannot list resource "deployments" in API group "apps" at the cluster scope',
    ],
  ])("refuses %s %s", (method, path, message) => {
    expect(start().ask(method, path, {})).toEqual([403, message]);
  });

  it.each([
    ["/api/v1/nodes/w-1", 200],
    ["/api/v1/nodes?fieldSelector=metadata.name%3Dw-1", 200],
    ["/api/v1/pods?fieldSelector=spec.nodeName%3Dw-1", 200],
    ["/api/v1/pods?fieldSelector=spec.nodeName%3Dw-2", 403],
    [`${core}/pods/mine`, 200],
    [`${core}/secrets?fieldSelector=metadata.name%3Dused`, 200],
    ["/api/v1/services", 200],
  ])("answers a read of %s with %i", (path, status) => {
    expect(start().ask("GET", path)[0]).toBe(status);
  });

  // The kubelet's own word for an object of a Pod that it no longer knows, `object "ns"/"x" not registered`, comes of a race that there
  // is not here.
  it("[NET-282] follows pods as they come and go", () => {
    const { client, ask } = start();
    const read = (): number => ask("GET", `${core}/secrets/unused`)[0];
    const statuses = [read()];
    client.create(pods, {
      metadata: { name: "later", namespace: "team" },
      spec: { nodeName: "w-1", containers: [container], imagePullSecrets: [{ name: "unused" }] },
    });
    statuses.push(read());
    client.delete(pods, { namespace: "team", name: "later" }, { gracePeriodSeconds: 0 });
    expect([...statuses, read()]).toEqual([403, 200, 403]);
  });
});

describe("NodeRestriction", () => {
  const node = (name: string, change: object = {}): JsonValue => ({ metadata: { name, ...change } });

  it.each([
    [
      "PATCH",
      "/api/v1/nodes/w-2",
      { metadata: { labels: { a: "b" } } },
      'nodes "w-2" is forbidden: node "w-1" is not allowed to modify node "w-2"',
    ],
    [
      "PATCH",
      "/api/v1/nodes/w-2/status",
      { status: {} },
      'nodes "w-2" is forbidden: node "w-1" is not allowed to modify node "w-2"',
    ],
    ["POST", "/api/v1/nodes", node("w-3"), 'nodes "w-3" is forbidden: node "w-1" is not allowed to modify node "w-3"'],
    [
      "PATCH",
      "/api/v1/nodes/w-1",
      { metadata: { labels: { "node-restriction.kubernetes.io/a": "b", "node-role.kubernetes.io/c": "d", e: "f" } } },
      'nodes "w-1" is forbidden: is not allowed to modify labels: node-restriction.kubernetes.io/a, node-role.kubernetes.io/c',
    ],
    [
      "PATCH",
      "/api/v1/nodes/w-1",
      { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } },
      'nodes "w-1" is forbidden: node "w-1" is not allowed to modify taints',
    ],
    [
      "PATCH",
      "/api/v1/nodes/w-1",
      { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "x", uid: "y" }] } },
      'nodes "w-1" is forbidden: node "w-1" is not allowed to modify ownerReferences',
    ],
    [
      "PATCH",
      `${core}/pods/theirs/status`,
      { status: { phase: "Failed" } },
      'pods "theirs" is forbidden: node "w-1" can only update pod status for pods with spec.nodeName set to itself',
    ],
    [
      "DELETE",
      `${core}/pods/theirs`,
      {},
      'pods "theirs" is forbidden: node "w-1" can only delete pods with spec.nodeName set to itself',
    ],
    [
      "POST",
      `${core}/pods`,
      { metadata: { name: "new" }, spec: { nodeName: "w-1", containers: [container] } },
      'pods "new" is forbidden: pod does not have "kubernetes.io/config.mirror" annotation, node "w-1" can only create mirror pods',
    ],
    [
      "POST",
      `${core}/pods`,
      {
        metadata: { name: "new", annotations: { "kubernetes.io/config.mirror": "x" } },
        spec: { nodeName: "w-1", containers: [container] },
      },
      'pods "new" is forbidden: node "w-1" can only create pods with an owner reference set to itself',
    ],
    [
      "POST",
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
      { metadata: { name: "w-2" } },
      'leases.coordination.k8s.io "w-2" is forbidden: can only access node lease with the same name as the requesting node',
    ],
    [
      "POST",
      `${core}/serviceaccounts/used/token`,
      { spec: {} },
      'serviceaccounts "used" is forbidden: node requested token not bound to a pod',
    ],
  ])("[API-213] [WRK-396] refuses %s %s of %j", (method, path, body, message) => {
    const { ask } = start();
    const reply = method === "PATCH" ? patch(path, body as JsonValue) : ask(method, path, body as JsonValue);
    expect(reply).toEqual([403, message]);
  });

  function patch(path: string, body: JsonValue): readonly [number, JsonValue] {
    const { server, client } = startServer({ enableAdmissionPlugins: ["NodeRestriction"] });
    client.create(namespaces, { metadata: { name: "team" } });
    for (const name of ["w-1", "w-2"]) client.create(nodes, { metadata: { name } });
    client.create(pods, { metadata: { name: "theirs", namespace: "team" }, spec: { nodeName: "w-2", containers: [container] } });
    const reply = exchangeAs(kubelet, server, {
      method: "PATCH",
      target: path,
      body,
      headers: { "content-type": "application/merge-patch+json" },
    });
    return [reply.status, json(reply)["message"] as JsonValue];
  }

  it("gives tokens for the kubelet's own pods and the audiences of their volumes", () => {
    const { ask, mine } = start();
    const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "mine", uid: mine.metadata.uid };
    const token = (spec: { readonly [field: string]: JsonValue }) => ask("POST", `${core}/serviceaccounts/used/token`, { spec });
    expect([
      token({ boundObjectRef }),
      token({ boundObjectRef: { ...boundObjectRef, uid: "" } }),
      token({ boundObjectRef, audiences: ["vault"] }),
    ]).toEqual([
      [201, ""],
      [403, 'serviceaccounts "used" is forbidden: node requested token with a pod binding without a uid'],
      [
        403,
        'serviceaccounts "used" is forbidden: audience "vault" not found in pod spec volume, system:node:w-1 is not authorized to request tokens for this audience',
      ],
    ]);
  });
});
