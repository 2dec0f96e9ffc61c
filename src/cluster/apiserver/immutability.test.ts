// Stored objects never change, and a fault inside one request leaves the world as it was.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "#cluster/api/equality.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { exchange, json } from "./http/http-call.test-kit.ts";
import type { ApiServer } from "./server.ts";
import { startServer } from "./test-server.test-kit.ts";

const container = { name: "c", image: "nginx", ports: [{ containerPort: 80 }], resources: { requests: { cpu: "100m" } } };
const drafts: { readonly [collection: string]: JsonValue } = {
  "/api/v1/namespaces/default/pods": { metadata: { name: "x", labels: { app: "x" } }, spec: { containers: [container] } },
  "/api/v1/namespaces/default/services": { metadata: { name: "x" }, spec: { type: "NodePort", ports: [{ port: 80 }] } },
  "/api/v1/namespaces/default/configmaps": { metadata: { name: "x", finalizers: ["a/b"] }, data: { a: "b" } },
  "/api/v1/namespaces/default/persistentvolumeclaims": {
    metadata: { name: "x" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
  "/api/v1/namespaces": { metadata: { name: "x", labels: { "pod-security.kubernetes.io/warn": "restricted" } } },
  "/api/v1/nodes": { metadata: { name: "x", labels: { "topology.kubernetes.io/zone": "z" } } },
  "/apis/apps/v1/namespaces/default/deployments": {
    metadata: { name: "x" },
    spec: {
      selector: { matchLabels: { app: "x" } },
      template: { metadata: { labels: { app: "x" } }, spec: { containers: [container] } },
    },
  },
};

/** Everything that is stored is frozen to its last field: whoever writes into it fails. */
function frozenServer(): ApiServer {
  const { server } = startServer();
  const { store } = server;
  const put = store.put.bind(store);
  const remove = store.remove.bind(store);
  store.put = (table, key, object) => deepFreeze(put(table, key, deepFreeze(object)));
  store.remove = (table, key, object) => deepFreeze(remove(table, key, deepFreeze(object)));
  exchange(server, "POST", "/api/v1/namespaces/default/limitranges", {
    metadata: { name: "l" },
    spec: { limits: [{ type: "Container", default: { memory: "64Mi" } }] },
  });
  exchange(server, "POST", "/api/v1/namespaces/default/resourcequotas", { metadata: { name: "q" }, spec: { hard: { pods: "9" } } });
  exchange(
    server,
    "PATCH",
    "/api/v1/namespaces/default/resourcequotas/q/status",
    { status: { hard: { pods: "9" }, used: { pods: "0" } } },
    { "content-type": "application/merge-patch+json" },
  );
  return server;
}

const action = fc.record({
  collection: fc.constantFrom(...Object.keys(drafts)),
  act: fc.constantFrom(
    "create",
    "get",
    "list",
    "table",
    "put",
    "merge",
    "strategic",
    "json",
    "apply",
    "scale",
    "status",
    "delete",
    "bind",
  ),
  value: fc.string({ maxLength: 3 }),
});

function perform(server: ApiServer, collection: string, act: string, value: string): number {
  const path = `${collection}/x`;
  const change = { metadata: { annotations: { note: value } } };
  const typed = (type: string) => ({ "content-type": type });
  switch (act) {
    case "create":
      return exchange(server, "POST", collection, drafts[collection]).status;
    case "list":
      return exchange(server, "GET", collection).status;
    case "table":
      return exchange(server, "GET", collection, undefined, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" }).status;
    case "put": {
      const current = exchange(server, "GET", path);
      if (current.status !== 200) return current.status;
      const object = json(current) as KubeObject;
      const changed = { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, app: "x", note: "y" } } };
      return exchange(server, "PUT", path, changed as JsonValue).status;
    }
    case "merge":
      return exchange(server, "PATCH", path, change, typed("application/merge-patch+json")).status;
    case "strategic":
      return exchange(server, "PATCH", path, change, typed("application/strategic-merge-patch+json")).status;
    case "json":
      return exchange(
        server,
        "PATCH",
        path,
        [{ op: "add", path: "/metadata/labels", value: { app: "x" } }],
        typed("application/json-patch+json"),
      ).status;
    case "apply": {
      const [, , group = "", version = ""] = collection.startsWith("/apis") ? collection.split("/") : ["", "", "", "v1"];
      const config = { apiVersion: group === "" ? version : `${group}/${version}`, kind: kindOf(collection), ...change };
      return exchange(server, "PATCH", `${path}?fieldManager=m&force=true`, config, typed("application/apply-patch+yaml")).status;
    }
    case "scale":
      return exchange(server, "PATCH", `${path}/scale`, { spec: { replicas: value.length } }, typed("application/merge-patch+json"))
        .status;
    case "status":
      return exchange(server, "PATCH", `${path}/status`, { status: { phase: value } }, typed("application/merge-patch+json"))
        .status;
    case "bind":
      return exchange(server, "POST", `${path}/binding`, { target: { kind: "Node", name: "x" } }).status;
    default:
      return exchange(server, act === "delete" ? "DELETE" : "GET", path).status;
  }
}

function kindOf(collection: string): string {
  const kinds: { readonly [plural: string]: string } = {
    pods: "Pod",
    services: "Service",
    configmaps: "ConfigMap",
    persistentvolumeclaims: "PersistentVolumeClaim",
    namespaces: "Namespace",
    nodes: "Node",
    deployments: "Deployment",
  };
  return kinds[collection.split("/").at(-1) ?? ""] ?? "";
}

describe("stored objects", () => {
  it("are never written into, whatever is asked", () => {
    const server = frozenServer();
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 12 }), (actions) => {
        for (const { collection, act, value } of actions) {
          const status = perform(server, collection, act, value);
          if (status < 300) seen.set(act, (seen.get(act) ?? 0) + 1);
          expect([collection, act, status === 500]).toEqual([collection, act, false]);
        }
      }),
      { numRuns: 300 },
    );
    expect([...seen.keys()].length).toBeGreaterThan(10);
  });
});

describe("a fault inside a request", () => {
  it("is a Status, stores nothing and gives back what was allocated", () => {
    const { server } = startServer();
    const services = "/api/v1/namespaces/default/services";
    const body = {
      metadata: { name: "s" },
      spec: { type: "NodePort", ports: [{ port: 80, nodePort: 30_001 }], clusterIP: "10.96.0.77" },
    };
    const { revision } = server.store;
    const { noteFault } = breakOnce(server);
    const faults: string[] = [];
    server.simulation.faults.contain(({ room, error }) => faults.push(`${room}: ${error.message}`));
    const broken = exchange(server, "POST", services, body);
    expect([broken.status, json(broken)]).toEqual([
      500,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "Internal error occurred: internal error of the simulator",
        reason: "InternalError",
        details: { causes: [{ message: "internal error of the simulator" }] },
        code: 500,
      },
    ]);
    noteFault();
    expect(faults).toEqual(["kube-apiserver: something is wrong here"]);
    expect([server.store.revision, exchange(server, "GET", `${services}/s`).status]).toEqual([revision, 404]);
    expect(exchange(server, "POST", services, body).status).toBe(201);
  });
});

/** The next write to the store fails. */
function breakOnce(server: ApiServer): { noteFault(): void } {
  const put = server.store.put.bind(server.store);
  let broken = false;
  server.store.put = (table, key, object) => {
    if (broken) return put(table, key, object);
    broken = true;
    throw new TypeError("something is wrong here");
  };
  return { noteFault: () => expect(broken).toBe(true) };
}
