// What is there before anyone made anything.

import { describe, expect, it } from "vitest";
import type { LeaseSpec } from "#cluster/api/generated/types.ts";
import {
  componentStatuses,
  endpointSlices,
  endpoints,
  leases,
  namespaces,
  nodes,
  pods,
  priorityClasses,
  services,
} from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { exchange, json } from "./http/http-call.test-kit.ts";
import { startServer } from "./test-server.test-kit.ts";

type Fields = { readonly [field: string]: JsonValue };

const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const warning = (reply: { readonly headers: { readonly [name: string]: unknown } }): unknown => reply.headers["warning"];

describe("a fresh cluster", () => {
  it("[API-001] has four namespaces, which are active", () => {
    const { server } = startServer();
    const rows = json(exchange(server, "GET", "/api/v1/namespaces", undefined, table))["rows"] as readonly {
      readonly cells: JsonValue;
    }[];
    expect(rows.map(({ cells }) => cells)).toEqual([
      ["default", "Active", "0s"],
      ["kube-node-lease", "Active", "0s"],
      ["kube-public", "Active", "0s"],
      ["kube-system", "Active", "0s"],
    ]);
  });

  it("[API-002] [NET-242] labels namespaces with their names, and again when someone takes the label away", () => {
    const { client } = startServer();
    const name = "kubernetes.io/metadata.name";
    const labels = client.list(namespaces).items.map(({ metadata }) => metadata?.labels?.[name]);
    expect(labels).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
    const key = { namespace: "", name: "default" };
    for (const value of [null, "other"]) {
      expect(client.patch(namespaces, key, "merge", { metadata: { labels: { [name]: value } } }).metadata?.labels).toEqual({
        [name]: "default",
      });
    }
  });

  it("[API-004] has no Secrets", () => {
    const { server } = startServer();
    expect(json(exchange(server, "GET", "/api/v1/secrets"))["items"]).toEqual([]);
  });

  it("[API-005] [API-006] [NET-046] finds itself at the first address", () => {
    const { client } = startServer();
    const key = { namespace: "default", name: "kubernetes" };
    const service = client.get(services, key);
    expect([service.metadata?.labels, service.spec]).toEqual([
      { component: "apiserver", provider: "kubernetes" },
      {
        clusterIP: "10.96.0.1",
        clusterIPs: ["10.96.0.1"],
        internalTrafficPolicy: "Cluster",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
        ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
        sessionAffinity: "None",
        type: "ClusterIP",
      },
    ]);
    const { addressType, endpoints: found, ports } = client.get(endpointSlices, key);
    expect([addressType, found, ports]).toEqual([
      "IPv4",
      [{ addresses: ["172.18.0.2"], conditions: { ready: true } }],
      [{ name: "https", port: 6443, protocol: "TCP" }],
    ]);
    expect(client.list(services).items).toHaveLength(1);
  });

  it("[API-007] [NET-061] puts its Service and endpoints back within ten seconds", () => {
    const { client, simulation } = startServer();
    const key = { namespace: "default", name: "kubernetes" };
    client.patch(endpoints, key, "merge", { subsets: null });
    simulation.advance(10_000);
    expect(client.get(endpoints, key).subsets?.[0]?.addresses).toEqual([{ ip: "172.18.0.2" }]);
    client.delete(services, key);
    client.delete(endpointSlices, key);
    client.delete(endpoints, key);
    simulation.advance(10_000);
    expect(client.get(services, key).spec?.clusterIP).toBe("10.96.0.1");
    expect(client.get(endpointSlices, key).endpoints?.[0]?.addresses).toEqual(["172.18.0.2"]);
    expect(client.get(endpoints, key).subsets?.[0]?.addresses).toEqual([{ ip: "172.18.0.2" }]);
  });

  it("has the priorities of the system, and no others", () => {
    const { client } = startServer();
    expect(
      client.list(priorityClasses).items.map(({ metadata, value, globalDefault }) => [metadata?.name, value, globalDefault]),
    ).toEqual([
      ["system-cluster-critical", 2_000_000_000, undefined],
      ["system-node-critical", 2_000_001_000, undefined],
    ]);
  });
});

