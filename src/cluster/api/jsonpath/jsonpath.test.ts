import { describe, expect, it } from "vitest";
import { JsonPath } from "./evaluate.ts";
import { relaxedExpression } from "./parse.ts";

const data = {
  kind: "List",
  items: [
    { name: "a", replicas: 1, labels: { app: "x", "k8s.io/tier": "front" }, ports: [80, 443] },
    { name: "b", replicas: 3, labels: { app: "y" }, ready: true },
  ],
};

const print = (template: string) => new JsonPath(template, { allowMissingKeys: true }).print(data);

describe("JSONPath templates", () => {
  it.each([
    ["{.kind}", "List"],
    ["kind: {.kind}{'\\n'}", "kind: List\n"],
    ["{.items[*].name}", "a b"],
    ["{.items[0].ports}", "[80,443]"],
    ["{.items[-1:].name}", "b"],
    ["{.items[0:2].name}", "a b"],
    ["{.items[0].ports[1]}", "443"],
    ["{.items[0]['name','replicas']}", "a 1"],
    ["{.items[0].labels.k8s\\.io/tier}", "front"],
    ["{..name}", "a b"],
    ["{range .items[*]}{.name}={.replicas};{end}", "a=1;b=3;"],
    ['{.items[?(@.name=="b")].replicas}', "3"],
    ["{.items[?(@.replicas>1)].name}", "b"],
    ["{.items[?(@.ready)].name}", "b"],
    ["{.items[?(@.ready==true)].name}", "b"],
    ["{.items[0].labels}", '{"app":"x","k8s.io/tier":"front"}'],
    ["{.none.there}", ""],
    ["{$.kind}", "List"],
  ])("%s prints %j", (template, text) => {
    expect(print(template)).toBe(text);
  });

  it.each([
    ["{.items", "unclosed action"],
    ["{.items[}", "unterminated array"],
    ["{.items[a]}", "invalid array index a"],
    ["{foo}", "unrecognized identifier foo"],
    ["{end}", "not in range, nothing to end"],
    ["{.items[5].name}", "array index out of bounds: index 5, length 2"],
    ["{.kind[0]}", "string is not array or slice"],
    ["{.items[?(@.name==1)]}", "incompatible types for comparison"],
    ["{.items[?(@.name]}", "unterminated filter"],
    ["{'a}", "unterminated quoted string"],
  ])("%s is refused: %s", (template, message) => {
    expect(() => print(template)).toThrow(message);
  });

  it("accepts short spellings where a field is wanted", () => {
    expect(["metadata.name", ".metadata.name", "{metadata.name}", "{.metadata.name}"].map(relaxedExpression)).toEqual(
      Array(4).fill("{.metadata.name}"),
    );
  });

  it("names a missing field when missing keys are not allowed", () => {
    expect(() => new JsonPath("{.none}").print(data)).toThrow("none is not found");
  });
});
