// What upstream's reader (v1.36.3) says to the same files.

import { describe, expect, it } from "vitest";
import { PolicyFault, readPolicy } from "./policy-file.ts";

const head = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";
const struct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const unversioned = "unknown group version field audit.k8s.io/__internal, Kind=Policy in policy";
const stages = "allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic";
const field = (name: string) => `failed decoding: json: cannot unmarshal string into Go struct field ${name}`;

function read(text: string): { readonly strict: readonly string[]; readonly fault: string; readonly rules: number } {
  const strict: string[] = [];
  try {
    return { rules: readPolicy(text, (fault) => strict.push(fault)).rules.length, strict, fault: "" };
  } catch (error) {
    if (error instanceof PolicyFault) return { strict, fault: error.message, rules: 0 };
    throw error;
  }
}

describe("an audit policy's file", () => {
  it.each([
    ["", unversioned],
    [head, "loaded illegal policy with 0 rules"],
    [`${head}rules: []\n`, "loaded illegal policy with 0 rules"],
    [
      "apiVersion: audit.k8s.io/v1beta1\nkind: Policy\nrules:\n- level: Metadata\n",
      'failed decoding: no kind "Policy" is registered for version "audit.k8s.io/v1beta1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      "apiVersion: audit.k8s.io/v1\nkind: AuditPolicy\nrules:\n- level: Metadata\n",
      'failed decoding: no kind "AuditPolicy" is registered for version "audit.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    ["apiVersion: audit.k8s.io/v1\nkind: Event\n", "failed decoding: converting (v1.Event) to (audit.Policy): unknown conversion"],
    [
      `${head}rules:\n- level: metadata\n`,
      'rules[0].level: Unsupported value: "metadata": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [`${head}rules:\n- users: [a]\n`, "rules[0].level: Required value"],
    [
      `${head}rules:\n- level: Metadata\n  resources:\n  - group: apps/v1\n`,
      "rules[0].resources.group: Invalid value: \"apps/v1\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    [
      `${head}rules:\n- level: Metadata\n  resources:\n  - group: ""\n    resourceNames: [a, b]\n`,
      'rules[0].resources.resourceNames: Invalid value: ["a","b"]: using resourceNames requires at least one resource',
    ],
    [
      `${head}rules:\n- level: Metadata\n  nonResourceURLs: [healthz, '/a*b', '/ok*', '*']\n  namespaces: [x]\n`,
      '[rules[0].nonResourceURLs[0]: Invalid value: "healthz": non-resource URL rules must begin with a \'/\' character, rules[0].nonResourceURLs[1]: Invalid value: "/a*b": non-resource URL wildcards \'*\' must be the final character of the rule, rules[0].nonResourceURLs: Invalid value: ["healthz","/a*b","/ok*","*"]: rules cannot apply to both regular resources and non-resource URLs]',
    ],
    [
      `${head}omitStages: [Started]\nrules:\n- level: Metadata\n  omitStages: [RequestReceived, foo]\n`,
      `[omitStages[0]: Invalid value: "Started": ${stages}, rules[0].omitStages[1]: Invalid value: "foo": ${stages}]`,
    ],
    [`${head}rules:\n- level: Metadata\n  users: alice\n`, `${field("PolicyRule.rules.users")} of type []string`],
    [
      `${head}rules:\n- level: 3\n`,
      "failed decoding: json: cannot unmarshal number into Go struct field PolicyRule.rules.level of type v1.Level",
    ],
    [`${head}rules:\n- level: Metadata\n  resources: [pods]\n`, `${field("PolicyRule.rules.resources")} of type v1.GroupResources`],
    [`${head}rules:\n- Metadata\n`, `${field("Policy.rules")} of type v1.PolicyRule`],
    [
      `${head}rules:\n  level: Metadata\n`,
      "failed decoding: json: cannot unmarshal object into Go struct field Policy.rules of type []v1.PolicyRule",
    ],
    [
      `${head}rules:\n- level: Metadata\n  omitManagedFields: 'true'\n`,
      `${field("PolicyRule.rules.omitManagedFields")} of type bool`,
    ],
    [`${head}rules: a: b\n`, "failed decoding: yaml: line 3: mapping values are not allowed in this context"],
    [
      "just text\n",
      `failed decoding: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ${struct}`,
    ],
    [
      "- a\n",
      `failed decoding: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${struct}`,
    ],
  ])("is refused: %j", (text, fault) => {
    expect(read(text)).toEqual({ strict: [], fault, rules: 0 });
  });

  it.each([
    ["apiVersion: audit.k8s.io/v1\nrules:\n- level: Metadata\n"],
    [`${head}metadata:\n  creationTimestamp: null\nrules:\n- level: Metadata\n  userGroups: null\n`],
    ['{"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[{"level":"Metadata"}]}'],
    [`${head}rules:\n- level: Metadata\n---\napiVersion: v1\n`],
    [`# who does what\n${head}rules:\n- level: Metadata # all of it\n`],
  ])("is taken: %j", (text) => {
    expect(read(text)).toEqual({ strict: [], fault: "", rules: 1 });
  });

  it.each([
    ["kind: Policy\nrules:\n- level: Metadata\n", 'unknown field "rules"', unversioned],
    [`${head}rule:\n- level: Metadata\n`, 'unknown field "rule"', "loaded illegal policy with 0 rules"],
    [`${head}rules:\n- level: Metadata\n  verb: [get]\n`, 'unknown field "rules[0].verb"', ""],
    [`${head}rules:\n- level: None\n  Users: [x]\n`, 'unknown field "rules[0].Users"', ""],
    [`${head}rules:\n- level: Metadata\n  level: None\n`, 'yaml: unmarshal errors:\n  line 5: key "level" already set in map', ""],
    [`${head}metadata:\n  nam: x\nrules:\n- level: Metadata\n`, 'unknown field "metadata.nam"', ""],
    [
      `${head}foo: 1\nrules:\n- level: Metadata\n  bar: 1\n  resources:\n  - grup: x\n`,
      'unknown field "foo", unknown field "rules[0].bar", unknown field "rules[0].resources[0].grup"',
      "",
    ],
  ])("is read without what a strict reader refuses: %j", (text, strict, fault) => {
    expect(read(text)).toEqual({ strict: [`strict decoding error: ${strict}`], fault, rules: fault === "" ? 1 : 0 });
  });
});
