// Conversion webhooks, by a double of one: what is asked, what is shown and stored, and what their failures come to.

import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { NetworkStack } from "#sim/net.ts";
import { exchange, json, type TestReply } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";
import { crds, crontabCrd, type Fields } from "./crontabs.test-kit.ts";

const v1 = "/apis/stable.example.com/v1/namespaces/default/crontabs";
const v2 = "/apis/stable.example.com/v2/namespaces/default/crontabs";
const subject = "conversion webhook for stable.example.com/v1, Kind=CronTab";

type Answer = (request: Fields) => JsonValue | "nobody" | { readonly status: number };

/** v1 has `spec.hostPort`, v2 `spec.host` and `spec.port`. */
function convert({ uid = "", objects, desiredAPIVersion = "" }: Fields): JsonValue {
  const convertedObjects = (objects as readonly Fields[]).map((object) => {
    const spec = object["spec"] as { readonly hostPort?: string; readonly host?: string; readonly port?: string };
    const [host = "", port = ""] = spec.hostPort?.split(":") ?? [];
    const made = desiredAPIVersion === "stable.example.com/v2" ? { host, port } : { hostPort: `${spec.host}:${spec.port}` };
    return { ...object, apiVersion: desiredAPIVersion, spec: made };
  });
  return {
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    response: { uid, convertedObjects, result: { status: "Success" } },
  };
}

function definition(storage: "v1" | "v2" = "v1"): Fields {
  const crd = crontabCrd({});
  const text = { type: "string" };
  const version = (name: string, properties: Fields): Fields => ({
    name,
    served: true,
    storage: name === storage,
    schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
  });
  const conversion = {
    strategy: "Webhook",
    webhook: {
      clientConfig: { service: { namespace: "default", name: "hook", path: "/crdconvert", port: 443 } },
      conversionReviewVersions: ["v1", "v1beta1"],
    },
  };
  const versions = [version("v1", { hostPort: text }), version("v2", { host: text, port: text })];
  return { ...crd, spec: { ...(crd["spec"] as Fields), conversion, versions } };
}

function start(first: Answer = convert) {
  const { server, simulation } = startServer();
  let answer = first;
  const reviews: { readonly request: Fields; readonly review: Fields; readonly target: string }[] = [];
  const request: NetworkStack["request"] = (_endpoint, { body, target }, _options, done) => {
    const review = JSON.parse(decodeUtf8(body)) as Fields;
    reviews.push({ request: review["request"] as Fields, review, target });
    const given = answer(review["request"] as Fields);
    if (given === "nobody") {
      done({ ok: false, error: "ECONNREFUSED" });
      return;
    }
    const isStatus = typeof given === "object" && given !== null && "status" in given;
    const reply = { headers: {}, onData: undefined, onEnd: undefined, abort: () => {}, upgraded: undefined };
    const status = isStatus ? Number(given["status"]) : 200;
    simulation.after(3, () => done({ ok: true, exchange: { ...reply, status, body: encodeUtf8(JSON.stringify(given)) } }));
  };
  server.webhooks.network = { request } as Partial<NetworkStack> as NetworkStack;
  const spec = { clusterIP: "10.96.0.99", ports: [{ port: 443 }] };
  exchange(server, "POST", "/api/v1/namespaces/default/services", { kind: "Service", metadata: { name: "hook" }, spec });
  const ask = (method: string, path: string, body?: JsonValue, headers = {}): TestReply => {
    const sent = exchange(server, method, path, body, headers);
    simulation.runUntil(() => sent.ended, { limitMs: 60_000 });
    return sent;
  };
  const created = ask("POST", crds, definition());
  if (created.status !== 201) throw new Error(created.text);
  simulation.run({ untilMs: simulation.nowMs + 3_000 });
  const object = (version: "v1" | "v2", fields: JsonValue, name = "one"): Fields => ({
    apiVersion: `stable.example.com/${version}`,
    kind: "CronTab",
    metadata: { name },
    spec: fields,
  });
  return {
    server,
    simulation,
    reviews,
    ask,
    object,
    answerWith: (other: Answer) => {
      answer = other;
    },
  };
}