describe("[API-011] the API server's own Lease", () => {
  const list = (client: Client) => client.list(leases, { namespace: "kube-system" }).items;

  // The name's hash is that of upstream v1.36: host and identity, each with its length in two bytes before it.
  it("[API-271] [WRK-411] is named after its host, and is renewed", () => {
    const { client, simulation } = startServer({ hostname: "kind-control-plane" });
    simulation.advance(20_000);
    const [lease] = list(client);
    expect([lease?.metadata.name, lease?.metadata.labels, lease?.spec]).toEqual([
      "apiserver-c7uylvfxlbqccnk6myfkwetzze",
      { "apiserver.kubernetes.io/identity": "kube-apiserver", "kubernetes.io/hostname": "kind-control-plane" },
      {
        holderIdentity: expect.stringMatching(/^apiserver-c7uylvfxlbqccnk6myfkwetzze_[0-9a-f-]{36}$/),
        leaseDurationSeconds: 3600,
        renewTime: "2026-01-01T00:00:20.000000Z",
      },
    ]);
  });

  it("[API-271] is renewed every ten seconds", () => {
    const { client, simulation } = startServer();
    const seen = new Set<string | undefined>();
    for (let second = 0; second < 60; second += 1) {
      simulation.advance(1_000);
      seen.add(list(client)[0]?.spec?.renewTime?.slice(11));
    }
    expect([...seen]).toEqual(["00", "10", "20", "30", "40", "50"].map((s) => `00:00:${s}.000000Z`).concat("00:01:00.000000Z"));
  });

  it("[API-186] [API-273] [WRK-412] is deleted by others an hour after its last renewal, at the check of the hour", () => {
    const { client, simulation } = startServer();
    const old = "2025-12-31T23:00:00.000000Z";
    const lease = (name: string, identity: string, spec: LeaseSpec) =>
      client.create(leases, {
        metadata: { namespace: "kube-system", name, labels: { "apiserver.kubernetes.io/identity": identity } },
        spec,
      });
    lease("apiserver-gone", "kube-apiserver", { holderIdentity: "a", leaseDurationSeconds: 3600, renewTime: old });
    lease("apiserver-unsaid", "kube-apiserver", { holderIdentity: "b" });
    lease("apiserver-fresh", "kube-apiserver", {
      holderIdentity: "c",
      leaseDurationSeconds: 3600,
      renewTime: "2026-01-01T00:30:00.000000Z",
    });
    lease("other", "someone-else", { holderIdentity: "d", leaseDurationSeconds: 3600, renewTime: old });
    const names = () => list(client).map(({ metadata }) => metadata.name.replace(/^apiserver-.{26}$/, "own"));
    simulation.advance(3_599_000);
    expect(names()).toEqual(["own", "apiserver-fresh", "apiserver-gone", "apiserver-unsaid", "other"]);
    simulation.advance(2_000);
    expect(names()).toEqual(["own", "apiserver-fresh", "other"]);
    simulation.advance(3_600_000);
    expect(names()).toEqual(["own", "other"]);
  });

  it("[API-275] Leases of users run out without effect", () => {
    const { client, simulation } = startServer();
    const spec = { holderIdentity: "me", leaseDurationSeconds: 1, renewTime: "2026-01-01T00:00:00.000000Z" };
    const made = client.create(leases, { metadata: { namespace: "default", name: "mine" }, spec });
    simulation.advance(3 * 3_600_000);
    expect(client.get(leases, { namespace: "default", name: "mine" })).toEqual(made);
  });

  it("[API-272] [WRK-412] comes back when someone deletes it, and is taken over by the next start", () => {
    const { client, server, simulation } = startServer();
    client.delete(leases, { namespace: "kube-system", name: list(client)[0]?.metadata.name ?? "" });
    simulation.advance(10_000);
    const before = list(client);
    server.stop();
    server.start();
    const after = list(client);
    expect(after.map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid));
    expect(after[0]?.spec?.holderIdentity).not.toBe(before[0]?.spec?.holderIdentity);
  });
});

