import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json, type TestReply } from "../http/http-call.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";

const path = "/apis/apps/v1/namespaces/default/deployments/web";
const types = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
} as const;

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
}

function start(spec: object = {}) {
  const { server } = startServer();
  const template = {
    metadata: { labels: { app: "x" } },
    spec: {
      containers: [
        { name: "a", image: "a:1", ports: [{ containerPort: 80 }, { containerPort: 81 }] },
        { name: "b", image: "b:1" },
      ],
    },
  };
  const body = {
    metadata: { name: "web", finalizers: ["x/a", "x/b"] },
    spec: { selector: { matchLabels: { app: "x" } }, template, ...spec },
  };
  exchange(server, "POST", "/apis/apps/v1/namespaces/default/deployments", body as JsonValue);
  const patch = (type: keyof typeof types, change: JsonValue | string, query = ""): TestReply =>
    exchange(server, "PATCH", `${path}${query}`, change, { "content-type": types[type] });
  const said = (reply: TestReply) => [reply.status, json(reply)["reason"], json(reply)["message"]];
  const containers = (reply: TestReply) =>
    (JSON.parse(reply.text) as { spec: { template: { spec: { containers: readonly Container[] } } } }).spec.template.spec
      .containers;
  return { server, patch, said, containers };
}

function inPod(spec: JsonValue): JsonValue {
  return { spec: { template: { spec } } };
}

describe("strategic merge patches", () => {
  const images = (list: readonly Container[]) => list.map(({ name, image }) => `${name}=${image}`);

  it("[API-035] merge lists by their keys", () => {
    const { patch, containers } = start();
    const reply = patch(
      "strategic",
      inPod({
        containers: [
          { name: "b", image: "b:2" },
          { name: "c", image: "c:1" },
        ],
      }),
    );
    expect([reply.status, images(containers(reply))]).toEqual([200, ["a=a:1", "b=b:2", "c=c:1"]]);
  });

  it("$patch deletes an item, or takes the place of a list", () => {
    const { patch, containers } = start();
    expect(images(containers(patch("strategic", inPod({ containers: [{ name: "a", $patch: "delete" }] }))))).toEqual(["b=b:1"]);
    const replaced = inPod({ containers: [{ $patch: "replace" }, { name: "z", image: "z:1" }] });
    expect(images(containers(patch("strategic", replaced)))).toEqual(["z=z:1"]);
  });

  it("$setElementOrder orders", () => {
    const { patch, containers } = start();
    const ordered = inPod({
      "$setElementOrder/containers": [{ name: "b" }, { name: "a" }],
      containers: [{ name: "a", image: "a:2" }],
    });
    expect(images(containers(patch("strategic", ordered)))).toEqual(["b=b:1", "a=a:2"]);
  });

  it("$deleteFromPrimitiveList takes out scalars", () => {
    const { patch } = start();
    const reply = patch("strategic", { metadata: { "$deleteFromPrimitiveList/finalizers": ["x/a"] } });
    expect((json(reply)["metadata"] as { finalizers: JsonValue }).finalizers).toEqual(["x/b"]);
  });

  it("$retainKeys keeps only what it names", () => {
    const { patch } = start();
    const reply = patch("strategic", { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } });
    expect([reply.status, (json(reply)["spec"] as { strategy: JsonValue }).strategy]).toEqual([200, { type: "Recreate" }]);
  });

  it.each<[string, JsonValue | string, readonly unknown[]]>([
    ["an unknown directive", { spec: { $patch: "x" } }, [500, undefined, "unknown patch type: x in map: map[$patch:x]"]],
    [
      "an item without its key",
      inPod({ containers: [{ image: "x" }] }),
      [500, undefined, "map: map[image:x] does not contain declared merge key: name"],
    ],
    [
      "keys that are not to be retained",
      { spec: { strategy: { $retainKeys: ["type"], rollingUpdate: {} } } },
      [400, "BadRequest", "invalid patch format of retainKeys"],
    ],
    [
      "a number as text",
      { spec: { replicas: "3" } },
      [422, "Invalid", ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:3]]": unrecognized type: int32'],
    ],
    [
      "a list as text",
      { metadata: { labels: "x" } },
      [422, "Invalid", ' "" is invalid: patch: Invalid value: "map[metadata:map[labels:x]]": cannot restore map from string'],
    ],
    ["no object", ["x"], [400, "BadRequest", "json: cannot unmarshal array into Go value of type map[string]interface {}"]],
  ])("%s is refused", (_title, change, expected) => {
    const { patch, said } = start();
    expect(said(patch("strategic", change))).toEqual(expected);
  });
});

