import { describe, expect, it } from "vitest";
import { Simulation } from "#sim/simulation.ts";
import { exchange, json } from "./http/http-call.test-kit.ts";
import { runtimeConfigOf, unsimulatedVersions } from "./runtime-config-flag.ts";
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
    ["api/beta,batch/v1=", [200, 200, 200]],
    ["apps/v1/daemonsets=false", [200, 200, 404]],
    ["api/v1=false", [404, 200, 200]],
  ])("[API-068] %s", (value, expected) => {
    const server = start("kube-apiserver", "--runtime-config", value);
    const paths = ["/api/v1/pods", "/apis/apps/v1/deployments", "/apis/apps/v1/daemonsets"];
    expect(statuses(server, ...paths)).toEqual(expected);
  });

  it("[API-065] serves a beta version only when it is asked for, with the objects of the stable one", () => {
    const paths = ["/apis/storage.k8s.io/v1beta1", "/apis/storage.k8s.io/v1beta1/volumeattributesclasses"];
    expect(statuses(start(), ...paths)).toEqual([404, 404]);
    expect(json(exchange(start(), "GET", "/apis/storage.k8s.io"))["versions"]).toHaveLength(1);
    expect(statuses(start("kube-apiserver", "--runtime-config=api/beta=true"), ...paths)).toEqual([200, 200]);

    const server = start("kube-apiserver", "--runtime-config=storage.k8s.io/v1beta1=true");
    const made = exchange(server, "POST", paths[1] ?? "", {
      apiVersion: "storage.k8s.io/v1beta1",
      kind: "VolumeAttributesClass",
      metadata: { name: "fast" },
      driverName: "example.com",
      parameters: { iops: "9000" },
    });
    expect(made.status).toBe(201);
    expect(made.headers["warning"]).toBe(
      '299 - "storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+, unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass"',
    );
    const stable = exchange(server, "GET", "/apis/storage.k8s.io/v1/volumeattributesclasses/fast");
    expect([stable.headers["warning"], json(stable)["apiVersion"]]).toEqual([undefined, "storage.k8s.io/v1"]);
    const { metadata, apiVersion } = json(made) as { metadata: { uid: string }; apiVersion: string };
    expect([apiVersion, json(stable)["metadata"]]).toEqual(["storage.k8s.io/v1beta1", metadata]);
  });

  it("[API-067] registers the group versions that are served, and no others", () => {
    const server = start();
    const names = ["v1.batch", "v1beta1.storage.k8s.io"];
    const registered = () => statuses(server, ...names.map((name) => `/apis/apiregistration.k8s.io/v1/apiservices/${name}`));
    expect(registered()).toEqual([200, 404]);
    for (const [value, expected] of [
      ["batch/v1=false,storage.k8s.io/v1beta1=true", [404, 200]],
      ["api/beta=false", [200, 404]],
    ] as const) {
      server.stop();
      server.runtimeConfig = runtimeConfigOf(["--runtime-config", value]);
      server.start();
      expect(registered(), value).toEqual(expected);
    }
  });

  it("leaves custom kinds alone", () => {
    const { registry } = start();
    const config = runtimeConfigOf(["--runtime-config=api/beta=false,example.com/v1beta1=false"]);
    const custom = {
      ...(registry.all[0] as (typeof registry.all)[number]),
      schemaType: undefined,
      group: "example.com",
      version: "v1beta1",
    };
    expect(config.serves(custom)).toBe(true);
  });

  it.each([
    ["storagemigration.k8s.io/v1beta1=true,batch/v1=false", ["storagemigration.k8s.io/v1beta1"]],
    ["apps/v1beta1,api/all=true,api/v1=true,apps/v1/deployments=true", ["apps/v1beta1"]],
    ["storage.k8s.io/v1beta1=true", []],
  ])("tells which keys do nothing here: %s", (value, keys) => {
    expect(unsimulatedVersions(runtimeConfigOf(["--runtime-config", value]), start().registry.all)).toEqual(keys);
  });

  it.each([
    ["batsh/v1=false,nothing/v2", "unknown api groups batsh/v1,nothing/v2"],
    ["batch/v3=false", "group version batch/v3 that has not been registered"],
    ["batch=false", "runtime-config invalid key batch"],
  ])("refuses %s", (value, message) => {
    expect(() => unsimulatedVersions(runtimeConfigOf(["--runtime-config", value]), start().registry.all)).toThrow(message);
  });

  it("[API-068] refuses what is no boolean", () => {
    expect(() => runtimeConfigOf(["--runtime-config=batch/v1=maybe"])).toThrow(
      'invalid value of batch/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
    );
    expect(() => runtimeConfigOf(["--runtime-config=api/beta=1"])).toThrow("invalid value api/beta=1");
  });
});
