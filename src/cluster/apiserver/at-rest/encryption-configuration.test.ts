import { describe, expect, it } from "vitest";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { Simulation } from "#sim/simulation.ts";
import { readEncryptionConfiguration } from "./encryption-configuration.ts";
import { KmsProvider, type KmsSettings } from "./kms-provider.ts";

const head = "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n";
const key = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=";
const path = "/etc/enc.yaml";

function read(content: string | undefined, reload = false): string | readonly string[] {
  const readText = (): string => {
    if (content === undefined) throw new SysError("ENOENT");
    return content;
  };
  const self = { readText } as unknown as Process;
  const simulation = new Simulation({ startMs: 0, seed: 1 });
  const kmsOf = (settings: KmsSettings) => new KmsProvider(settings, { self, simulation, random: simulation.random });
  const result = readEncryptionConfiguration(self, path, { reload, kmsOf });
  return "fault" in result ? result.fault : [...result.rules.keys()];
}

function rule(resources: string, providers = "[{identity: {}}]"): string {
  return `- {resources: ${resources}, providers: ${providers}}\n`;
}

const parsing = "error while parsing file: ";
const decoding = `${parsing}error decoding encryption provider configuration file "${path}": `;

describe("the configuration of encryption at rest", () => {
  it("names resources, groups and everything", () => {
    const aes = `[{aesgcm: {keys: [{name: a, secret: ${key}}]}}, {identity: {}}]`;
    expect(
      read(`${head}resources:\n${rule("[secrets, widgets.example.com]", aes)}${rule("['*.apps']")}${rule("['*.*']")}`),
    ).toEqual(["secrets", "widgets.example.com", "*.apps", "*.*"]);
  });

  it.each([
    [
      undefined,
      `${parsing}error while loading file: error reading encryption provider configuration file "${path}": open ${path}: no such file or directory`,
    ],
    ["", `${parsing}error while loading file: encryption provider configuration file "${path}" is empty`],
    ["kind: EncryptionConfiguration\n", `${decoding}Object 'apiVersion' is missing in 'kind: EncryptionConfiguration\n'`],
    [head, `${parsing}resources: Required value: at least one resources is required`],
    [`${head}resource: []\n`, `${decoding}strict decoding error: unknown field "resource"`],
    [
      `${head}resources: secrets\n`,
      `${decoding}json: cannot unmarshal string into Go struct field EncryptionConfiguration.resources of type []v1.ResourceConfiguration`,
    ],
    [
      `${head}resources:\n${rule("[]")}`,
      `${parsing}resources[0].resources: Required value: at least one resources[0].resources is required`,
    ],
    [
      `${head}resources:\n${rule("[secrets]", "[]")}`,
      `${parsing}resources[0].providers: Required value: at least one resources[0].providers is required`,
    ],
    [
      `${head}resources:\n${rule("[Secrets]")}`,
      `${parsing}resources[0].resources[0]: Invalid value: "Secrets": resource name should not contain capital letters`,
    ],
    [
      `${head}resources:\n${rule("['*']")}`,
      `${parsing}resources[0].resources[0]: Invalid value: "*": use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources`,
    ],
    [
      `${head}resources:\n${rule("[secrets, '*.']")}`,
      `${parsing}resources[0].resources: Invalid value: ["secrets","*."]: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked`,
    ],
    [
      `${head}resources:\n${rule("[secrets, secrets]")}`,
      `${parsing}resources[0].resources: Invalid value: ["secrets","secrets"]: the same resource cannot be specified multiple times`,
    ],
    [
      `${head}resources:\n${rule("['*.']")}${rule("[secrets]")}`,
      `error while building transformers: resource "secrets" is masked by earlier rule "*."`,
    ],
    [
      `${head}resources:\n${rule("[secrets]", "[{aescbc: {keys: []}}]")}`,
      `${parsing}resources[0].providers[0].aescbc.keys: Required value: at least one keys is required`,
    ],
    [
      `${head}resources:\n${rule("[secrets]", "[{secretbox: {keys: [{name: a, secret: '%'}]}}]")}`,
      `${parsing}resources[0].providers[0].secretbox.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded`,
    ],
    [
      `${head}resources:\n${rule("[secrets]", "[{aescbc: {keys: [{secret: c2hvcnQ=}]}}]")}`,
      `${parsing}[resources[0].providers[0].aescbc.keys[0].name: Required value: name is a mandatory field for a key, resources[0].providers[0].aescbc.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 5, expected one of [16 24 32]]`,
    ],
  ])("%j is refused", (content, fault) => {
    expect(read(content)).toBe(fault);
  });
});

const kms = `${parsing}resources[0].providers[0].kms.`;
const duplicate = "duplicate KMS provider name vault, names must be unique";

describe("a kms provider", () => {
  const withKms = (fields: string): string | readonly string[] =>
    read(`${head}resources:\n${rule("[secrets]", `[{kms: {${fields}}}]`)}`);
  const vault = "apiVersion: v2, name: vault, endpoint: 'unix:///kms.sock'";

  it("is taken", () => {
    expect(withKms(vault)).toEqual(["secrets"]);
    expect(withKms(`${vault}, timeout: 5s`)).toEqual(["secrets"]);
  });

  it.each([
    [
      "name: vault, endpoint: 'unix:///kms.sock'",
      "error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.",
    ],
    [`${vault}, cachesize: 5`, `${kms}cachesize: Invalid value: 5: cachesize is not supported in v2`],
    [
      "name: vault, endpoint: 'unix:///kms.sock', cachesize: 0",
      `${kms}cachesize: Invalid value: 0: cachesize should be a positive value, or negative to disable`,
    ],
    [`${vault}, timeout: 0s`, `${kms}timeout: Invalid value: "0s": timeout should be a positive value`],
    [
      "apiVersion: v3, name: vault, endpoint: 'unix:///kms.sock'",
      `${kms}apiVersion: Invalid value: "v3": unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported`,
    ],
    ["apiVersion: v2, endpoint: 'unix:///kms.sock'", `${kms}name: Required value: name is a mandatory field for a provider`],
    [
      "apiVersion: v2, name: 'a:b', endpoint: 'unix:///kms.sock'",
      `${kms}name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain ':'`,
    ],
    ["apiVersion: v2, name: vault", `${kms}endpoint: Invalid value: "": endpoint is a mandatory field for a kms`],
    [
      "apiVersion: v2, name: vault, endpoint: 'tcp://kms:1'",
      `${kms}endpoint: Invalid value: "tcp://kms:1": unsupported scheme "tcp" for KMS provider, only unix is supported`,
    ],
    [
      "apiVersion: v2, name: vault, endpoint: ':kms'",
      `${kms}endpoint: Invalid value: ":kms": invalid endpoint for kms provider, error: parse ":kms": missing protocol scheme`,
    ],
  ])("{%s} is refused", (fields, fault) => {
    expect(withKms(fields)).toBe(fault);
  });

  it("has its name for itself; one of v1 too, where the file may change", () => {
    const second = (fields: string, reload = false): string =>
      read(`${head}resources:\n${rule("[secrets]", `[{kms: {${fields}}}, {kms: {${fields}}}]`)}`, reload) as string;
    const fault = `${parsing}resources[0].providers[1].kms.name: Invalid value: "vault": ${duplicate}`;
    expect(second(vault)).toBe(fault);
    const old = "apiVersion: v1, name: vault, endpoint: 'unix:///kms.sock'";
    expect(second(old)).toMatch(/KMSv1 is deprecated/);
    expect(second(old, true)).toBe(fault);
  });
});
