import { describe, expect, it } from "vitest";
import { labFromSources, labIds } from "#lab/catalog.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { mistakesIn } from "./mistakes.ts";

const sources = readLabSources();
const labs = labIds(sources)
  .map((id) => labFromSources(sources, id))
  .filter(({ steps, capstone }) => steps.length > 0 && capstone !== true);

describe("mistakes that the browser's tests type", () => {
  it.each(labs.map((lab) => [lab.id, lab] as const))("there are some of in %s", (_id, lab) => {
    expect(mistakesIn(lab)).not.toEqual([]);
  });
});
