import { describe, expect, it } from "vitest";
import { fieldHelp, manifestKinds, manifestProblems } from "./manifest-help.ts";

const deployment = { apiVersion: "apps/v1", kind: "Deployment" };

describe("fields", () => {
  const names = (path: readonly (string | number)[], of = deployment): readonly string[] =>
    fieldHelp(of, path, {}).map(({ name }) => name);

  it("are those of the place, with type, duty and documentation", () => {
    expect(names([])).toEqual(["apiVersion", "kind", "metadata", "spec", "status"]);
    expect(fieldHelp(deployment, ["spec"], { DeploymentSpec: { replicas: "How many." } })).toContainEqual({
      name: "replicas",
      type: "<integer>",
      required: false,
      description: "How many.",
    });
    expect(
      fieldHelp(deployment, ["spec"], {})
        .filter(({ required }) => required)
        .map(({ name }) => name),
    ).toEqual(["selector", "template"]);
    expect(names(["spec", "template", "spec", "containers", 0, "ports", 1])).toContain("containerPort");
  });

  it("are none where a place has no fields of its own", () => {
    expect(names(["metadata", "labels"])).toEqual([]);
    expect(names(["spec", "nothing"])).toEqual([]);
    expect(names([], { apiVersion: "example.com/v1", kind: "CronTab" })).toEqual([]);
  });
});

it("offers kinds that are written as files", () => {
  const kinds = manifestKinds().map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(kinds).toEqual(expect.arrayContaining(["v1 Pod", "apps/v1 Deployment", "networking.k8s.io/v1 Ingress"]));
  expect(kinds).not.toContain("authorization.k8s.io/v1 SubjectAccessReview");
});

describe("problems", () => {
  const container = { name: "web", image: "nginx" };
  const whole = {
    ...deployment,
    metadata: { name: "web" },
    spec: { replicas: 3, selector: { matchLabels: { app: "web" } }, template: { spec: { containers: [container] } } },
  };

  it("are none for what fits, and for kinds that are not known", () => {
    expect(manifestProblems(deployment, whole)).toEqual([]);
    expect(manifestProblems({ apiVersion: "example.com/v1", kind: "CronTab" }, { spec: { anything: 1 } })).toEqual([]);
  });

  it.each([
    [
      { ...whole.spec, replica: 3 },
      { path: ["spec", "replica"], problem: "unknown", expected: "" },
    ],
    [
      { ...whole.spec, replicas: "three" },
      { path: ["spec", "replicas"], problem: "type", expected: "integer" },
    ],
    [
      { ...whole.spec, replicas: 1.5 },
      { path: ["spec", "replicas"], problem: "type", expected: "integer" },
    ],
    [
      { ...whole.spec, selector: undefined },
      { path: ["spec"], problem: "missing", expected: "selector" },
    ],
    [
      { ...whole.spec, selector: { matchLabels: { app: 1 } } },
      { path: ["spec", "selector", "matchLabels", "app"], problem: "type", expected: "string" },
    ],
    [
      { ...whole.spec, template: { spec: { containers: container } } },
      { path: ["spec", "template", "spec", "containers"], problem: "type", expected: "[]Container" },
    ],
    [
      { ...whole.spec, template: { spec: { containers: [{ image: "nginx" }] } } },
      { path: ["spec", "template", "spec", "containers", 0], problem: "missing", expected: "name" },
    ],
  ])("name the place and what is expected (%#)", (spec, problem) => {
    expect(manifestProblems(deployment, { ...whole, spec })).toEqual([problem]);
  });
});
