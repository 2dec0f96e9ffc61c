import { describe, expect, it } from "vitest";
import { Simulation } from "#sim/simulation.ts";
import { exchange, json } from "./http/http-call.test-kit.ts";
import { runtimeConfigOf } from "./runtime-config.ts";
import { ApiServer } from "./server.ts";

function start(...argv: readonly string[]): ApiServer {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.runtimeConfig = runtimeConfigOf(argv);
  server.start();
  return server;
}

function statuses(server: ApiServer, ...paths: readonly string[]): readonly number[] {
  return paths.map((path) => exchange(server, "GET", path).status);
}

describe("--runtime-config", () => {
  it("[API-067] takes a version away and brings it back with its objects", () => {
    const server = start();
    const set = {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name: "a" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "b" }] } },
      },
    };
    const one = "/apis/apps/v1/namespaces/default/daemonsets/a";
    exchange(server, "POST", "/apis/apps/v1/namespaces/default/daemonsets", set);
    const groups = () => (json(exchange(server, "GET", "/apis"))["groups"] as { name: string }[]).map(({ name }) => name);

    server.stop();
    server.runtimeConfig = runtimeConfigOf(["kube-apiserver", "--runtime-config=apps/v1=false"]);
    server.start();
    expect([exchange(server, "GET", one).text, exchange(server, "GET", one).status]).toEqual(["404 page not found\n", 404]);
    expect(statuses(server, "/apis/apps/v1", "/apis/apps", "/openapi/v3/apis/apps/v1")).toEqual([404, 404, 404]);
    expect(groups()).not.toContain("apps");

    server.stop();
    server.runtimeConfig = runtimeConfigOf(["kube-apiserver"]);
    server.start();
    expect([exchange(server, "GET", one).status, groups().includes("apps")]).toEqual([200, true]);
  });

  it.each<readonly [string, readonly number[]]>([
    ["api/all=false,apps/v1=true", [404, 200, 200]],
    ["api/ga=false", [404, 404, 404]],
    ["api/ga=false,apps/v1", [404, 200, 200]],
    ["api/beta=false,api/alpha=true", [200, 200, 200]],
    ["apps/v1/daemonsets=false", [200, 200, 404]],
    ["api/v1=false", [404, 200, 200]],
    ["nothing/v1=false", [200, 200, 200]],
  ])("[API-068] %s", (value, expected) => {
    const server = start("kube-apiserver", "--runtime-config", value);
    const paths = ["/api/v1/pods", "/apis/apps/v1/deployments", "/apis/apps/v1/daemonsets"];
    expect(statuses(server, ...paths)).toEqual(expected);
  });

  it("[API-068] refuses what is no boolean", () => {
    expect(() => runtimeConfigOf(["--runtime-config=batch/v1=maybe"])).toThrow("invalid value of batch/v1=maybe");
  });
});
