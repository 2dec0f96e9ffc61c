import { describe, expect, it } from "vitest";
import { manifestIndent, manifestPlace } from "./manifest-place.ts";

/** The place of `|` in a text. */
function at(text: string) {
  const { path, typed, keyOfValue, of } = manifestPlace(text.replace("|", ""), text.indexOf("|"));
  return { path: path.join("."), typed, keyOfValue, kind: of?.kind };
}

const head = "apiVersion: apps/v1\nkind: Deployment\n";

describe("a cursor in a manifest", () => {
  it.each([
    [`${head}sp|`, { path: "", typed: "sp" }],
    [`${head}metadata:\n  |`, { path: "metadata", typed: "" }],
    [`${head}metadata:\n  name: web\n  la|\nspec:\n  replicas: 1\n`, { path: "metadata", typed: "la" }],
    [
      `${head}spec:\n  template:\n    spec:\n      containers:\n      - name: web\n        im|`,
      { path: "spec.template.spec.containers.0", typed: "im" },
    ],
    [
      `${head}spec:\n  template:\n    spec:\n      containers:\n        - name: web\n          im|`,
      { path: "spec.template.spec.containers.0", typed: "im" },
    ],
    [
      `${head}spec:\n  template:\n    spec:\n      containers:\n      - na|`,
      { path: "spec.template.spec.containers.0", typed: "na" },
    ],
    [
      `${head}spec:\n  template:\n    spec:\n      containers:\n      - name: web\n        ports:\n        - containerPort: 80\n      - name: side\n        |`,
      { path: "spec.template.spec.containers.0", typed: "" },
    ],
    [
      `${head}spec:\n  template:\n    spec:\n      containers:\n      - name: web\n        ports:\n        - containerPort: 80\n          pro|`,
      { path: "spec.template.spec.containers.0.ports.0", typed: "pro" },
    ],
    [
      `${head}spec:\n  template:\n    spec:\n      containers:\n      - name: web\n      res|`,
      { path: "spec.template.spec", typed: "res" },
    ],
    [`${head}spec:\n  # replicas: 1\n\n  se|`, { path: "spec", typed: "se" }],
  ])("belongs to a map (%#)", (text, expected) => {
    expect(at(text)).toEqual({ ...expected, keyOfValue: undefined, kind: "Deployment" });
  });

  it("may be in a value", () => {
    expect(at("kind: De|")).toEqual({ path: "", typed: "De", keyOfValue: "kind", kind: undefined });
    expect(at(`${head}spec:\n  strategy:\n    type: |`)).toEqual({
      path: "spec.strategy",
      typed: "",
      keyOfValue: "type",
      kind: "Deployment",
    });
  });

  it("sees only its own document of the file", () => {
    expect(at(`${head}---\napiVersion: v1\nkind: Service\nspec:\n  |\n---\nkind: Pod\napiVersion: v1\n`)).toEqual({
      path: "spec",
      typed: "",
      keyOfValue: undefined,
      kind: "Service",
    });
  });
});

it.each([
  ["spec:\n", 2],
  ["spec:\n  replicas: 3\n", 2],
  ["spec:\n  containers:\n  - name: web\n", 4],
  ["spec:\n  containers:\n  - name: web\n    ports: # two\n", 6],
  ["", 0],
])("indents a new line as manifests are written (%#)", (before, indent) => {
  expect(manifestIndent(before)).toBe(indent);
});
