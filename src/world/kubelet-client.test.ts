import { beforeAll, describe, expect, it } from "vitest";
import { adminPeer, exchange } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { World } from "./world.ts";

describe("the API server's requests to kubelets", () => {
  let world: World;
  beforeAll(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
  });

  function get(path: string): string {
    const reply = exchange(
      world.cluster.apiServer,
      "GET",
      path,
      undefined,
      {},
      { ...adminPeer, certificate: world.adminCertificate },
    );
    world.simulation.runUntil(() => reply.ended, { limitMs: 10_000 });
    return `${reply.status} ${reply.text}`;
  }

  it.each([
    ["control-plane", "/healthz", "200 ok"],
    ["node-1", "/healthz", "200 ok"],
    ["https:node-1:10250", "/healthz/ping", "200 ok"],
  ])("show its certificate: nodes/%s/proxy%s", (node, path, expected) => {
    expect(get(`/api/v1/nodes/${node}/proxy${path}`)).toBe(expected);
  });

  it("[POD-551] bring its configuration, what it runs, its metrics, its summary and its logs", () => {
    const json = (path: string) => JSON.parse(get(`/api/v1/nodes/node-1/proxy${path}`).slice(4));
    expect(json("/configz").kubeletconfig).toMatchObject({ maxPods: 110, clusterDNS: ["10.96.0.10"], cgroupDriver: "systemd" });
    expect(json("/runningpods/").items.length).toBeGreaterThan(0);
    expect(json("/stats/summary").node.fs.usedBytes).toBeGreaterThan(0);
    expect(get("/api/v1/nodes/node-1/proxy/metrics/probes")).toMatch(/^prober_probe_total\{/m);
    expect(get("/api/v1/nodes/node-1/proxy/metrics/cadvisor")).toMatch(/^container_memory_working_set_bytes\{/m);
    expect(get("/api/v1/nodes/node-1/proxy/logs/")).toContain('<a href="pods/">pods/</a>');
  });

  it("tell of the pods and of what they use", () => {
    const pods: readonly { readonly metadata: { readonly name: string } }[] = JSON.parse(
      get("/api/v1/nodes/node-1/proxy/pods").slice(4),
    ).items;
    const metrics = get("/api/v1/nodes/node-1/proxy/metrics/resource");
    const measured = [...metrics.matchAll(/^pod_cpu_usage_seconds_total\{.*pod="(.*)"\}/gm)].map((match) => match[1]);
    expect(measured).toEqual(pods.map(({ metadata }) => metadata.name).sort());
    expect(measured.length).toBeGreaterThan(0);
  });
});