describe("patches that make another kind of an object", () => {
  it.each<["merge" | "json", JsonValue, string]>([
    ["merge", { kind: "Nope" }, 'no kind "Nope" is registered for version "apps/v1" in scheme "pkg/runtime/scheme.go:111"'],
    ["merge", { apiVersion: "v2" }, 'no kind "Deployment" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"'],
    ["merge", { kind: "StatefulSet" }, "converting (v1.StatefulSet) to (apps.Deployment): unknown conversion"],
    [
      "merge",
      { kind: 7 },
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
    [
      "json",
      [{ op: "replace", path: "/kind", value: "StatefulSet" }],
      "converting (v1.StatefulSet) to (apps.Deployment): unknown conversion",
    ],
  ])("%s %j is refused", (type, change, fault) => {
    const { patch, said } = start();
    const [code, reason, message] = said(patch(type, change));
    expect([code, reason]).toEqual([422, "Invalid"]);
    expect(String(message).endsWith(`: ${fault}`), String(message)).toBe(true);
  });
});

describe("merge patches", () => {
  it("[API-035] replace lists and drop what is null", () => {
    const { patch, containers } = start();
    const reply = patch("merge", {
      metadata: { finalizers: null },
      ...(inPod({ containers: [{ name: "z", image: "z:1" }] }) as object),
    });
    expect([(json(reply)["metadata"] as { finalizers?: JsonValue }).finalizers, containers(reply).map(({ name }) => name)]).toEqual(
      [undefined, ["z"]],
    );
  });
});

describe("patches that are no objects", () => {
  it("are refused", () => {
    const { patch, said } = start();
    expect(said(patch("merge", ["x"]))).toEqual([
      400,
      "BadRequest",
      "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
    ]);
  });
});

describe("JSON patches", () => {
  it("[API-035] apply their operations in order", () => {
    const { patch, containers } = start();
    const operations = [
      { op: "test", path: "/spec/replicas", value: 1 },
      { op: "replace", path: "/spec/template/spec/containers/1/image", value: "b:2" },
      { op: "remove", path: "/spec/template/spec/containers/0" },
    ];
    expect(containers(patch("json", operations)).map(({ image }) => image)).toEqual(["b:2"]);
  });

  it.each<[string, JsonValue | string, readonly unknown[]]>([
    [
      "a test that fails",
      [{ op: "test", path: "/spec/replicas", value: 5 }],
      [422, "Invalid", "the server rejected our request due to an error in our request"],
    ],
    [
      "a path that is not there",
      [{ op: "remove", path: "/spec/nothing" }],
      [422, "Invalid", "the server rejected our request due to an error in our request"],
    ],
    [
      "no list",
      { a: 1 },
      [400, "BadRequest", "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
    ],
    [
      "no operation",
      ["x"],
      [400, "BadRequest", "error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp"],
    ],
    [
      "too many operations",
      Array.from({ length: 10_001 }, () => ({ op: "test", path: "/spec/replicas", value: 1 })),
      [
        413,
        "RequestEntityTooLarge",
        "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
      ],
    ],
  ])("%s", (_title, operations, expected) => {
    const { patch, said } = start();
    expect(said(patch("json", operations))).toEqual(expected);
  });
});

describe("patches of all kinds", () => {
  it.each<[string, keyof typeof types, JsonValue]>([
    ["strategic", "strategic", { spec: { replica: 2 } }],
    ["merge", "merge", { spec: { replica: 2 } }],
    ["json", "json", [{ op: "add", path: "/spec/replica", value: 2 }]],
  ])("[API-107] [API-108] unknown fields in a %s patch are warned of, refused or ignored", (_title, type, change) => {
    const { patch } = start();
    expect(patch(type, change).headers["warning"]).toBe('299 - "unknown field \\"spec.replica\\""');
    expect(patch(type, change, "?fieldValidation=Ignore").headers["warning"]).toBeUndefined();
    const strict = patch(type, change, "?fieldValidation=Strict");
    expect([strict.status, json(strict)["message"]]).toEqual([
      422,
      expect.stringMatching(/^ "" is invalid: patch: Invalid value: .*: strict decoding error: unknown field "spec\.replica"$/s),
    ]);
  });

  it.each<[keyof typeof types, string, string]>([
    ["strategic", '{"spec":{"replicas":2,"replicas":3}}', 'duplicate field "spec.replicas"'],
    ["merge", '{"spec":{"replicas":2,"replicas":3}}', 'duplicate field "spec.replicas"'],
    ["json", '[{"op":"replace","op":"replace","path":"/spec/replicas","value":3}]', 'json patch duplicate field "[0].op"'],
    ["json", '[{"op":"replace","path":"/spec/replicas","value":3,"foo":{"a":1,"a":2}}]', 'json patch unknown field "[0].foo"'],
  ])("[API-110] repeated fields in a %s patch are noticed", (type, text, fault) => {
    const { patch } = start();
    const reply = patch(type, text);
    expect([reply.status, reply.headers["warning"]]).toEqual([200, `299 - ${JSON.stringify(fault)}`]);
    const strict = patch(type, text, "?fieldValidation=Strict");
    expect([strict.status, String(json(strict)["message"]).endsWith(`strict decoding error: ${fault}`)]).toEqual([422, true]);
  });

  it("may not be forced", () => {
    const { patch, said } = start();
    expect(said(patch("merge", {}, "?force=true"))).toEqual([
      422,
      "Invalid",
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ]);
  });

  it("[API-024] cannot rename", () => {
    const { patch, said } = start();
    expect(said(patch("merge", { metadata: { name: "other" } }))).toEqual([
      400,
      "BadRequest",
      "the name of the object (other) does not match the name on the URL (web)",
    ]);
  });

  it("say which manager's name cannot be", () => {
    const { patch, said } = start();
    expect(said(patch("merge", {}, "?fieldManager=a%0Ab"))).toEqual([
      422,
      "Invalid",
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
    ]);
  });
});
