import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { crds, crontabCrd, type Fields, plainSpec } from "../custom-resources/crontabs.test-kit.ts";
import { exchange, json } from "../http/http-call.test-kit.ts";
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
