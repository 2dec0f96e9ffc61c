import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpRequest } from "#sim/http.ts";
import type { Endpoint, NetworkStack } from "#sim/net.ts";
import { crds, crontabCrd, type Fields, plainSpec } from "../custom-resources/crontabs.test-kit.ts";
import { adminPeer, exchange, exchangeAs, json } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";

const root = "/apis/apiregistration.k8s.io/v1/apiservices";
const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";

function start() {
  const started = startServer();
  const rows = () => {
    started.simulation.run({ untilMs: started.simulation.nowMs });
    const table = json(exchange(started.server, "GET", root, undefined, { accept }));
    return (table["rows"] as { readonly cells: readonly JsonValue[] }[]).map(({ cells }) => cells.join(" "));
  };
  return { ...started, rows };
}

const metrics: Fields = {
  metadata: { name: "v1beta1.metrics.k8s.io" },
  spec: {
    group: "metrics.k8s.io",
    version: "v1beta1",
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: { namespace: "kube-system", name: "metrics-server" },
  },
};

interface Asked {
  readonly target: Endpoint;
  readonly request: HttpRequest;
  readonly serverName: string | undefined;
}

const resourceList = {
  kind: "APIResourceList",
  groupVersion: "metrics.k8s.io/v1beta1",
  resources: [
    { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs: ["get", "list"] },
    { name: "nodes/x", singularName: "", namespaced: false, kind: "X", verbs: ["get"] },
  ],
};

