import { describe, expect, it } from "vitest";
import { Simulation } from "#sim/simulation.ts";
import { ApiServer } from "../server.ts";
import { adminPeer, anonymousPeer, exchange, exchangeAs, json, peerOf } from "./http-call.test-kit.ts";

function start(): { server: ApiServer; simulation: Simulation } {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.start();
  return { server, simulation };
}

const web = { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers: [{ name: "web", image: "nginx" }] } };

describe("requests for resources over HTTP", () => {
  it("[API-017] answers 201 to POST, 200 to GET, PUT and PATCH, 200 to DELETE", () => {
    const { server } = start();
    const pods = "/api/v1/namespaces/default/pods";
    const created = exchange(server, "POST", pods, web);
    expect([created.status, created.headers["content-type"]]).toEqual([201, "application/json"]);
    expect(Object.keys(json(created))).toEqual(["kind", "apiVersion", "metadata", "spec", "status"]);
    expect(exchange(server, "GET", `${pods}/web`).status).toBe(200);
    expect(exchange(server, "PUT", `${pods}/web`, json(created)).status).toBe(200);
    const patched = exchange(
      server,
      "PATCH",
      `${pods}/web`,
      { metadata: { labels: { app: "web" } } },
      { "content-type": "application/merge-patch+json" },
    );
    expect([patched.status, (json(patched)["metadata"] as { labels: unknown }).labels]).toEqual([200, { app: "web" }]);
    expect(exchange(server, "DELETE", `${pods}/web`).status).toBe(200);
    expect(exchange(server, "GET", `${pods}/web`).status).toBe(404);
  });

  it("[API-016] [API-020] lists over all namespaces and tells what is not there", () => {
    const { server } = start();
    exchange(server, "POST", "/api/v1/namespaces/default/pods", web);
    const list = json(exchange(server, "GET", "/api/v1/pods"));
    expect([list["kind"], list["apiVersion"], (list["items"] as unknown[]).length]).toEqual(["PodList", "v1", 1]);
    expect(json(exchange(server, "GET", "/api/v1/namespaces/default/pods/nope"))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'pods "nope" not found',
      reason: "NotFound",
      details: { name: "nope", kind: "pods" },
      code: 404,
    });
  });

  it("[API-018] [API-019] refuses methods and paths that are not served", () => {
    const { server } = start();
    const refused = exchange(server, "POST", "/api/v1/namespaces/default/pods/x", web);
    expect([refused.status, json(refused)["message"]]).toEqual([
      405,
      "the server does not allow this method on the requested resource",
    ]);
    const unknown = exchange(server, "GET", "/nowhere");
    expect([unknown.status, unknown.text]).toEqual([404, "404 page not found\n"]);
    expect(exchange(server, "GET", "/api/v1/foos").status).toBe(404);
    expect(exchange(server, "GET", "/apis/extensions/v1beta1/ingresses").text).toBe("404 page not found\n");
  });

  it("[API-018] lists and watches all namespaces together, and no more", () => {
    const { server } = start();
    const status = (method: string, path: string) => exchange(server, method, path).status;
    expect(["POST", "DELETE"].map((method) => status(method, "/api/v1/pods"))).toEqual([405, 405]);
    expect(status("GET", "/api/v1/pods/x")).toBe(404);
    expect(status("POST", "/apis/authorization.k8s.io/v1/localsubjectaccessreviews")).toBe(404);
  });

  it("[API-018] only shows documents about the API", () => {
    const { server } = start();
    for (const path of ["/version", "/api", "/apis", "/apis/apps", "/apis/apps/v1"])
      expect([path, exchange(server, "DELETE", path).status]).toEqual([path, 405]);
  });

  it("[API-044] [API-046] words refusals as upstream does", () => {
    const { server } = start();
    const message = (target: string, peer = anonymousPeer) => json(exchangeAs(peer, server, { method: "GET", target }))["message"];
    expect(message("/")).toBe('forbidden: User "system:anonymous" cannot get path "/"');
    const jane = peerOf("jane", ["dev"]);
    expect(message("/api/v1/namespaces/default/pods", jane)).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    );
    expect(message("/api/v1/nodes", jane)).toBe(
      'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope',
    );
    expect(exchangeAs(anonymousPeer, server, { method: "GET", target: "/version" }).status).toBe(200);
  });

  it.each([
    ["a namespace is missing", "GET", "/api/v1/pods/x", 404],
    ["a namespace too many", "GET", "/api/v1/namespaces/default/nodes/x", 404],
    ["the wrong method", "POST", "/api/v1/namespaces/default/pods/x", 405],
    ["a subresource that the kind has not", "GET", "/api/v1/namespaces/default/pods/x/scale", 404],
    ["the wrong method of a subresource", "POST", "/apis/apps/v1/namespaces/default/deployments/x/scale", 405],
    ["no format of a patch", "PATCH", "/api/v1/namespaces/default/pods/x", 415],
    ["no format of a patch of a Scale", "PATCH", "/apis/apps/v1/namespaces/default/deployments/x/scale", 415],
  ])("[API-044] who may not make a request is told that before anything else is: %s", (_what, method, target, status) => {
    const { server } = start();
    const request = { method, target, body: {}, headers: { "content-type": "application/json" } };
    expect(exchangeAs(adminPeer, server, request).status).toBe(status);
    const jane = json(exchangeAs(peerOf("jane", ["dev"]), server, request));
    expect([jane["code"], jane["message"]]).toEqual([403, expect.stringContaining('is forbidden: User "jane" cannot ')]);
  });

  it.each([
    ["no format of an answer", "POST", "/api/v1/namespaces/default/configmaps", { accept: "text/csv" }, 406],
    ["no format of a list", "GET", "/api/v1/namespaces/default/configmaps", { accept: "text/csv" }, 406],
    ["no format of a watch", "GET", "/api/v1/namespaces/default/configmaps?watch=1", { accept: "text/csv" }, 406],
    ["a selector that cannot be read", "GET", "/api/v1/namespaces/default/configmaps?labelSelector=a==b==c", {}, 400],
    ["an option that is not there", "POST", "/api/v1/namespaces/default/configmaps?dryRun=Some", {}, 422],
    ["no format of a body", "DELETE", "/api/v1/namespaces/default/configmaps/x", { "content-type": "text/csv" }, 415],
  ])("[API-044] … and before its formats and options: %s", (_what, method, target, given, status) => {
    const { server } = start();
    const request = { method, target, body: {}, headers: { "content-type": "application/json", ...given } };
    expect(exchangeAs(adminPeer, server, request).status).toBe(status);
    expect(exchangeAs(peerOf("jane", ["dev"]), server, request).status).toBe(403);
  });

  it("counts and warns of deprecated kinds for those who may ask for them", () => {
    const { server } = start();
    const target = "/api/v1/namespaces/default/endpoints";
    const used = (): readonly string[] => {
      const page = exchangeAs(adminPeer, server, { method: "GET", target: "/metrics" });
      return page.text.split("\n").filter((line) => line.startsWith("apiserver_requested_deprecated_apis{"));
    };
    const refused = exchangeAs(peerOf("jane", ["dev"]), server, { method: "GET", target });
    expect([refused.status, refused.headers["warning"], used()]).toEqual([403, undefined, []]);
    const allowed = exchangeAs(adminPeer, server, { method: "GET", target: `${target}/web` });
    expect([allowed.status, allowed.headers["warning"]]).toEqual([404, expect.stringContaining("v1 Endpoints is deprecated")]);
    expect(used()).toEqual([
      'apiserver_requested_deprecated_apis{group="",removed_release="",resource="endpoints",subresource="",version="v1"} 1',
    ]);
  });

  it("deletes nothing when nobody can read the answer", () => {
    const { server } = start();
    const target = "/api/v1/namespaces/default/configmaps";
    const body = { metadata: { name: "kept" } };
    const headers = { "content-type": "application/json" };
    expect(exchangeAs(adminPeer, server, { method: "POST", target, body, headers }).status).toBe(201);
    expect(exchangeAs(adminPeer, server, { method: "DELETE", target, headers: { accept: "text/csv" } }).status).toBe(406);
    expect(exchangeAs(adminPeer, server, { method: "GET", target: `${target}/kept` }).status).toBe(200);
  });

  it("[API-033] prints Tables", () => {
    const { server } = start();
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const table = json(exchange(server, "GET", "/api/v1/namespaces", undefined, { accept }));
    expect(table["kind"]).toBe("Table");
    expect((table["columnDefinitions"] as { name: string }[]).map((column) => column.name)).toEqual(["Name", "Status", "Age"]);
    expect((table["rows"] as { cells: unknown[] }[]).map((row) => row.cells)).toEqual([
      ["default", "Active", "0s"],
      ["kube-node-lease", "Active", "0s"],
      ["kube-public", "Active", "0s"],
      ["kube-system", "Active", "0s"],
    ]);
  });

  it("streams watch events a line each", () => {
    const { server, simulation } = start();
    const watch = exchange(server, "GET", "/api/v1/namespaces/default/pods?watch=true");
    exchange(server, "POST", "/api/v1/namespaces/default/pods", web);
    exchange(server, "DELETE", "/api/v1/namespaces/default/pods/web");
    simulation.run({ untilMs: simulation.nowMs });
    expect(watch.lines.map((line) => JSON.parse(line).type)).toEqual(["ADDED", "DELETED"]);
    expect(watch.ended).toBe(false);
    server.stop();
    expect(watch.ended).toBe(true);
  });

  it("refuses unknown fields strictly, warns of them, or ignores them", () => {
    const { server } = start();
    const wrong = { ...web, spec: { ...web.spec, replcas: 1 } };
    const post = (validation: string) =>
      exchange(server, "POST", `/api/v1/namespaces/default/pods?dryRun=All&fieldValidation=${validation}`, wrong);
    expect(json(post("Strict"))["message"]).toBe(
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.replcas"',
    );
    expect([post("Warn").status, post("Warn").headers["warning"]]).toEqual([201, '299 - "unknown field \\"spec.replcas\\""']);
    expect([post("Ignore").status, post("Ignore").headers["warning"]]).toEqual([201, undefined]);
  });
});
