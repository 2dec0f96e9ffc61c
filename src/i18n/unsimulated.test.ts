// The page about the simulation has words for each row of the table by which the API server warns.

import { expect, it } from "vitest";
import { unsimulated } from "#cluster/resources/unsimulated.ts";
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import zh from "./zh.json" with { type: "json" };

const rows = unsimulated.map(({ id }) => id);

it.each(Object.entries({ es, fr, ja, zh }))(
  "%s: every row of what is not simulated has words, and all words have a row",
  (_locale, file) => {
    const { intro, ...words } = file.unsimulated;
    expect(Object.keys(words).sort()).toEqual([...rows].sort());
    expect([intro, ...Object.values(words)].filter((text) => text.trim() === "")).toEqual([]);
  },
);
