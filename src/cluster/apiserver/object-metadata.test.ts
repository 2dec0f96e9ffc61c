import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { exchange, json } from "./http/http-call.test-kit.ts";
import { startServer } from "./test-server.test-kit.ts";

const maps = "/api/v1/namespaces/default/configmaps";

function refusal(metadata: JsonValue): unknown {
  const { server } = startServer();
  const reply = exchange(server, "POST", maps, { metadata: { name: "a", ...(metadata as object) } } as JsonValue);
  return reply.status === 201 ? "accepted" : String(json(reply)["message"]).replace(/^ConfigMap "a" is invalid: /, "");
}

const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const qualified =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** Since 1.36 the lengths of label keys and values are said in bytes. */
describe("labels", () => {
  it.each<[string, string, string]>([
    ["-a", "x", `metadata.labels: Invalid value: "-a": ${namePart}`],
    ["a".repeat(64), "x", `metadata.labels: Invalid value: "${"a".repeat(64)}": name part must be no more than 63 bytes`],
    ["/a", "x", 'metadata.labels: Invalid value: "/a": prefix part must be non-empty'],
    ["Not_DNS/a", "x", `metadata.labels: Invalid value: "Not_DNS/a": prefix part ${subdomain}`],
    ["a/b/c", "x", `metadata.labels: Invalid value: "a/b/c": ${qualified}`],
  ])("[API-089] refuse the key %s", (key, value, message) => {
    expect(refusal({ labels: { [key]: value } })).toBe(message);
  });

  it("[API-090] refuse values that are none", () => {
    expect(refusal({ labels: { a: "b c" } })).toBe(`metadata.labels: Invalid value: "b c": ${labelValue}`);
    const long = "a".repeat(64);
    expect(refusal({ labels: { a: long } })).toBe(`metadata.labels: Invalid value: "${long}": must be no more than 63 bytes`);
  });

  it("[API-091] [API-092] may be empty, and may have the system's prefixes", () => {
    expect(refusal({ labels: { a: "", "kubernetes.io/a": "b", "k8s.io/c": "d" } })).toBe("accepted");
  });
});

describe("annotations", () => {
  it("[API-093] may hold anything below keys that may have capitals in the prefix", () => {
    expect(refusal({ annotations: { "Example.COM/a": "any\u0001thing {}" } })).toBe("accepted");
    expect(refusal({ annotations: { "a b": "x" } })).toBe(`metadata.annotations: Invalid value: "a b": ${namePart}`);
  });

  it("[API-093] may hold 262144 bytes altogether, keys and values, in UTF-8", () => {
    expect(refusal({ annotations: { a: "x".repeat(262_143) } })).toBe("accepted");
    const tooLong = "metadata.annotations: Too long: may not be more than 262144 bytes";
    expect(refusal({ annotations: { a: "x".repeat(262_144) } })).toBe(tooLong);
    expect(refusal({ annotations: { a: "é".repeat(131_072) } })).toBe(tooLong);
  });

  it.each<[JsonValue, string]>([
    [42, "number"],
    [true, "bool"],
    [["a"], "array"],
    [{ a: "b" }, "object"],
  ])("[API-094] are texts, not %j", (value, type) => {
    expect(refusal({ annotations: { a: value } })).toBe(
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal ${type} into Go struct field ObjectMeta.metadata.annotations of type string`,
    );
    expect(refusal({ labels: { a: value } })).toBe(
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal ${type} into Go struct field ObjectMeta.metadata.labels of type string`,
    );
  });
});

describe("finalizers", () => {
  it("[API-097] are qualified names", () => {
    expect(refusal({ finalizers: ["x/a b"] })).toBe(`metadata.finalizers: Invalid value: "x/a b": ${namePart}`);
    expect(refusal({ finalizers: ["example.com/a"] })).toBe("accepted");
    // Of built-in kinds the server demands what it only recommends for custom ones.
    expect(refusal({ finalizers: ["example.com/a", "mine"] })).toBe(
      'metadata.finalizers[1]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    );
    expect(refusal({ finalizers: ["orphan"] })).toBe("accepted");
  });

  it("[API-098] do not both orphan and wait for dependents", () => {
    expect(refusal({ finalizers: ["orphan", "foregroundDeletion"] })).toBe(
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    );
  });
});
