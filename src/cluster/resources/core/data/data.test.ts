import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { created, createFaults, createWarnings, rowOf, updateFaults } from "../../strategy.test-kit.ts";
import { base64OfText } from "./base64.ts";
import { configMaps } from "./configmaps.ts";
import { secrets } from "./secrets.ts";

type Fields = { readonly [field: string]: JsonValue };

const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const immutable = "Forbidden: field is immutable when `immutable` is set";

describe("ConfigMaps", () => {
  it.each([
    [{ "bad key": "" }, [`data[bad key]: Invalid value: "bad key": ${keyRule}`]],
    [{ ".": "" }, [`data[.]: Invalid value: ".": must not be '.'`]],
    [{ "..": "" }, [`data[..]: Invalid value: "..": must not be '..'`]],
    [{ "..a": "" }, [`data[..a]: Invalid value: "..a": must not start with '..'`]],
    [
      { ["a".repeat(254)]: "" },
      [`data[${"a".repeat(254)}]: Invalid value: "${"a".repeat(254)}": must be no more than 253 characters`],
    ],
  ])("[NET-372] have keys that can be files", (data, expected) => {
    expect(createFaults(configMaps, { data: data as Fields })).toEqual(expected);
  });

  it("[NET-373] have a key once", () => {
    expect(createFaults(configMaps, { data: { k: "a" }, binaryData: { k: "YQ==" } })).toEqual([
      'data[k]: Invalid value: "k": duplicate of key present in binaryData',
    ]);
  });

  it("[NET-374] have at most a mebibyte, counted in bytes", () => {
    const limit = 1_048_576;
    expect(createFaults(configMaps, { data: { k: "a".repeat(limit) } })).toEqual([]);
    const tooLong = ["[]: Too long: may not be more than 1048576 bytes"];
    expect(createFaults(configMaps, { data: { k: "a".repeat(limit - 1), l: "é" } })).toEqual(tooLong);
    expect(createFaults(configMaps, { data: { k: "a".repeat(limit) }, binaryData: { b: "YQ==" } })).toEqual(tooLong);
  });

  it("[NET-376] keep their promise", () => {
    const promised = { data: { k: "a" }, binaryData: { b: "YQ==" }, immutable: true };
    expect(updateFaults(configMaps, promised, { ...promised, metadata: { labels: { a: "b" } } })).toEqual([]);
    expect(updateFaults(configMaps, promised, { data: { k: "b" } })).toEqual([
      `immutable: ${immutable}`,
      `data: ${immutable}`,
      `binaryData: ${immutable}`,
    ]);
  });

  it("[NET-445] show how many keys they have", () => {
    expect(rowOf(configMaps, { data: { a: "", b: "" }, binaryData: { c: "" } })).toEqual({ Name: "web", Data: 3, Age: "10m" });
  });
});

const secret = (type: string, data: { readonly [key: string]: string } = {}): Fields => ({
  type,
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64OfText(text)])),
});
const docker = "data[.dockerconfigjson]";
const account = "kubernetes.io/service-account-token";

const secretCases: readonly (readonly [string, Fields, readonly string[]])[] = [
  ["[NET-380] no type", { data: {} }, []],
  ["[NET-381] [POD-066] no configuration", secret("kubernetes.io/dockerconfigjson"), [`${docker}: Required value`]],
  ["[NET-381] an empty configuration", secret("kubernetes.io/dockerconfigjson", { ".dockerconfigjson": "{}" }), []],
  [
    "[NET-381] [POD-066] a configuration that breaks off",
    secret("kubernetes.io/dockerconfigjson", { ".dockerconfigjson": "{" }),
    [`${docker}: Invalid value: "<secret contents redacted>": unexpected end of JSON input`],
  ],
  [
    "[NET-381] a configuration that is a list",
    secret("kubernetes.io/dockerconfigjson", { ".dockerconfigjson": "[]" }),
    [
      `${docker}: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}`,
    ],
  ],
  ["[NET-381] [POD-066] no old configuration", secret("kubernetes.io/dockercfg"), ["data[.dockercfg]: Required value"]],
  ["[NET-382] nobody", secret("kubernetes.io/basic-auth"), ["data[username]: Required value", "data[password]: Required value"]],
  ["[NET-382] a name alone", secret("kubernetes.io/basic-auth", { username: "" }), []],
  ["[NET-383] no key", secret("kubernetes.io/ssh-auth"), ["data[ssh-privatekey]: Required value"]],
  ["[NET-383] an empty key", secret("kubernetes.io/ssh-auth", { "ssh-privatekey": "" }), ["data[ssh-privatekey]: Required value"]],
  ["[NET-384] no certificate", secret("kubernetes.io/tls"), ["data[tls.crt]: Required value", "data[tls.key]: Required value"]],
  ["[NET-384] any certificate", secret("kubernetes.io/tls", { "tls.crt": "", "tls.key": "x" }), []],
  ["[NET-385] a token of nobody", secret(account), ["metadata.annotations[kubernetes.io/service-account.name]: Required value"]],
  ["[NET-386] a bootstrap token of any kind", secret("bootstrap.kubernetes.io/token", { "token-id": "!" }), []],
  ["[NET-387] a type of one's own", secret("example.com/thing"), []],
  ["[NET-372] a key that is no file", secret("Opaque", { "a b": "" }), [`data[a b]: Invalid value: "a b": ${keyRule}`]],
];

describe("Secrets", () => {
  it("are stored whatever pair they hold, with a word about one that does not fit", () => {
    const pair = (certificate: string, key: string) =>
      createWarnings(secrets, secret("kubernetes.io/tls", { "tls.crt": certificate, "tls.key": key }));
    expect(pair("", "")).toEqual(["tls: failed to find any PEM data in certificate input"]);
    expect(pair("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "")).toEqual([
      "tls: failed to find any PEM data in key input",
    ]);
    expect(createWarnings(secrets, secret("Opaque", { "tls.crt": "", "tls.key": "" }))).toEqual([]);
  });

  it.each(secretCases)("%s", (_title, fields, expected) => {
    expect(createFaults(secrets, fields)).toEqual(expected);
  });

  it("[NET-374] have at most a mebibyte of what their data stands for", () => {
    const data = (bytes: number) => ({ data: { k: Buffer.alloc(bytes).toString("base64") } });
    expect(createFaults(secrets, data(1_048_576))).toEqual([]);
    expect(createFaults(secrets, data(1_048_577))).toEqual(["data: Too long: may not be more than 1048576 bytes"]);
  });

  it("[NET-380] are Opaque unless they say otherwise, for good", () => {
    expect(created(secrets, { type: "" })["type"]).toBe("Opaque");
    expect(updateFaults(secrets, secret("example.com/thing"), {})).toEqual(['type: Invalid value: "Opaque": field is immutable']);
  });

  it("[NET-378] take texts, and forget that they were", () => {
    expect(created(secrets, { data: { a: "YQ==", b: "Yg==" }, stringData: { b: "é" } })).toMatchObject({
      data: { a: "YQ==", b: "w6k=" },
    });
    expect(created(secrets, { stringData: { b: "c" } })).not.toHaveProperty("stringData");
  });

  it("[NET-446] show type and number of keys", () => {
    expect(rowOf(secrets, secret("kubernetes.io/tls", { "tls.crt": "", "tls.key": "" }))).toEqual({
      Name: "web",
      Type: "kubernetes.io/tls",
      Data: 2,
      Age: "10m",
    });
  });
});
