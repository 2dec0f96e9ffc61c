import { describe, expect, it } from "vitest";
import { exchange, json, type TestReply } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";

const collection = "/api/v1/namespaces/default/configmaps";

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

function start(...names: readonly string[]) {
  const { server, client, simulation } = startServer();
  const get = (path: string): TestReply => exchange(server, "GET", path);
  const add = (name: string, labels = {}) => exchange(server, "POST", collection, { metadata: { name, labels } });
  for (const name of names) add(name);
  const list = (query: string): List => JSON.parse(get(`${collection}${query}`).text) as List;
  const namesOf = (query: string) => list(query).items.map(({ metadata }) => metadata.name);
  const message = (query: string) => {
    const reply = get(`${collection}${query}`);
    return [reply.status, json(reply)["reason"], json(reply)["message"]];
  };
  return { server, client, simulation, get, add, list, namesOf, message };
}

function decoded(token: string | undefined): unknown {
  return JSON.parse(atob((token ?? "").replaceAll("-", "+").replaceAll("_", "/")));
}

function token(fields: object): string {
  return btoa(JSON.stringify(fields)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

describe("lists", () => {
  it("[API-016] hold all namespaces or one", () => {
    const { server, get } = start("a");
    exchange(server, "POST", "/api/v1/namespaces/kube-public/configmaps", { metadata: { name: "b" } });
    const all = JSON.parse(get("/api/v1/configmaps").text) as List;
    expect(all.items.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
    expect((JSON.parse(get(collection).text) as List).items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
  });

  it("[API-123] say at which version they were made", () => {
    const { server, list } = start("a", "b");
    expect(list("").metadata).toEqual({ resourceVersion: String(server.store.revision) });
  });

  it("[API-132] of one name hold that object or none, and are never cut into pages", () => {
    const { list, namesOf, server } = start("a", "b", "c");
    const version = String(server.store.revision);
    const one = list("?limit=1&fieldSelector=metadata.name%3Db");
    expect([one.items.map(({ metadata }) => metadata.name), one.metadata]).toEqual([["b"], { resourceVersion: version }]);
    expect(namesOf("?fieldSelector=metadata.name%3Dz")).toEqual([]);
    expect(namesOf("?fieldSelector=metadata.name%3Db,metadata.namespace%3Dother")).toEqual([]);
    expect(namesOf("?fieldSelector=metadata.name!%3Db")).toEqual(["a", "c"]);
  });
});

describe("pages", () => {
  it("[API-132] hold at most as many as asked for, say how many are left and how to go on", () => {
    const { list, server } = start("a", "b", "c", "d", "e");
    const first = list("?limit=2");
    const version = String(server.store.revision);
    expect([first.items.length, first.metadata]).toEqual([
      2,
      { resourceVersion: version, continue: first.metadata.continue, remainingItemCount: 3 },
    ]);
    expect(decoded(first.metadata.continue)).toEqual({ v: "meta.k8s.io/v1", rv: Number(version), start: "b\u0000" });
    const second = list(`?limit=2&continue=${first.metadata.continue}`);
    expect([second.items.map(({ metadata }) => metadata.name), second.metadata.remainingItemCount]).toEqual([["c", "d"], 1]);
    const last = list(`?limit=2&continue=${second.metadata.continue}`);
    expect([last.items.map(({ metadata }) => metadata.name), last.metadata]).toEqual([["e"], { resourceVersion: version }]);
  });

  it("[API-132] show the state of the first page, whatever happened since", () => {
    const { list, namesOf, add, server } = start("a", "b", "c");
    const next = list("?limit=1").metadata.continue;
    exchange(server, "DELETE", `${collection}/b`);
    add("bb");
    expect(namesOf(`?continue=${next}`)).toEqual(["b", "c"]);
    expect(namesOf("")).toEqual(["a", "bb", "c"]);
  });

  it("[API-132] of a selection do not say how many are left, and the last may be empty", () => {
    const { list, add } = start("b", "c");
    add("a", { app: "x" });
    const first = list("?limit=1&labelSelector=app%3Dx");
    expect([first.items.length, first.metadata.remainingItemCount, typeof first.metadata.continue]).toEqual([
      1,
      undefined,
      "string",
    ]);
    const last = list(`?limit=1&labelSelector=app%3Dx&continue=${first.metadata.continue}`);
    expect([last.items, last.metadata.continue]).toEqual([[], undefined]);
  });

  it("of any state are whole: version 0 ignores the limit", () => {
    expect(start("a", "b").namesOf("?limit=1&resourceVersion=0")).toEqual(["a", "b"]);
  });

  it("[API-133] go on inconsistently when their version was compacted", () => {
    const { list, message, namesOf, add, server, get } = start("a", "b", "c");
    const next = list("?limit=1").metadata.continue;
    add("bb");
    server.store.compact(server.store.revision);
    const text =
      "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
    expect(message(`?limit=1&continue=${next}`)).toEqual([410, "Expired", text]);
    const { metadata } = JSON.parse(get(`${collection}?limit=1&continue=${next}`).text) as List;
    expect(decoded(metadata.continue)).toEqual({ v: "meta.k8s.io/v1", rv: -1, start: "a\u0000" });
    expect(namesOf(`?continue=${metadata.continue}`)).toEqual(["b", "bb", "c"]);
  });

  it.each<[string, string]>([
    ["continue=%25%25", "illegal base64 data at input byte 0"],
    ["continue=abc%3D", "illegal base64 data at input byte 3"],
    [`continue=${token({ v: "x" })}`, "server does not recognize this encoded version x"],
    [`continue=${token({ v: "meta.k8s.io/v1", start: "a" })}`, "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"],
    [`continue=${token({ v: "meta.k8s.io/v1", rv: 5 })}`, "encoded start key empty (version meta.k8s.io/v1)"],
    [`continue=${token({ v: "meta.k8s.io/v1", rv: 5, start: "../../secrets" })}`, "../../secrets"],
  ])("[API-133] are refused for ?%s", (query, detail) => {
    expect(start().message(`?${query}`)).toEqual([
      400,
      "BadRequest",
      `invalid continue token: continue key is not valid: ${detail}`,
    ]);
  });

  it("do not take a version beside a token", () => {
    const { list, message } = start("a", "b");
    expect(message(`?resourceVersion=5&continue=${list("?limit=1").metadata.continue}`)).toEqual([
      400,
      "BadRequest",
      "specifying resource version is not allowed when using continue",
    ]);
  });
});

describe("versions of lists", () => {
  it("Exact reads the past, NotOlderThan the present", () => {
    const { namesOf, add, server } = start("a");
    const version = server.store.revision;
    add("b");
    expect([
      namesOf(`?resourceVersion=${version}&resourceVersionMatch=Exact`),
      namesOf(`?resourceVersion=${version}&limit=5`),
      namesOf(`?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`),
      namesOf(`?resourceVersion=${version}`),
      namesOf("?resourceVersion=0&resourceVersionMatch=NotOlderThan"),
    ]).toEqual([["a"], ["a"], ["a", "b"], ["a", "b"], ["a", "b"]]);
  });

  it.each<[string, number, string, string]>([
    [
      "resourceVersionMatch=Exact",
      422,
      "Invalid",
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      "resourceVersionMatch=Exact&resourceVersion=0",
      422,
      "Invalid",
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      "resourceVersionMatch=Newest&resourceVersion=1",
      422,
      "Invalid",
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      "resourceVersionMatch=Exact&resourceVersion=1&continue=x",
      422,
      "Invalid",
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    [
      "sendInitialEvents=true",
      422,
      "Invalid",
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    [
      "resourceVersion=abc",
      400,
      "BadRequest",
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      "resourceVersion=99999999999999999999999",
      400,
      "BadRequest",
      'invalid resource version: resourceVersion: Invalid value: "99999999999999999999999": strconv.ParseUint: parsing "99999999999999999999999": value out of range',
    ],
    ["limit=x", 400, "BadRequest", 'strconv.ParseInt: parsing "x": invalid syntax'],
  ])("[API-134] ?%s", (query, code, reason, text) => {
    expect(start().message(`?${query}`)).toEqual([code, reason, text]);
  });

  it("[API-135] of the future time out after three seconds", () => {
    const { server, simulation, get } = start();
    simulation.run({ untilMs: simulation.nowMs });
    const { revision } = server.store;
    const reply = get(`${collection}?resourceVersion=100000`);
    simulation.run({ untilMs: simulation.nowMs + 2900 });
    expect(reply.status).toBe(0);
    simulation.run({ untilMs: simulation.nowMs + 200 });
    expect(json(reply)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `Timeout: Too large resource version: 100000, current: ${revision}`,
      reason: "Timeout",
      details: { causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }], retryAfterSeconds: 1 },
      code: 504,
    });
  });

  it("[API-135] of single objects too; one that comes meanwhile is answered", () => {
    const { get, server, simulation } = start("a");
    simulation.run({ untilMs: simulation.nowMs });
    const versions = ["0", String(server.store.revision), String(server.store.revision + 1), "100000", "abc"];
    const replies = versions.map((version) => get(`${collection}/a?resourceVersion=${version}`));
    simulation.run({ untilMs: simulation.nowMs + 1000 });
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 0, 0, 500]);
    exchange(server, "POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "later" } });
    simulation.run({ untilMs: simulation.nowMs + 3000 });
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 504, 500]);
  });

  it("that were compacted are gone", () => {
    const { server, message } = start("a", "b");
    server.store.compact(server.store.revision);
    expect(message("?resourceVersion=2&resourceVersionMatch=Exact")).toEqual([
      410,
      "Expired",
      "The resourceVersion for the provided list is too old.",
    ]);
  });
});
