import { describe, expect, it } from "vitest";
import { labFromSources, labIds } from "#lab/catalog.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { mistakesIn } from "./mistakes.ts";

const sources = readLabSources();
const labs = labIds(sources)
  .map((id) => labFromSources(sources, id))
  .filter(({ steps }) => steps.length > 0);
const typed = labs.filter(({ capstone }) => capstone !== true);

describe("wrong attempts", () => {
  it.each(labs.map((lab) => [lab.id, lab] as const))("have names of their own in each step of %s", (_id, { steps }) => {
    for (const { wrong } of steps) expect(new Set(wrong.map(({ id }) => id)).size).toBe(wrong.length);
  });
});

describe("mistakes that the browser's tests type", () => {
  it.each(typed.map((lab) => [lab.id, lab] as const))("there are some of in %s", (_id, lab) => {
    expect(mistakesIn(lab)).not.toEqual([]);
  });
});