const specOf = (reply: TestReply): JsonValue => json(reply)["spec"] as JsonValue;
const messageOf = (reply: TestReply): readonly unknown[] => [reply.status, json(reply)["message"]];

describe("objects of a kind with a conversion webhook", () => {
  it("are shown in the version that is asked for, and the webhook sees them whole", () => {
    const { ask, object, reviews } = start();
    const made = ask("POST", v1, object("v1", { hostPort: "db:5432" }));
    expect([made.status, specOf(made), reviews.length]).toEqual([201, { hostPort: "db:5432" }, 0]);
    expect(specOf(ask("GET", `${v2}/one`))).toEqual({ host: "db", port: "5432" });
    const [{ review, target }] = reviews as [(typeof reviews)[number]];
    expect(target).toBe("/crdconvert?timeout=30s");
    expect(review).toEqual({
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      request: {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        desiredAPIVersion: "stable.example.com/v2",
        objects: [json(made)],
      },
      response: { uid: "", convertedObjects: null, result: { metadata: {} } },
    });
    const { metadata } = json(ask("GET", `${v2}/one`));
    expect(metadata).toEqual(json(made)["metadata"]);
  });

  it("are stored in the storage version, whatever they come in", () => {
    const { ask, object, server } = start();
    const made = ask("POST", v2, object("v2", { host: "db", port: "1" }));
    expect([made.status, specOf(made)]).toEqual([201, { host: "db", port: "1" }]);
    const stored = () => server.store.table("crontabs.stable.example.com").get("default/one");
    expect(stored()).toMatchObject({ apiVersion: "stable.example.com/v1", spec: { hostPort: "db:1" } });
    const merge = { "content-type": "application/merge-patch+json" };
    expect(specOf(ask("PATCH", `${v2}/one`, { spec: { port: "2" } }, merge))).toEqual({ host: "db", port: "2" });
    expect(stored()).toMatchObject({ spec: { hostPort: "db:2" }, metadata: { generation: 2 } });
    const current = json(ask("GET", `${v2}/one`)) as Fields;
    expect(specOf(ask("PUT", `${v2}/one`, { ...current, spec: { host: "other", port: "3" } }))).toEqual({
      host: "other",
      port: "3",
    });
    expect(specOf(ask("GET", `${v1}/one`))).toEqual({ hostPort: "other:3" });
    expect(ask("DELETE", `${v2}/one`).status).toBe(200);
    expect(stored()).toBeUndefined();
  });

  it("are listed and watched in one version, however they are stored", () => {
    const { ask, object, server, simulation } = start();
    ask("POST", v1, object("v1", { hostPort: "a:1" }, "a"));
    const changed = json(ask("GET", `${crds}/crontabs.stable.example.com`)) as Fields;
    const spec = { ...(changed["spec"] as Fields), versions: (definition("v2")["spec"] as Fields)["versions"] as JsonValue };
    expect(ask("PUT", `${crds}/crontabs.stable.example.com`, { ...changed, spec }).status).toBe(200);
    simulation.run({ untilMs: simulation.nowMs + 3_000 });
    ask("POST", v1, object("v1", { hostPort: "b:2" }, "b"));
    const apiVersions = server.store
      .table("crontabs.stable.example.com")
      .list("default")
      .map(({ apiVersion }) => apiVersion);
    expect(apiVersions).toEqual(["stable.example.com/v1", "stable.example.com/v2"]);
    const specs = (path: string) => (json(ask("GET", path))["items"] as readonly Fields[]).map((item) => item["spec"]);
    expect(specs(v2)).toEqual([
      { host: "a", port: "1" },
      { host: "b", port: "2" },
    ]);
    expect(specs(v1)).toEqual([{ hostPort: "a:1" }, { hostPort: "b:2" }]);
    const watch = exchange(server, "GET", `${v1}?watch=true`);
    simulation.run({ untilMs: simulation.nowMs + 100 });
    ask("POST", v2, object("v2", { host: "c", port: "3" }, "c"));
    ask("DELETE", `${v2}/a`);
    simulation.run({ untilMs: simulation.nowMs + 100 });
    const events = watch.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly type: string; readonly object: Fields });
    expect(events.map(({ type, object: seen }) => [type, seen["apiVersion"], seen["spec"]])).toEqual([
      ["ADDED", "stable.example.com/v1", { hostPort: "a:1" }],
      ["ADDED", "stable.example.com/v1", { hostPort: "b:2" }],
      ["ADDED", "stable.example.com/v1", { hostPort: "c:3" }],
      ["DELETED", "stable.example.com/v1", { hostPort: "a:1" }],
    ]);
  });

  it("keep all of their metadata but labels and annotations", () => {
    const change: Answer = (request) => {
      const review = convert(request) as { response: { convertedObjects: Fields[] } };
      const objects = review.response.convertedObjects.map((one) => ({
        ...one,
        metadata: { name: "one", namespace: "default", labels: { made: "by-hook" }, finalizers: ["a.example.com/b"] },
      }));
      return { ...review, response: { ...review.response, convertedObjects: objects } } as JsonValue;
    };
    const { ask, object } = start(change);
    const made = json(ask("POST", v1, object("v1", { hostPort: "db:1" })));
    expect(json(ask("GET", `${v2}/one`))["metadata"]).toEqual({ ...(made["metadata"] as Fields), labels: { made: "by-hook" } });
  });

  const response = (fields: Fields): JsonValue => ({
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    response: fields,
  });
  it.each<[string, Answer, string]>([
    [
      "nobody answers",
      () => "nobody",
      `${subject} failed: Post "https://hook.default.svc:443/crdconvert?timeout=30s": dial tcp 10.96.0.99:443: connect: connection refused`,
    ],
    [
      "it fails",
      () => ({ status: 500 }),
      `${subject} failed: an error on the server ("{\\"status\\":500}") has prevented the request from succeeding`,
    ],
    [
      "there is no response",
      () => ({ kind: "ConversionReview", apiVersion: "apiextensions.k8s.io/v1" }),
      `${subject} failed: no response provided`,
    ],
    [
      "it says why it does not",
      ({ uid = "" }) => response({ uid, convertedObjects: [], result: { status: "Failed", message: "no such port" } }),
      `${subject} failed: no such port`,
    ],
    [
      "it says nothing",
      ({ uid = "" }) => response({ uid, convertedObjects: [], result: {} }),
      `${subject} failed: response.result.status was '', not 'Success'`,
    ],
    [
      "objects are missing",
      ({ uid = "" }) => response({ uid, convertedObjects: [], result: { status: "Success" } }),
      `${subject} returned 0 objects, expected 1`,
    ],
    [
      "the version is another",
      ({ uid = "", objects = [] }) => response({ uid, convertedObjects: objects, result: { status: "Success" } }),
      `${subject} returned invalid object at index 0: invalid groupVersion (expected stable.example.com/v2, received stable.example.com/v1)`,
    ],
    [
      "the name is another",
      (request) => JSON.parse(JSON.stringify(convert(request)).replaceAll(/"name":"(one|three)"/g, '"name":"two"')) as JsonValue,
      `${subject} returned invalid object: must have the same name: one != two`,
    ],
    [
      "the answer is to another question",
      (request) => JSON.parse(JSON.stringify(convert({ ...request, uid: "x" }))) as JsonValue,
      "expected response.uid",
    ],
  ])("cannot be read when %s", (_title, answer, message) => {
    const { ask, object, answerWith } = start();
    ask("POST", v1, object("v1", { hostPort: "db:1" }));
    answerWith(answer);
    const [code, said] = messageOf(ask("GET", `${v2}/one`));
    expect([code, String(said)]).toEqual([500, expect.stringContaining(message)]);
    if (!message.startsWith("expected")) expect(said).toBe(message);
    // Nothing is written that could not be shown, and what needs no conversion goes on.
    expect(ask("POST", v2, object("v2", { host: "a", port: "1" }, "three")).status).toBe(500);
    expect(ask("GET", `${v1}/three`).status).toBe(404);
    expect(specOf(ask("GET", `${v1}/one`))).toEqual({ hostPort: "db:1" });
  });
});
