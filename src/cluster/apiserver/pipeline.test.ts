import { describe, expect, it } from "vitest";
import * as errors from "#cluster/api/errors.ts";
import { configMaps as maps, pods } from "#cluster/api/kinds.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { Registry } from "#cluster/resources/registry.ts";
import { AdmissionChain, type AdmissionOperation } from "./admission/chain.ts";
import { exchange, json } from "./http/http-call.test-kit.ts";
import { etcdKey } from "./machinery.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { startServer } from "./test-server.test-kit.ts";

describe("requests", () => {
  it("[API-048] that read are not admitted; those that write and delete are", () => {
    const { server, client } = startServer();
    const seen: string[] = [];
    const operations: readonly AdmissionOperation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];
    const admission = new AdmissionChain([
      { name: "Spy", operations, validate: ({ operation, object }) => seen.push(`${operation} ${object.metadata.name}`) },
    ]);
    Object.defineProperty(server.pipeline.machinery, "admission", { value: admission });
    const key = { namespace: "default", name: "a" };
    client.create(maps, { metadata: key });
    client.get(maps, key);
    client.list(maps);
    client.watch(maps, {}, { onEvent: () => {}, onClose: () => {} });
    client.patch(maps, key, "merge", { data: { a: "b" } });
    client.delete(maps, key);
    expect(seen).toEqual(["CREATE a", "UPDATE a", "DELETE a"]);
  });

  it("that connect are admitted with what they ask for, as an object of a kind of its own", () => {
    const { server, client } = startServer();
    const seen: unknown[] = [];
    const spy = { name: "Spy", operations: ["CONNECT"] as const };
    const admission = new AdmissionChain([
      {
        ...spy,
        validate: ({ operation, object, subresource, definition, name }) =>
          seen.push([operation, `${definition.plural}/${subresource} ${name}`, definition.kind, object]),
      },
    ]);
    Object.defineProperty(server.pipeline.machinery, "admission", { value: admission });
    const key = { namespace: "default", name: "web" };
    client.create(pods, { metadata: key, spec: { nodeName: "n", containers: [{ name: "c", image: "x" }] } });
    const ask = (path: string, method = "GET") => exchange(server, method, `/api/v1/${path}`);
    ask("namespaces/default/pods/web/exec?command=sh&command=-c&stdin=true&container=c");
    ask("namespaces/default/pods/web/attach?stdout=1&stderr=0");
    ask("namespaces/default/pods/web/portforward?ports=80,443");
    ask("namespaces/default/pods/http:web:80/proxy/a/b/?q=1", "OPTIONS");
    ask("namespaces/default/services/web/proxy", "POST");
    ask("nodes/n/proxy/metrics");
    const object = (kind: string, fields: object) => [kind, { apiVersion: "v1", kind, metadata: {}, ...fields }];
    expect(seen).toEqual([
      ["CONNECT", "pods/exec web", ...object("PodExecOptions", { stdin: true, container: "c", command: ["sh", "-c"] })],
      ["CONNECT", "pods/attach web", ...object("PodAttachOptions", { stdout: true })],
      ["CONNECT", "pods/portforward web", ...object("PodPortForwardOptions", { ports: [80, 443] })],
      ["CONNECT", "pods/proxy http:web:80", ...object("PodProxyOptions", { path: "/a/b/" })],
      ["CONNECT", "services/proxy web", ...object("ServiceProxyOptions", {})],
      ["CONNECT", "nodes/proxy n", ...object("NodeProxyOptions", { path: "/metrics" })],
    ]);
  });

  it("[API-047] that fail twice say the first: who may not is not told what is wrong", () => {
    const { server } = startServer();
    const nobody = { name: "system:anonymous", groups: ["system:unauthenticated"] };
    const client = server.clientFor(nobody, "test");
    expect(() => client.create(maps, { metadata: { namespace: "none-such", name: "Bad_Name" } })).toThrow(
      /^configmaps is forbidden: User "system:anonymous" cannot create resource "configmaps" in API group "" in the namespace "none-such"/,
    );
  });
});

describe("refusals", () => {
  const subject = { group: "", resource: "pods" };
  it.each<[errors.ApiError, number, string]>([
    [errors.notFound(subject, "x"), 404, "NotFound"],
    [errors.alreadyExists(subject, "x"), 409, "AlreadyExists"],
    [errors.conflict(subject, "x", "y"), 409, "Conflict"],
    [errors.forbidden(subject, "x", "y"), 403, "Forbidden"],
    [errors.invalid(subject, "x", []), 422, "Invalid"],
    [errors.badRequest("x"), 400, "BadRequest"],
    [errors.methodNotAllowed(subject, "get"), 405, "MethodNotAllowed"],
    [errors.expired("x"), 410, "Expired"],
    [errors.internalError("x"), 500, "InternalError"],
  ])("[API-022] %s", (error, code, reason) => {
    expect([error.code, error.reason, error.status.kind, error.status.apiVersion, error.status.status]).toEqual([
      code,
      reason,
      "Status",
      "v1",
      "Failure",
    ]);
  });
});

describe("keys in etcd", () => {
  it.each<[string, string, string, string, string]>([
    ["", "pods", "default", "web", "/registry/pods/default/web"],
    ["", "nodes", "", "n", "/registry/minions/n"],
    ["", "services", "default", "s", "/registry/services/specs/default/s"],
    ["", "endpoints", "default", "s", "/registry/services/endpoints/default/s"],
    ["", "namespaces", "", "shop", "/registry/namespaces/shop"],
    ["apps", "deployments", "default", "web", "/registry/deployments/default/web"],
    ["coordination.k8s.io", "leases", "kube-system", "l", "/registry/leases/kube-system/l"],
  ])("[API-050] of %s/%s", (group, plural, namespace, name, key) => {
    const definition = new Registry().all.find((one) => one.group === group && one.plural === plural);
    expect(etcdKey({ definition, namespace, name } as ResourceRequest)).toBe(key);
  });
});

describe("deprecated kinds", () => {
  it("[API-039] are warned of with every use", () => {
    const { server } = startServer();
    const text = '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"';
    const path = "/api/v1/namespaces/default/endpoints";
    const created = exchange(server, "POST", path, { metadata: { name: "e" } });
    expect([created.headers["warning"], exchange(server, "GET", path).headers["warning"]]).toEqual([text, text]);
    expect((json(created) as KubeObject).metadata.name).toBe("e");
  });
});