/** With a server behind the Service, which has an endpoint. */
function startWithBackend() {
  const started = start();
  const { server, simulation } = started;
  const asked: Asked[] = [];
  const backend: { status: number; error: "ECONNREFUSED" | undefined } = { status: 200, error: undefined };
  const network: Pick<NetworkStack, "request"> = {
    request({ address, port }, request, { tls }, done) {
      asked.push({ target: { address, port }, request, serverName: tls?.serverName });
      if (backend.error !== undefined) {
        done({ ok: false, error: backend.error });
        return;
      }
      const isDiscovery = request.target === "/apis/metrics.k8s.io/v1beta1";
      done({
        ok: true,
        exchange: {
          status: backend.status,
          headers: { "content-type": "application/json" },
          body: encodeUtf8(isDiscovery ? JSON.stringify(resourceList) : "backend"),
          onData: undefined,
          onEnd: undefined,
          abort: () => undefined,
          upgraded: undefined,
        },
      });
    },
  };
  server.remoteServers.network = network as NetworkStack;
  const service = json(
    exchange(server, "POST", "/api/v1/namespaces/kube-system/services", {
      metadata: { name: "metrics-server" },
      spec: { ports: [{ name: "https", port: 443 }], selector: { a: "b" } },
    }),
  );
  exchange(server, "POST", root, metrics);
  exchange(server, "POST", "/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices", {
    metadata: { name: "metrics-server-1", labels: { "kubernetes.io/service-name": "metrics-server" } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.244.1.5"], conditions: { ready: true } }],
    ports: [{ name: "https", port: 10250 }],
  });
  simulation.run({ untilMs: simulation.nowMs + 10 });
  const conditions = () => {
    const { status } = json(exchange(server, "GET", `${root}/v1beta1.metrics.k8s.io`)) as { status: { conditions: Fields[] } };
    return status.conditions.map((condition) => [condition["status"], condition["reason"], condition["message"]]);
  };
  const { clusterIP } = service["spec"] as { clusterIP: string };
  return { ...started, asked, backend, world: { conditions, serviceAddress: clusterIP, peer: adminPeer } };
}

describe("APIServices", () => {
  it("[API-364] one is there for each group version that is served, available as Local", () => {
    const { server, rows } = start();
    expect(rows()).toEqual(
      expect.arrayContaining(["v1. Local True 0s", "v1.apps Local True 0s", "v1.apiextensions.k8s.io Local True 0s"]),
    );
    expect(rows().join()).not.toContain("apiregistration");
    expect(json(exchange(server, "GET", `${root}/v1.apps`))).toMatchObject({
      metadata: { name: "v1.apps", labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" } },
      spec: { group: "apps", version: "v1", groupPriorityMinimum: 17800, versionPriority: 15 },
      status: {
        conditions: [
          {
            type: "Available",
            status: "True",
            lastTransitionTime: "2026-01-01T00:00:00Z",
            reason: "Local",
            message: "Local APIServices are always available",
          },
        ],
      },
    });
  });

  it("come and go with custom resources", () => {
    const { server, simulation, rows } = start();
    exchange(server, "POST", crds, crontabCrd(plainSpec));
    expect(rows()).toContain("v1.stable.example.com Local True 0s");
    expect(json(exchange(server, "GET", `${root}/v1.stable.example.com`))).toMatchObject({
      metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": "true" } },
      spec: { groupPriorityMinimum: 1000, versionPriority: 100 },
    });
    exchange(server, "DELETE", `${crds}/crontabs.stable.example.com`);
    simulation.run({ untilMs: simulation.nowMs + 10 });
    expect(rows().join()).not.toContain("stable");
  });

  it("with a Service say why they are not available, and their group answers 503", () => {
    const { server, simulation, rows } = start();
    expect(exchange(server, "POST", root, metrics).status).toBe(201);
    expect(rows()).toContain("v1beta1.metrics.k8s.io kube-system/metrics-server False (ServiceNotFound) 0s");
    const reply = exchange(server, "GET", "/apis/metrics.k8s.io/v1beta1/nodes");
    expect([reply.status, reply.text]).toEqual([503, "service unavailable\n"]);
    expect(exchange(server, "GET", "/apis/metrics.k8s.io/v1beta1").status).toBe(503);
    const versions = [{ groupVersion: "metrics.k8s.io/v1beta1", version: "v1beta1" }];
    expect(json(exchange(server, "GET", "/apis/metrics.k8s.io"))).toMatchObject({ name: "metrics.k8s.io", versions });
    expect((json(exchange(server, "GET", "/apis"))["groups"] as Fields[]).at(-1)).toMatchObject({
      name: "metrics.k8s.io",
      versions,
    });
    const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const items = json(exchange(server, "GET", "/apis", undefined, { accept: aggregated }))["items"] as Fields[];
    expect(items.at(-1)).toEqual({ metadata: { name: "metrics.k8s.io" }, versions: [{ version: "v1beta1", freshness: "Stale" }] });
    exchange(server, "POST", "/api/v1/namespaces/kube-system/services", {
      metadata: { name: "metrics-server" },
      spec: { ports: [{ name: "https", port: 443 }], selector: { a: "b" } },
    });
    simulation.run({ untilMs: simulation.nowMs + 31_000 });
    const { status } = json(exchange(server, "GET", `${root}/v1beta1.metrics.k8s.io`)) as { status: { conditions: Fields[] } };
    expect(status.conditions.map(({ reason, message }) => [reason, message])).toEqual([
      ["EndpointsNotFound", 'cannot find endpointslices for service/metrics-server in "kube-system"'],
    ]);
  });

  it("[API-364] that answer are available, their requests are passed on in the user's name, and discovery knows their kinds", () => {
    const { server, rows, world, asked } = startWithBackend();
    expect(rows()).toContain("v1beta1.metrics.k8s.io kube-system/metrics-server True 0s");
    expect(world.conditions()).toEqual([["True", "Passed", "all checks passed"]]);
    const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const items = json(exchange(server, "GET", "/apis", undefined, { accept: aggregated }))["items"] as Fields[];
    expect(items.at(-1)).toEqual({
      metadata: { name: "metrics.k8s.io" },
      versions: [
        {
          version: "v1beta1",
          freshness: "Current",
          resources: [
            {
              resource: "nodes",
              responseKind: { group: "", version: "", kind: "NodeMetrics" },
              scope: "Cluster",
              singularResource: "",
              verbs: ["get", "list"],
              subresources: [{ subresource: "x", responseKind: { group: "", version: "", kind: "X" }, verbs: ["get"] }],
            },
          ],
        },
      ],
    });
    asked.length = 0;
    const path = "/apis/metrics.k8s.io/v1beta1/nodes?limit=5";
    const given = { "x-remote-user": "somebody else", authorization: "Bearer x", accept: "application/json" };
    const reply = exchangeAs(world.peer, server, { method: "GET", target: path, headers: given });
    expect([reply.status, reply.text]).toEqual([200, "backend"]);
    expect(asked.map(({ target, request, serverName }) => [target, request.method, request.target, serverName])).toEqual([
      [{ address: world.serviceAddress, port: 443 }, "GET", path, "metrics-server.kube-system.svc"],
    ]);
    const { "x-remote-user": user, "x-remote-group": groups, authorization, host } = asked[0]?.request.headers ?? {};
    expect([user, groups, authorization, host]).toEqual([
      "kubernetes-admin",
      "system:masters, system:authenticated",
      undefined,
      `${world.serviceAddress}:443`,
    ]);
    expect(exchange(server, "GET", "/apis/metrics.k8s.io/v1beta1").text).toContain("APIResourceList");
  });

  it("are looked at again when their endpoints change, and every 30 s", () => {
    const { server, simulation, world, backend } = startWithBackend();
    backend.status = 403;
    simulation.run({ untilMs: simulation.nowMs + 31_000 });
    const url = `https://${world.serviceAddress}:443/apis/metrics.k8s.io/v1beta1`;
    expect(world.conditions()).toEqual([
      ["False", "FailedDiscoveryCheck", `failing or missing response from ${url}: bad status from ${url}: 403`],
    ]);
    const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const items = json(exchange(server, "GET", "/apis", undefined, { accept: aggregated }))["items"] as Fields[];
    expect(items.at(-1)).toMatchObject({ versions: [{ freshness: "Stale", resources: [{ resource: "nodes" }] }] });
    backend.status = 200;
    backend.error = "ECONNREFUSED";
    simulation.run({ untilMs: simulation.nowMs + 31_000 });
    expect(world.conditions()).toEqual([
      [
        "False",
        "FailedDiscoveryCheck",
        `failing or missing response from ${url}: Get "${url}": dial tcp ${world.serviceAddress}:443: connect: connection refused`,
      ],
    ]);
    backend.error = undefined;
    simulation.run({ untilMs: simulation.nowMs + 31_000 });
    expect(world.conditions()).toEqual([["True", "Passed", "all checks passed"]]);
    exchange(server, "DELETE", "/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices/metrics-server-1");
    simulation.run({ untilMs: simulation.nowMs + 10 });
    expect(world.conditions()).toEqual([
      ["False", "EndpointsNotFound", 'cannot find endpointslices for service/metrics-server in "kube-system"'],
    ]);
    expect(exchange(server, "GET", "/apis/metrics.k8s.io/v1beta1/nodes").text).toBe("service unavailable\n");
  });

  it("answer those who may ask, and say when the server behind goes away", () => {
    const { server, backend } = startWithBackend();
    const path = "/apis/metrics.k8s.io/v1beta1/nodes";
    const forbidden = exchange(server, "GET", path, undefined, { "impersonate-user": "jane" });
    expect([forbidden.status, json(forbidden)["message"]]).toEqual([
      403,
      'nodes.metrics.k8s.io is forbidden: User "jane" cannot list resource "nodes" in API group "metrics.k8s.io" at the cluster scope',
    ]);
    backend.error = "ECONNREFUSED";
    const gone = exchange(server, "GET", path);
    expect([gone.status, gone.text]).toMatchObject([
      503,
      expect.stringMatching(/^error trying to reach service: dial tcp .*refused\n$/),
    ]);
  });

  it("are validated", () => {
    const { server } = start();
    const bad = {
      metadata: { name: "x" },
      spec: { group: "g.example.com", version: "v1", groupPriorityMinimum: 0, versionPriority: 1 },
    };
    expect(json(exchange(server, "POST", root, bad))["message"]).toBe(
      'APIService.apiregistration.k8s.io "x" is invalid: [metadata.name: Invalid value: "x": must be `spec.version+"."+spec.group`: "v1.g.example.com", spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000]',
    );
  });
});
