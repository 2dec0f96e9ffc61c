// The schemas that editors use say the same as what reads the files.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { labSchemas, readLab } from "#lab/definition.ts";
import { FileMistake } from "#reading/yaml-fields.ts";
import { readLabSources } from "../server/lab-files.ts";
import { schemasFolder, schemaTexts } from "./schemas.ts";

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
const labSchema = ajv.compile(labSchemas["lab.schema.json"] ?? {});
const textsSchema = ajv.compile(labSchemas["lab-texts.schema.json"] ?? {});
const sources = Object.entries(readLabSources());

describe("schemas of labs", () => {
  it.each([...schemaTexts()])("%s is as `npm run schemas` writes it", (name, text) => {
    const path = join(schemasFolder, name);
    expect(existsSync(path) ? readFileSync(path, "utf8") : "").toBe(text);
  });

  it.each(sources.filter(([path]) => /^labs\/[^/]+\/[^/]+\.yaml$/.test(path)))("%s fits its schema", (path, text) => {
    const validate = path.endsWith("/lab.yaml") ? labSchema : textsSchema;
    validate(parse(text));
    expect(validate.errors ?? []).toEqual([]);
  });

  const step = {
    id: "a",
    checks: [{ id: "x", that: "true" }],
    solution: "true",
    wrong: [{ id: "w", commands: "true", fails: ["x"] }],
  };
  const steps = ["a", "b", "c", "d"].map((id) => ({ ...step, id }));
  it.each([
    [{ nodes: 2.5, steps }],
    [{ nodes: 30, steps }],
    [{ nodes: [{ name: "A B" }], steps }],
    [{ nodes: [{ version: "v1.40.0" }], steps }],
    [{ nodes: [{ kubelet: { maxPods: "ten" } }], steps }],
    [{ nodes: [{ kubelet: { imageService: "x" } }], steps }],
    [{ nodes: [{ files: { "etc/hosts": "x" } }], steps }],
    [{ controlPlane: { stopped: ["scheduler"] }, steps }],
    [{ addons: ["metrics"], steps }],
    [{ traffic: [{ name: "a", from: "node-1", url: "http://x", everyMs: 5 }], steps }],
    [{ exam: { minutes: 0, pass: 50 }, steps }],
    [{ stepz: steps }],
    [{ steps: [{ ...step, solution: "" }, ...steps.slice(1)] }],
    [{ steps: [{ ...step, observe: { a: { value: "1", keep: "first" } } }, ...steps.slice(1)] }],
    [{ steps: [{ ...step, checks: [{ id: "x", that: "true", values: { a: 1 } }] }, ...steps.slice(1)] }],
    [{ steps: [{ ...step, checks: [{ that: "true" }] }, ...steps.slice(1)] }],
    [{ sandbox: false }],
  ])("and the reader refuse the same: %j", (lab) => {
    expect(labSchema({ steps })).toBe(true);
    expect(labSchema(lab)).toBe(false);
    expect(() => readLab("a", "lab.yaml", JSON.stringify(lab), {})).toThrow(FileMistake);
  });
});
