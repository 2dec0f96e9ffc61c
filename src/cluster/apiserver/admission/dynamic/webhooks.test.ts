import { describe, expect, it } from "vitest";
import { configMaps } from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import { audit } from "../../audit/audited-server.test-kit.ts";
import { crds, crontabCrd, plainSpec } from "../../custom-resources/crontabs.test-kit.ts";
import { exchange, json, type TestReply } from "../../http/http-call.test-kit.ts";
import type { ApiServer } from "../../server.ts";
import { refusalOf, startServer } from "../../test-server.test-kit.ts";
import { configMapRule, createConfigMap, dear, type Fields, messageOf, nested, outOfBudget } from "./policies.test-kit.ts";

/** A webhook's reply: the response but for its uid, or a status with a text. */
type Reply = Fields | { readonly status: number; readonly text: string };

interface World {
  readonly server: ApiServer;
  readonly simulation: Simulation;
  /** The reviews that were asked for. */
  readonly reviews: Fields[];
  /** A create that has been answered. */
  create(fields?: Fields, name?: string): TestReply;
}

function startWebhook(kind: "Validating" | "Mutating", reply: Reply | "nobody" | "silence", webhook: Fields = {}): World {
  const { server, simulation } = startServer();
  const reviews: Fields[] = [];
  const request: NetworkStack["request"] = (target, { body }, _options, done) => {
    const review = JSON.parse(decodeUtf8(body)) as { readonly request: Fields };
    reviews.push({ ...review.request, address: `${target.address}:${target.port}` });
    if (reply === "silence") return;
    if (reply === "nobody") {
      done({ ok: false, error: "ECONNREFUSED" });
      return;
    }
    const isText = typeof reply["text"] === "string";
    const response = { uid: review.request["uid"] ?? "", ...reply } as JsonValue;
    const text = isText
      ? String(reply["text"])
      : JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
    simulation.after(3, () =>
      done({
        ok: true,
        exchange: {
          status: isText ? Number(reply["status"]) : 200,
          headers: {},
          body: encodeUtf8(text),
          onData: undefined,
          onEnd: undefined,
          abort: () => {},
          upgraded: undefined,
        },
      }),
    );
  };
  server.webhooks.network = { request } as Partial<NetworkStack> as NetworkStack;
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "hook" },
    spec: { clusterIP: "10.96.0.99", ports: [{ port: 443 }] },
  };
  if (exchange(server, "POST", "/api/v1/namespaces/default/services", service).status !== 201) throw new Error("no service");
  const hook = {
    name: "check.example.com",
    clientConfig: { service: { namespace: "default", name: "hook", path: "/check" } },
    rules: [configMapRule],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...webhook,
  };
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: "checks" },
    webhooks: [hook],
  };
  const root = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
  const created = exchange(server, "POST", root, configuration);
  if (created.status !== 201) throw new Error(created.text);
  return {
    server,
    simulation,
    reviews,
    create(fields, name) {
      const sent = createConfigMap(server, fields, name);
      simulation.runUntil(() => sent.ended, { limitMs: 60_000 });
      return sent;
    },
  };
}

const failed = (cause: string) => `Internal error occurred: failed calling webhook "check.example.com": ${cause}`;
const post = (cause: string) => failed(`failed to call webhook: Post "https://hook.default.svc:443/check?timeout=10s": ${cause}`);

