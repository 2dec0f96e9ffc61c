import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { HttpHeaders } from "#sim/http.ts";
import { Simulation } from "#sim/simulation.ts";
import { ApiServer } from "../server.ts";
import { anonymousPeer, exchange, exchangeAs, json, type TestReply } from "./http-call.test-kit.ts";

function start(): ApiServer {
  const simulation = new Simulation({ startMs: Date.UTC(2026, 10, 21, 9, 0, 0), seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.start();
  return server;
}

const maps = "/api/v1/namespaces/default/configmaps";
const map = (name: string, more: object = {}): JsonValue => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...more },
  data: { a: "b" },
});

function failure(reply: TestReply): readonly [number, JsonValue | undefined, JsonValue | undefined] {
  const { message, reason } = json(reply);
  return [reply.status, reason, message];
}

describe("what a client sends and accepts", () => {
  it.each<readonly [HttpHeaders, number, string]>([
    [{}, 200, "application/json"],
    [{ accept: "*/*" }, 200, "application/json"],
    [{ accept: "application/yaml" }, 200, "application/yaml"],
    [{ accept: "text/html, application/yaml;q=0.5, application/json;q=0.9" }, 200, "application/json"],
    [{ accept: "application/vnd.kubernetes.protobuf, application/json" }, 200, "application/json"],
    [{ accept: "application/json;as=Table;v=v2;g=meta.k8s.io, application/json" }, 200, "application/json"],
    [{ accept: "text/plain" }, 406, "application/json"],
    [{ accept: "application/json;as=Nothing;v=v1;g=meta.k8s.io" }, 406, "application/json"],
  ])("[API-031] answers %j with %i in %s", (headers, status, type) => {
    const server = start();
    exchange(server, "POST", maps, map("one"));
    const reply = exchange(server, "GET", `${maps}/one`, undefined, headers);
    expect([reply.status, reply.headers["content-type"]]).toEqual([status, type]);
  });

  it("[API-031] [API-032] names what it accepts", () => {
    const server = start();
    const types = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
    expect(failure(exchange(server, "GET", maps, undefined, { accept: "text/plain" }))).toEqual([
      406,
      "NotAcceptable",
      `406: Not Acceptable\n\nAvailable representations: ${types}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
    ]);
    expect(failure(exchange(server, "GET", maps, undefined, { accept: "application/json;as=Chair" }))).toEqual([
      406,
      "NotAcceptable",
      `only the following media types are accepted: ${types}`,
    ]);
    expect(failure(exchange(server, "POST", maps, map("a"), { "content-type": "text/plain" }))).toEqual([
      415,
      "UnsupportedMediaType",
      `the body of the request was in an unknown format - accepted media types include: ${types}`,
    ]);
    exchange(server, "POST", maps, map("one"));
    expect(failure(exchange(server, "PATCH", `${maps}/one`, {}, { "content-type": "application/json" }))).toEqual([
      415,
      "UnsupportedMediaType",
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml",
    ]);
    const yaml = { "content-type": "application/yaml; charset=utf-8", accept: "application/yaml" };
    const made = exchange(server, "POST", maps, "metadata:\n  name: from-yaml\ndata:\n  k: v\n", yaml);
    expect([made.status, made.text.startsWith("apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\n")]).toEqual([201, true]);
  });

  it("[API-031] has no Tables of what is answered and not kept", () => {
    const review = { spec: { resourceAttributes: { verb: "get", resource: "pods" } } };
    const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    expect(failure(exchange(start(), "POST", path, review, { accept: table }))).toEqual([
      406,
      "NotAcceptable",
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    ]);
    const reply = exchange(start(), "POST", path, review, { accept: `${table},application/json` });
    expect([reply.status, json(reply)["kind"]]).toEqual([201, "SelfSubjectAccessReview"]);
  });

  it("[API-125] does not stream watches in YAML", () => {
    const refused = exchange(start(), "GET", `${maps}?watch=true`, undefined, { accept: "application/yaml" });
    expect(failure(refused)).toEqual([
      406,
      "NotAcceptable",
      "only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
    ]);
  });

  it("[API-034] answers metadata alone", () => {
    const server = start();
    exchange(server, "POST", maps, map("one", { labels: { a: "b" } }));
    const accept = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    const one = json(exchange(server, "GET", `${maps}/one`, undefined, { accept }));
    expect(Object.keys(one)).toEqual(["kind", "apiVersion", "metadata"]);
    expect(one).toMatchObject({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { labels: { a: "b" } } });
    const list = json(exchange(server, "GET", maps, undefined, { accept: accept.replace("Metadata;", "MetadataList;") }));
    expect(list).toMatchObject({ kind: "PartialObjectMetadataList", items: [{ kind: "PartialObjectMetadata" }] });
  });

  it.each<readonly [string, HttpHeaders, boolean]>([
    ["", {}, false],
    ["?pretty=true", {}, true],
    ["?pretty=0", { "user-agent": "curl/8.0" }, false],
    ["", { "user-agent": "curl/8.0" }, true],
    ["", { "user-agent": "Wget/1.21" }, true],
    ["", { "user-agent": "Mozilla/5.0 (X11)" }, true],
    ["", { "user-agent": "kubectl/v1.36.0" }, false],
    ["", { accept: "application/json;pretty=1" }, true],
  ])("[API-038] %s %j indents: %s", (query, headers, indented) => {
    const server = start();
    for (const path of ["/api/v1/namespaces/default", "/apis/apps/v1", "/api/v1/namespaces/nope"]) {
      const { text } = exchange(server, "GET", `${path}${query}`, undefined, headers);
      // A Status of an error does not negotiate by Accept here.
      if (path.endsWith("nope") && headers["accept"] !== undefined) continue;
      expect(text.startsWith('{\n  "kind"')).toBe(indented);
      expect(text.endsWith("\n")).toBe(!indented);
    }
  });
});

describe("headers of replies", () => {
  it("names every request, by the name that the client chose", () => {
    const server = start();
    const own = exchange(server, "GET", "/version").headers;
    expect([own["audit-id"], own["cache-control"]]).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      "no-cache, private",
    ]);
    expect(exchange(server, "GET", "/version", undefined, { "audit-id": "mine" }).headers["audit-id"]).toBe("mine");
  });

  it("[API-039] warns of deprecated kinds", () => {
    const { headers } = exchange(start(), "GET", "/api/v1/namespaces/default/endpoints");
    expect(headers["warning"]).toBe('299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"');
  });

  it("refuses a timeout that is none", () => {
    const server = start();
    expect(failure(exchange(server, "GET", `${maps}?timeout=10`))).toEqual([
      400,
      "BadRequest",
      'invalid timeout specified in the request URL - time: missing unit in duration "10"',
    ]);
    expect(exchange(server, "GET", `${maps}?timeout=10s`).status).toBe(200);
  });
});

describe("watches", () => {
  it("[API-034] [API-128] give bookmarks the form that objects have", () => {
    const simulation = new Simulation({ startMs: Date.UTC(2026, 10, 21), seed: 1 });
    const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
    server.start();
    exchange(server, "POST", maps, map("one"));
    const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const kinds = (accept: string) => {
      const watch = exchange(server, "GET", `${maps}?${query}`, undefined, { accept });
      simulation.run({ untilMs: simulation.nowMs });
      return watch.lines.map((line) => JSON.parse(line)).map(({ type, object }) => `${type} ${object.kind}`);
    };
    expect(kinds("application/json")).toEqual(["ADDED ConfigMap", "BOOKMARK ConfigMap"]);
    const form = (as: string) => `application/json;as=${as};v=v1;g=meta.k8s.io`;
    expect(kinds(form("PartialObjectMetadata"))).toEqual(["ADDED PartialObjectMetadata", "BOOKMARK PartialObjectMetadata"]);
    expect(kinds(form("Table"))).toEqual(["ADDED Table", "BOOKMARK Table"]);
  });

  it("write a change once for all who hear of it, each in the form it asked for", () => {
    const simulation = new Simulation({ startMs: Date.UTC(2026, 10, 21), seed: 1 });
    const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
    server.start();
    const event = {
      metadata: { name: "e" },
      involvedObject: { kind: "Pod", namespace: "default" },
      reason: "Test",
      type: "Normal",
    };
    const paths = ["/api/v1/events", "/api/v1/namespaces/default/events", "/apis/events.k8s.io/v1/events"];
    const watches = paths.map((path) => exchange(server, "GET", `${path}?watch=true&resourceVersion=0`));
    exchange(server, "POST", "/api/v1/namespaces/default/events", event);
    simulation.run({ untilMs: simulation.nowMs });
    const [all, one, other] = watches.map(({ lines }) => lines.at(-1) ?? "{}");
    expect(one).toBe(all);
    expect([all, other].map((line) => JSON.parse(line ?? "{}").object.apiVersion)).toEqual(["v1", "events.k8s.io/v1"]);
  });
});

describe("bodies against the address", () => {
  it("[API-023] [API-024] [API-025] must agree", () => {
    const server = start();
    expect(failure(exchange(server, "POST", maps, map("a", { namespace: "other" })))[2]).toBe(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
    exchange(server, "POST", maps, map("a"));
    expect(failure(exchange(server, "PUT", `${maps}/a`, map("b")))[2]).toBe(
      "the name of the object (b) does not match the name on the URL (a)",
    );
    const wrong = { apiVersion: "v2", kind: "ConfigMap", metadata: { name: "c" } };
    expect(failure(exchange(server, "POST", maps, wrong))).toEqual([
      400,
      "BadRequest",
      "the API version in the data (v2) does not match the expected API version (v1)",
    ]);
  });

  it("[API-021] a refusal is a Status with its details", () => {
    const server = start();
    exchange(server, "POST", maps, map("a"));
    expect(json(exchange(server, "POST", maps, map("a")))).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'configmaps "a" already exists',
      reason: "AlreadyExists",
      details: { name: "a", kind: "configmaps" },
      code: 409,
    });
  });

  it("[API-036] deletes what a selector finds", () => {
    const server = start();
    for (const name of ["a", "b", "c"]) exchange(server, "POST", maps, map(name, { labels: { keep: String(name === "b") } }));
    const removed = exchange(server, "DELETE", `${maps}?labelSelector=keep%3Dfalse`);
    expect([removed.status, json(removed)["kind"]]).toEqual([200, "ConfigMapList"]);
    const left = json(exchange(server, "GET", maps))["items"] as readonly { readonly metadata: { readonly name: string } }[];
    expect(left.map(({ metadata }) => metadata.name).filter((name) => name.length === 1)).toEqual(["b"]);
  });
});

describe("reasons", () => {
  const post = (body: JsonValue | string, headers: HttpHeaders = {}) => exchange(start(), "POST", maps, body, headers);
  const cases: readonly (readonly [number, string, () => TestReply])[] = [
    [400, "BadRequest", () => post("{")],
    [
      401,
      "Unauthorized",
      () => exchangeAs(anonymousPeer, start(), { method: "GET", target: maps, headers: { authorization: "Bearer x" } }),
    ],
    [403, "Forbidden", () => exchangeAs(anonymousPeer, start(), { method: "GET", target: maps })],
    [404, "NotFound", () => exchange(start(), "GET", `${maps}/x`)],
    [405, "MethodNotAllowed", () => exchange(start(), "PUT", maps, map("a"))],
    [406, "NotAcceptable", () => exchange(start(), "GET", maps, undefined, { accept: "text/html" })],
    [413, "RequestEntityTooLarge", () => post(" ".repeat(3 * 1024 * 1024 + 1))],
    [415, "UnsupportedMediaType", () => post(map("a"), { "content-type": "application/cbor" })],
    [422, "Invalid", () => post(map("Upper"))],
    [500, "InternalError", () => exchangeWithoutKubelets()],
    [503, "ServiceUnavailable", () => exchangeStopped()],
  ];

  function exchangeStopped(): TestReply {
    const server = start();
    server.stop();
    return exchange(server, "GET", maps);
  }

  function exchangeWithoutKubelets(): TestReply {
    const server = start();
    const pods = "/api/v1/namespaces/default/pods";
    const spec = { nodeName: "n", containers: [{ name: "a", image: "b" }] };
    exchange(server, "POST", pods, { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
    return exchange(server, "GET", `${pods}/p/log`);
  }

  it.each(cases)("[API-022] %i is %s", (code, reason, ask) => {
    const reply = ask();
    expect([reply.status, json(reply)["reason"], json(reply)["code"], json(reply)["status"]]).toEqual([
      code,
      reason,
      code,
      "Failure",
    ]);
  });
});

describe("paths that are no resources", () => {
  it("[API-040] [API-043] lets everyone see health and version, and nothing else", () => {
    const server = start();
    const status = (path: string): number => exchangeAs(anonymousPeer, server, { method: "GET", target: path }).status;
    expect(["/healthz", "/livez", "/readyz", "/version"].map(status)).toEqual([200, 200, 200, 200]);
    expect(["/", "/api", "/apis", "/openapi/v2", "/metrics"].map(status)).toEqual([403, 403, 403, 403, 403]);
    expect(Object.keys(json(exchange(server, "GET", "/version")))).toEqual(
      expect.arrayContaining([
        "major",
        "minor",
        "gitVersion",
        "gitCommit",
        "gitTreeState",
        "buildDate",
        "goVersion",
        "compiler",
        "platform",
      ]),
    );
  });

  it("[API-041] tells its health in one word, or check by check", () => {
    const server = start();
    for (const endpoint of ["healthz", "livez", "readyz"]) {
      expect(exchange(server, "GET", `/${endpoint}`).text).toBe("ok");
      const lines = exchange(server, "GET", `/${endpoint}?verbose`).text.split("\n");
      const own = endpoint === "readyz" ? [] : ["[+]loopback-serving-certificate ok"];
      expect(lines.slice(0, 3 + own.length)).toEqual(["[+]ping ok", "[+]log ok", ...own, "[+]etcd ok"]);
      const other = exchange(server, "GET", `/${endpoint}?verbose&exclude=log&exclude=b&exclude=a`).text.split("\n");
      expect([other[1], ...other.slice(-3)]).toEqual([
        "[+]log excluded: ok",
        'warn: some health checks cannot be excluded: no matches for "a","b"',
        `${endpoint} check passed`,
        "",
      ]);
      expect(lines.slice(-2)).toEqual([`${endpoint} check passed`, ""]);
    }
  });

  it("lists paths at the root, each of which answers", () => {
    const server = start();
    const paths = json(exchange(server, "GET", "/"))["paths"] as readonly string[];
    expect(paths).toEqual([...paths].sort());
    expect(paths).toEqual(expect.arrayContaining(["/apis/apps/v1", "/healthz/ping", "/readyz/shutdown", "/openapi/v3"]));
    const silent = paths.filter((path) => path !== "/openapi/v3/" && exchange(server, "GET", path).status !== 200);
    expect(silent).toEqual([]);
  });

  it("[API-054] [API-072] has no log files and no old Swagger documents", () => {
    const server = start();
    const old = [
      "/swagger.json",
      "/swagger-2.0.0.json",
      "/swagger-2.0.0.pb-v1",
      "/swagger-2.0.0.pb-v1.gz",
      "/swaggerapi",
      "/logs/",
    ];
    for (const path of old) {
      const { status, text } = exchange(server, "GET", path);
      expect([path, status, text]).toEqual([path, 404, "404 page not found\n"]);
    }
  });
});
