import { describe, expect, it } from "vitest";
import { fields, listOf, lowerCaseWords, mapOf, optional, readAs, required, text, textLike, wholeNumber } from "./shapes.ts";
import { FileMistake } from "./yaml-fields.ts";

interface Garden {
  readonly name: string;
  readonly beds: readonly { readonly plant: string; readonly rows: number }[];
  readonly tools: { readonly [name: string]: string };
}

const bed = fields<Garden["beds"][number]>({ plant: required(text, "What grows."), rows: optional(wholeNumber(1, 9), "Rows.", 1) });
const garden = fields<Garden>({
  name: required(textLike(lowerCaseWords), "Its name."),
  beds: required(listOf(bed), "Its beds."),
  tools: optional(mapOf(text), "Its tools.", {}),
});

function mistakes(source: string, linesBefore = 0): readonly string[] {
  try {
    readAs(garden, "garden.yaml", source, linesBefore);
    return [];
  } catch (error) {
    if (error instanceof FileMistake) return error.mistakes;
    throw error;
  }
}

describe("an author's file", () => {
  it("is read by its shape, with what counts where something is left out", () => {
    expect(readAs(garden, "garden.yaml", "name: south\nbeds: [{plant: bean}, {plant: leek, rows: 3}]\n")).toEqual({
      name: "south",
      beds: [
        { plant: "bean", rows: 1 },
        { plant: "leek", rows: 3 },
      ],
      tools: {},
    });
  });

  it("is told all its mistakes at once, each at its line; of a map with a strange key that alone", () => {
    const source = "name: South Side\nbeds:\n- rows: 10\n- plant: leek\n  colour: green\n  rows: two\ntools:\n  spade: 3\n";
    expect(mistakes(source)).toEqual([
      'garden.yaml:1: name must be lower-case words joined by hyphens, not "South Side"',
      'garden.yaml:3: beds[0] needs "plant": plant is missing',
      "garden.yaml:3: beds[0].rows must be a number from 1 to 9",
      "garden.yaml:5: beds[1].colour is not known here; expected plant, rows",
      "garden.yaml:8: tools.spade must be a text",
    ]);
  });

  it("that is no YAML is told where, also behind other lines", () => {
    expect(mistakes("name: [\n", 4)).toEqual([expect.stringMatching(/^garden\.yaml:[56]: /)]);
  });
});
