// What a change of words could break of a lab: a run proves only labs of which more than words has changed.

import { describe, expect, it } from "vitest";
import { labFromSources, labIds, labLocales } from "#lab/catalog.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { proveTexts } from "./proof.ts";

const sources = readLabSources();

describe.each(labLocales)("the texts of labs in %s", (locale) => {
  it("are there for every step, check and value", () => {
    const faulty = labIds(sources).flatMap((id) => {
      const { faults } = proveTexts(sources, labFromSources(sources, id), locale);
      return faults.length === 0 ? [] : [[id, ...faults]];
    });
    expect(faulty).toEqual([]);
  });
});
