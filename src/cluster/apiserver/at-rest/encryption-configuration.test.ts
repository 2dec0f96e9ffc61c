import { describe, expect, it } from "vitest";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { readEncryptionConfiguration } from "./encryption-configuration.ts";

const head = "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n";
const key = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=";
const path = "/etc/enc.yaml";

function read(content: string | undefined): string | readonly string[] {
  const readText = (): string => {
    if (content === undefined) throw new SysError("ENOENT");
    return content;
  };
  const result = readEncryptionConfiguration({ readText } as unknown as Process, path);
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
    [
      `${head}resources:\n${rule("[secrets]", "[{kms: {apiVersion: v2, name: vault, endpoint: 'unix:///kms.sock'}}]")}`,
      "error while building transformers: kms: not simulated",
    ],
  ])("%j is refused", (content, fault) => {
    expect(read(content)).toBe(fault);
  });
});
