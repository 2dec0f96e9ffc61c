// The codes in titles of tests, and in READMEs, mean something: the catalogue beside this file has each, once and in order.

import { describe, expect, it } from "vitest";
import { mentionsAnywhere, mentionsInTests, misnumbered, misspelled, parseArea, readCatalogue } from "./catalogue.ts";

const areas = readCatalogue();
const prefixes = areas.map(({ prefix }) => prefix);
const known = new Set(areas.flatMap(({ behaviours }) => behaviours.map(({ code }) => code)));

describe("the catalogue of behaviours", () => {
  it("has an area in one file only", () => {
    expect(prefixes).toEqual([...new Set(prefixes)]);
  });

  it("numbers each area from 001, every number once and in order", () => {
    expect(areas.flatMap(misnumbered)).toEqual([]);
  });

  it("has every code in titles of tests", () => {
    expect(mentionsInTests().filter(({ code }) => !known.has(code))).toEqual([]);
  });

  it("has every code in READMEs, comments and recorded sessions", () => {
    expect(mentionsAnywhere(prefixes).filter(({ code }) => !known.has(code))).toEqual([]);
  });

  it("finds no misspelled code in tests", () => {
    expect(misspelled(prefixes)).toEqual([]);
  });
});

describe("a file of the catalogue", () => {
  const area = (...codes: string[]) =>
    parseArea("pods.md", `## Phase\n\n${codes.map((code) => `- **${code}** is so.`).join("\n")}\n`);

  it("is read by lines", () => {
    expect(area("POD-001").behaviours).toEqual([{ code: "POD-001", subject: "Phase", text: "is so.", line: 3 }]);
  });

  it.each([
    ["a gap", ["POD-001", "POD-003"], ["pods.md:4: POD-003 where POD-002 is due"]],
    ["a code twice", ["POD-001", "POD-001"], ["pods.md:4: POD-001 where POD-002 is due"]],
    [
      "another order",
      ["POD-002", "POD-001"],
      ["pods.md:3: POD-002 where POD-001 is due", "pods.md:4: POD-001 where POD-002 is due"],
    ],
  ])("is refused with %s", (_fault, codes, complaints) => {
    expect(misnumbered(area(...codes))).toEqual(complaints);
  });

  it("is refused with a code of another area", () => {
    expect(() => area("POD-001", "NET-002")).toThrow("pods.md:4: NET-002 is not of the area POD");
  });

  it.each(["- POD-001 without asterisks", "- **POD-1** too short", "- **POD-001**", "  and the text goes on"])(
    "is refused with %j",
    (line) => {
      expect(() => parseArea("pods.md", `# Pods\n\n${line}\n`)).toThrow("pods.md:3: ");
    },
  );
});
