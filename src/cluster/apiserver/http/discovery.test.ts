import { describe, expect, it } from "vitest";
import type { HttpHeaders } from "#sim/http.ts";
import { Simulation } from "#sim/simulation.ts";
import { ApiServer } from "../server.ts";
import { exchange, json, type TestReply } from "./http-call.test-kit.ts";

function start(): ApiServer {
  const simulation = new Simulation({ startMs: Date.UTC(2026, 10, 21, 9, 0, 0), seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.start();
  return server;
}

function get(server: ApiServer, path: string, headers: HttpHeaders = {}): TestReply {
  return exchange(server, "GET", path, undefined, headers);
}

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

describe("discovery over HTTP", () => {
  it("[API-058] lists the core versions", () => {
    expect(json(get(start(), "/api"))).toEqual({
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "172.18.0.2:6443" }],
    });
  });

  it("[API-060] gives resources upstream's storage hashes", () => {
    const entries = json(get(start(), "/api/v1"))["resources"] as readonly { name: string; storageVersionHash?: string }[];
    const hashes = new Map(entries.map(({ name, storageVersionHash }) => [name, storageVersionHash]));
    expect([hashes.get("pods"), hashes.get("events"), hashes.get("pods/log")]).toEqual(["xPOwRZ+Yhw8=", "r2yiGXH7wu8=", undefined]);
  });

  it("[API-061] sends the aggregated form with an ETag, and 304 to whoever has it", () => {
    const server = start();
    const first = get(server, "/apis", { accept: aggregated });
    const { etag = "", "content-type": type, vary } = first.headers;
    expect([first.status, type, vary, first.headers["cache-control"]]).toEqual([200, aggregated, "Accept", "public"]);
    expect(json(first)["kind"]).toBe("APIGroupDiscoveryList");
    const again = get(server, "/apis", { accept: aggregated, "if-none-match": etag });
    expect([again.status, again.text, again.headers["etag"]]).toEqual([304, "", etag]);
    expect(get(server, "/apis", { accept: aggregated, "if-none-match": '"other"' }).status).toBe(200);
  });

  it("[API-062] falls back to the next format where only v2beta1 is asked for", () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
    expect(json(get(start(), "/apis", { accept }))["kind"]).toBe("APIGroupList");
    const both = `${aggregated},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`;
    expect(json(get(start(), "/apis", { accept: both }))["apiVersion"]).toBe("apidiscovery.k8s.io/v2");
  });

  it("[API-063] has no peers to leave out", () => {
    const server = start();
    expect(get(server, "/apis", { accept: `${aggregated};profile=nopeer` }).text).toBe(
      get(server, "/apis", { accept: aggregated }).text,
    );
  });

  it("[API-065] [API-066] does not serve alpha, new beta and removed versions", () => {
    const server = start();
    const gone = [
      "/apis/rbac.authorization.k8s.io/v1alpha1",
      "/apis/storagemigration.k8s.io/v1beta1",
      "/apis/extensions/v1beta1",
      "/apis/apps/v1beta1",
      "/apis/apps/v1beta2",
      "/apis/autoscaling/v2beta2",
      "/apis/batch/v1beta1",
      "/apis/policy/v1beta1",
    ];
    for (const path of gone) expect([path, get(server, path).status]).toEqual([path, 404]);
  });

  it("[API-074] reads one object at each version of its kind", () => {
    const server = start();
    const event = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "e" },
      eventTime: "2026-11-21T09:00:00.000000Z",
      reportingController: "example.com/test",
      reportingInstance: "test-1",
      action: "Test",
      reason: "Test",
      type: "Normal",
      regarding: { kind: "Pod", namespace: "default", name: "p" },
    };
    expect(exchange(server, "POST", "/apis/events.k8s.io/v1/namespaces/default/events", event).status).toBe(201);
    const of = (path: string) => json(get(server, `${path}/namespaces/default/events/e`));
    const [old, current] = [of("/api/v1"), of("/apis/events.k8s.io/v1")];
    const identity = ({ metadata }: typeof old) => {
      const { uid, resourceVersion } = metadata as { uid: string; resourceVersion: string };
      return { uid, resourceVersion };
    };
    expect([old["apiVersion"], current["apiVersion"]]).toEqual(["v1", "events.k8s.io/v1"]);
    expect(identity(old)).toEqual(identity(current));
  });
});

describe("OpenAPI over HTTP", () => {
  it("[API-069] writes version 2 as JSON", () => {
    const server = start();
    for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
      const reply = get(server, "/openapi/v2", headers);
      expect([reply.status, reply.headers["content-type"], json(reply)["swagger"]]).toEqual([200, "application/json", "2.0"]);
    }
    expect(get(server, "/openapi/v2", { accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" }).status).toBe(406);
  });

  it("[API-070] [API-071] lets a document of version 3 be kept under its hash, and leads from a wrong one", () => {
    const server = start();
    const { paths } = json(get(server, "/openapi/v3")) as { paths: { [path: string]: { serverRelativeURL: string } } };
    const address = paths["apis/apps/v1"]?.serverRelativeURL ?? "";
    const [, hash = ""] = /^\/openapi\/v3\/apis\/apps\/v1\?hash=([0-9A-F]{128})$/.exec(address) ?? [];
    const reply = get(server, address);
    expect([reply.status, reply.headers["cache-control"], reply.headers["expires"], reply.headers["etag"]]).toEqual([
      200,
      "public, immutable",
      "Sun, 21 Nov 2027 09:00:00 UTC",
      `"${hash}"`,
    ]);
    expect(json(reply)["openapi"]).toBe("3.0.0");
    const wrong = get(server, "/openapi/v3/apis/apps/v1?hash=00");
    expect([wrong.status, wrong.headers["location"]]).toEqual([301, address]);
    const plain = get(server, "/openapi/v3/apis/apps/v1");
    expect([plain.status, plain.headers["cache-control"], plain.headers["expires"]]).toEqual([200, "no-cache, private", undefined]);
    expect(get(server, address, { "if-none-match": `"${hash}"` }).status).toBe(304);
    expect(get(server, "/openapi/v3/apis/nothing/v1").status).toBe(404);
  });
});