describe("[API-039] kinds that go", () => {
  it("component statuses answer with a warning, and have nothing but a name", () => {
    const { server, client } = startServer();
    const list = exchange(server, "GET", "/api/v1/componentstatuses");
    expect(warning(list)).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
    const items = json(list)["items"] as readonly Fields[];
    expect(items.map(({ metadata, conditions }) => [metadata, conditions])).toEqual(
      ["controller-manager", "etcd-0", "scheduler"].map((name) => [{ name }, [{ type: "Healthy", status: "True", message: "ok" }]]),
    );
    expect(exchange(server, "GET", "/api/v1/componentstatuses/scheduler").status).toBe(200);
    expect(exchange(server, "DELETE", "/api/v1/componentstatuses/scheduler").status).toBe(405);
    expect(client.list(componentStatuses).items).toHaveLength(3);
  });

  it("[NET-088] Endpoints answer with a warning", () => {
    const { server } = startServer();
    const text = '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"';
    expect(warning(exchange(server, "GET", "/api/v1/endpoints"))).toBe(text);
    expect(warning(exchange(server, "GET", "/api/v1/namespaces/default/endpoints/kubernetes"))).toBe(text);
    const body = { metadata: { name: "web" } };
    expect(warning(exchange(server, "POST", "/api/v1/namespaces/default/endpoints", body))).toBe(text);
  });
});

describe("bindings", () => {
  it("give the pod of their name its node", () => {
    const { server, client } = startServer();
    const key = { namespace: "default", name: "web" };
    client.create(nodes, { metadata: { name: "node-1" } });
    client.create(pods, { metadata: key, spec: { containers: [{ name: "web", image: "nginx" }] } });
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name: "web" }, target: { kind: "Node", name: "node-1" } };
    const path = "/api/v1/namespaces/default/bindings";
    const reply = exchange(server, "POST", path, binding);
    expect([reply.status, json(reply)]).toEqual([
      201,
      { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
    ]);
    expect(client.get(pods, key).spec?.nodeName).toBe("node-1");
    expect(exchange(server, "POST", path, { ...binding, metadata: { name: "x" } }).status).toBe(404);
    expect(exchange(server, "GET", path).status).toBe(405);
  });
});

describe("data over HTTP", () => {
  const path = "/api/v1/namespaces/default";
  const messageOf = (collection: string, body: Fields) => {
    const { server } = startServer();
    const reply = exchange(server, "POST", `${path}/${collection}`, { metadata: { name: "x" }, ...body });
    return [reply.status, json(reply)["message"]];
  };

  it("[NET-375] are texts", () => {
    expect(messageOf("configmaps", { data: { a: 1 } })).toEqual([
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ]);
  });

  it("[NET-377] are in base64 where they are secret", () => {
    expect(messageOf("secrets", { data: { a: "not base64" } })).toEqual([
      400,
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 3',
    ]);
    expect(messageOf("secrets", { data: { a: "YWJj\nZGVm\r\n" } })[0]).toBe(201);
  });

  it("[NET-379] stay when the text that they came from goes", () => {
    const { server } = startServer();
    const apply = (stringData: Fields) =>
      exchange(
        server,
        "PATCH",
        `${path}/secrets/x?fieldManager=me`,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "x" }, stringData },
        { "content-type": "application/apply-patch+yaml" },
      );
    expect(apply({ a: "1", b: "2" }).status).toBe(201);
    expect(json(apply({ a: "1" }))["data"]).toEqual({ a: "MQ==", b: "Mg==" });
  });

  it("[NET-388] are found by type", () => {
    const { server } = startServer();
    exchange(server, "POST", `${path}/secrets`, { metadata: { name: "a" }, type: "example.com/a" });
    exchange(server, "POST", `${path}/secrets`, { metadata: { name: "b" } });
    const found = json(exchange(server, "GET", `${path}/secrets?fieldSelector=type%3Dexample.com%2Fa`))[
      "items"
    ] as readonly Fields[];
    expect(found.map(({ metadata }) => (metadata as Fields)["name"])).toEqual(["a"]);
  });

  it("[NET-211] are found by no other field than those that the kind knows", () => {
    const { server } = startServer();
    const reply = exchange(server, "GET", "/apis/networking.k8s.io/v1/ingresses?fieldSelector=foo.bar%3Dbaz");
    // What stands before it in a terminal is kubectl's.
    expect([reply.status, json(reply)["message"]]).toEqual([
      400,
      '"foo.bar" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ]);
  });
});