describe("admission webhooks", () => {
  it("are asked with an AdmissionReview over the network, and the request waits", () => {
    const { create, reviews } = startWebhook("Validating", { allowed: true, warnings: ["mind the gap"] });
    const reply = create({ data: { a: "b" } });
    expect(reply.status).toBe(201);
    expect(reply.headers["warning"]).toBe('299 - "mind the gap"');
    expect(reviews).toEqual([
      expect.objectContaining({
        address: "10.96.0.99:443",
        kind: { group: "", version: "v1", kind: "ConfigMap" },
        resource: { group: "", version: "v1", resource: "configmaps" },
        name: "settings",
        namespace: "default",
        operation: "CREATE",
        userInfo: {
          username: "kubernetes-admin",
          groups: ["system:masters", "system:authenticated"],
          extra: { "authentication.kubernetes.io/credential-id": [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
        },
        object: expect.objectContaining({ kind: "ConfigMap", data: { a: "b" } }),
        oldObject: null,
        dryRun: false,
      }),
    ]);
  });

  it.each<[string, Reply | "nobody" | "silence", Fields, string]>([
    ["refuses", { allowed: false, status: { message: "no" } }, {}, 'admission webhook "check.example.com" denied the request: no'],
    [
      "refuses without a word",
      { allowed: false },
      {},
      'admission webhook "check.example.com" denied the request without explanation',
    ],
    ["is not there", "nobody", {}, post("dial tcp 10.96.0.99:443: connect: connection refused")],
    ["says nothing", "silence", {}, post("context deadline exceeded")],
    [
      "is broken",
      { status: 500, text: "oh" },
      {},
      failed('failed to call webhook: an error on the server ("oh") has prevented the request from succeeding'),
    ],
    ["answers another question", { uid: "x", allowed: true }, {}, "expected response.uid="],
    [
      "has no Service",
      { allowed: true },
      { clientConfig: { service: { namespace: "default", name: "none" } } },
      failed('failed to call webhook: Post "https://none.default.svc:443/?timeout=10s": service "none" not found'),
    ],
    [
      "is at another port",
      { allowed: true },
      { clientConfig: { service: { namespace: "default", name: "hook", port: 8443 } } },
      failed(
        'failed to call webhook: Post "https://hook.default.svc:8443/?timeout=10s": no service port 8443 found for service "hook"',
      ),
    ],
    ["fails where that is ignored", "nobody", { failurePolicy: "Ignore" }, ""],
    ["is for others", "nobody", { matchConditions: [{ name: "x", expression: "object.metadata.name == 'x'" }] }, ""],
  ])("that %s", (_name, answer, webhook, message) => {
    for (const kind of ["Validating", "Mutating"] as const) {
      expect(messageOf(startWebhook(kind, answer, webhook).create())).toContain(message);
    }
  });

  it.each<[string, readonly string[], string]>([
    [
      "one costs too much",
      [nested(10)],
      `expression '${nested(10)}' resulted in error: operation cancelled: actual cost limit exceeded`,
    ],
    ["they cost too much together", dear.slice(0, 5), outOfBudget],
    ["they cost too much together before one that is false", [...dear.slice(0, 5), "false"], outOfBudget],
  ])("are not asked where of their conditions %s", (_title, expressions, message) => {
    const matchConditions = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
    for (const kind of ["Validating", "Mutating"] as const) {
      const { create, reviews } = startWebhook(kind, { allowed: true }, { matchConditions });
      const reply = create();
      const code = { code: 403, reason: "Forbidden" };
      expect(json(reply)).toMatchObject({ ...code, message: `configmaps "settings" is forbidden: ${message}` });
      const lenient = startWebhook(kind, { allowed: true }, { matchConditions, failurePolicy: "Ignore" });
      expect(lenient.create().status).toBe(201);
      expect([...reviews, ...lenient.reviews]).toEqual([]);
    }
  });

  it("are asked where conditions cost less than they may, and one that is false outweighs one that costs too much", () => {
    const conditions = (expressions: readonly string[]) => ({
      matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
    });
    const passed = startWebhook("Validating", { allowed: true }, conditions(dear.slice(0, 4)));
    expect(passed.create().status).toBe(201);
    expect(passed.reviews).toHaveLength(1);
    const other = startWebhook("Validating", { allowed: true }, conditions([nested(10), "false"]));
    expect(other.create().status).toBe(201);
    expect(other.reviews).toEqual([]);
  });

  it("change what is asked for by a JSON patch", () => {
    const patch = btoa(JSON.stringify([{ op: "add", path: "/data", value: { a: "patched" } }]));
    const { create } = startWebhook("Mutating", { allowed: true, patchType: "JSONPatch", patch });
    expect(json(create())).toMatchObject({ data: { a: "patched" } });
    const { create: createOther } = startWebhook("Validating", { allowed: true, patchType: "JSONPatch", patch });
    expect(messageOf(createOther())).toBe(
      failed("received invalid webhook response: validating webhook may not return response.patch"),
    );
  });

  it("refuse with their own code and reason", () => {
    const status = { code: 409, reason: "Conflict", message: "taken" };
    expect(json(startWebhook("Validating", { allowed: false, status }).create())).toMatchObject({ code: 409, reason: "Conflict" });
  });

  it("do not see reads, and see deletions [API-048]", () => {
    const { create, server, reviews, simulation } = startWebhook(
      "Mutating",
      { allowed: true },
      { rules: [{ ...configMapRule, operations: ["*"] }] },
    );
    create();
    const path = "/api/v1/namespaces/default/configmaps";
    exchange(server, "GET", path);
    exchange(server, "GET", `${path}/settings`);
    expect(reviews.length).toBe(1);
    const deleted = exchange(server, "DELETE", `${path}/settings`);
    simulation.runUntil(() => deleted.ended, { limitMs: 60_000 });
    expect(deleted.status).toBe(200);
    expect(reviews.map(({ operation, object }) => [operation, object === null])).toEqual([
      ["CREATE", false],
      ["DELETE", true],
    ]);
  });

  it("answer callers in process at their next attempt", () => {
    const { server, simulation, reviews } = startWebhook("Validating", { allowed: true });
    const client = server.clientFor({ name: "admin", groups: ["system:masters"] }, "test");
    const create = () => client.create(configMaps, { metadata: { name: "settings", namespace: "default" } });
    expect(refusalOf(create)).toBe(failed("it has not answered yet"));
    simulation.run({ untilMs: simulation.nowMs + 100 });
    expect(create().metadata.name).toBe("settings");
    expect(reviews.length).toBe(1);
  });

  it("hold up nothing that the API server does for itself", () => {
    const everything = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] };
    const { server, simulation } = startWebhook("Validating", { allowed: true }, { rules: [everything] });
    const sent = exchange(server, "POST", crds, crontabCrd(plainSpec));
    simulation.run({ untilMs: simulation.nowMs + 10_000 });
    expect(sent.status).toBe(201);
    expect(exchange(server, "GET", "/apis/stable.example.com/v1/crontabs").status).toBe(200);
    const registered = exchange(server, "GET", "/apis/apiregistration.k8s.io/v1/apiservices/v1.stable.example.com");
    expect(json(registered)["status"]).toMatchObject({ conditions: [{ type: "Available", status: "True" }] });
  });

  it.each<[string, Fields, string]>([
    [
      "an unqualified name",
      { name: "check" },
      'webhooks[0].name: Invalid value: "check": should be a domain with at least three segments separated by dots',
    ],
    [
      "side effects",
      { sideEffects: "Some" },
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [
      "a long time-out",
      { timeoutSeconds: 31 },
      "webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
    ],
    ["no address", { clientConfig: {} }, "webhooks[0].clientConfig: Required value: exactly one of url or service is required"],
    [
      "no versions",
      { admissionReviewVersions: ["v2"] },
      'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
    ],
  ])("cannot be configured with %s", (_name, webhook, message) => {
    expect(() => startWebhook("Validating", { allowed: true }, webhook)).toThrow(
      JSON.stringify(`ValidatingWebhookConfiguration.admissionregistration.k8s.io "checks" is invalid: ${message}`),
    );
  });
});

describe("what audit events tell of webhooks", () => {
  const patch = [{ op: "add", path: "/data", value: { a: "<b>" } }];
  const changes = { allowed: true, patchType: "JSONPatch", patch: btoa(JSON.stringify(patch)) };
  const names = '"configuration":"checks","webhook":"check.example.com"';
  const mutation = "mutation.webhook.admission.k8s.io/round_0_index_0";

  it.each<[string, "Validating" | "Mutating", Reply | "nobody", string, Fields]>([
    ["a change", "Mutating", changes, "Metadata", { [mutation]: `{${names},"mutated":true}` }],
    [
      "a change and its patch",
      "Mutating",
      changes,
      "Request",
      {
        [mutation]: `{${names},"mutated":true}`,
        "patch.webhook.admission.k8s.io/round_0_index_0": `{${names},"patch":[{"op":"add","path":"/data","value":{"a":"\\u003cb\\u003e"}}],"patchType":"JSONPatch"}`,
      },
    ],
    [
      "no change, and the webhook's own words",
      "Mutating",
      { allowed: true, auditAnnotations: { why: "it was fine" } },
      "Request",
      { "check.example.com/why": "it was fine", [mutation]: `{${names},"mutated":false}` },
    ],
    [
      "a refusal",
      "Mutating",
      { allowed: false, status: { message: "no" } },
      "Request",
      { [mutation]: `{${names},"mutated":false}` },
    ],
    [
      "a webhook that is not there",
      "Mutating",
      "nobody",
      "Metadata",
      {
        "failed-open.mutation.webhook.admission.k8s.io/round_0_index_0": "check.example.com",
        [mutation]: `{${names},"mutated":false}`,
      },
    ],
    [
      "a validating webhook that is not there",
      "Validating",
      "nobody",
      "Metadata",
      { "failed-open.validating.webhook.admission.k8s.io/round_0_index_0": "check.example.com" },
    ],
    [
      "a refusal's own words",
      "Validating",
      { allowed: false, auditAnnotations: { why: "not today" } },
      "Metadata",
      { "check.example.com/why": "not today" },
    ],
  ])("%s", (_title, kind, reply, level, annotations) => {
    const world = startWebhook(kind, reply, { failurePolicy: "Ignore" });
    const { events } = audit(world, `rules:\n- level: ${level}\n  users: [kubernetes-admin]\n  omitStages: [RequestReceived]`);
    world.create();
    const decision = { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" };
    expect(events().map((event) => event["annotations"])).toEqual([{ ...decision, ...annotations }]);
  });
});

describe("admission webhooks for connections", () => {
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CONNECT"], resources: ["pods/exec", "pods/attach"] }];

  it("are shown the options of the connection, and can refuse it", () => {
    const denied = { allowed: false, status: { message: "attaching to pod 'web' is not allowed" } };
    const { server, simulation, reviews } = startWebhook("Validating", denied, { rules });
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers: [{ name: "c", image: "x" }] } };
    exchange(server, "POST", "/api/v1/namespaces/default/pods", pod);
    const sent = exchange(server, "POST", "/api/v1/namespaces/default/pods/web/attach?stdin=true&stdout=true&container=c");
    simulation.runUntil(() => sent.ended, { limitMs: 60_000 });
    expect([sent.status, json(sent)["message"]]).toEqual([
      400,
      `admission webhook "check.example.com" denied the request: attaching to pod 'web' is not allowed`,
    ]);
    const { uid: _uid, address: _address, userInfo: _userInfo, ...review } = reviews[0] as Fields;
    expect(review).toEqual({
      kind: { group: "", version: "v1", kind: "PodAttachOptions" },
      resource: { group: "", version: "v1", resource: "pods" },
      subResource: "attach",
      requestKind: { group: "", version: "v1", kind: "PodAttachOptions" },
      requestResource: { group: "", version: "v1", resource: "pods" },
      requestSubResource: "attach",
      name: "web",
      namespace: "default",
      operation: "CONNECT",
      object: { kind: "PodAttachOptions", apiVersion: "v1", stdin: true, stdout: true, container: "c" },
      oldObject: null,
      dryRun: false,
      options: null,
    });
  });

  it("do not meet them by labels", () => {
    const objectSelector = { matchExpressions: [{ key: "a", operator: "DoesNotExist" }] };
    const { server, reviews } = startWebhook("Validating", { allowed: false }, { rules, objectSelector });
    exchange(server, "POST", "/api/v1/namespaces/default/pods/web/exec?command=ls");
    expect(reviews).toEqual([]);
  });
});
