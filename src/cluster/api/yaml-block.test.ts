// The quick reader against the library: what it reads, it reads alike; what it does not, it leaves alone.

import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "./wire.ts";
import { readBlockYaml } from "./yaml-block.ts";
import { parseAnyYaml } from "./yaml-document.ts";
import { YamlSyntaxError } from "./yaml-text.ts";
import { writeYaml } from "./yaml-write.ts";

/** Holds for every text: either left to the library, or read as it does. */
function expectAlike(text: string): void {
  const value = readBlockYaml(text);
  if (value === undefined) return;
  try {
    expect({ text, value, duplicates: [] }).toEqual({ text, ...parseAnyYaml(text) });
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw new Error(`read what is no YAML (${error.message}):\n${text}`);
    throw error;
  }
}

const pieces = fc.constantFrom(
  ...[
    "a",
    "b",
    "a: ",
    "b:",
    "- ",
    "-",
    "  ",
    " ",
    "    ",
    "\n",
    "\n",
    "\n",
    "\n  ",
    "\n- ",
    "\n  - ",
    ": ",
    ":",
    "#",
    " # x",
    "'",
    '"',
    "1",
  ],
  ...[
    "true",
    "y",
    "~",
    "null",
    "[]",
    "{}",
    "[",
    "}",
    ",",
    "|",
    ">",
    "|-",
    "&a ",
    "*a",
    "!t ",
    "<<: ",
    "?",
    "? ",
    "%",
    "@",
    "---",
    "...",
    "\t",
  ],
  ...["\r", "\u00a0", "\u2028", "日", "0x1f", "1e3", ".inf", "2024-01-01", "http://x", "a/b.c-d: ", "-x", "\\", "__proto__: "],
);
const scalars = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true }),
);
const documents = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalars as fc.Arbitrary<JsonValue>,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.stringMatching(/^[A-Za-z0-9_./-]{1,8}$/), fc.string()), tie("value"), { maxKeys: 5 }),
  ),
})).value;

describe("the quick reader of YAML", () => {
  it("reads any text as the library does, or leaves it", () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
        expectAlike,
      ),
      { numRuns: 5000 },
    );
  });

  it("reads what our writer writes as the library does, also after a piece was put in", () => {
    fc.assert(
      fc.property(documents, fc.nat(), pieces, (value, place, piece) => {
        const text = writeYaml(value);
        expectAlike(text);
        const at = place % (text.length + 1);
        expectAlike(text.slice(0, at) + piece + text.slice(at));
      }),
      { numRuns: 1000 },
    );
  });

  it("reads manifests as they are usually written", () => {
    const folder = `${import.meta.dirname}/../../../tests/oracle/corpus/files`;
    const texts = readdirSync(folder).flatMap((name) => readFileSync(`${folder}/${name}`, "utf8").split(/^---$/m));
    for (const text of texts) expectAlike(text);
    const read = texts.filter((text) => readBlockYaml(text) !== undefined);
    expect(read.length / texts.length).toBeGreaterThan(0.6);
    const pod = "# a Pod\nspec:\n  containers:\n  - name: web # here\n";
    expect(readBlockYaml(pod)).toBeUndefined();
    expect(
      readBlockYaml(
        pod.replace(" # here", "\n    args: []\n    env:\n      - name: A\n        value: 'b c'\n      -\n        - x"),
      ),
    ).toEqual({
      spec: { containers: [{ name: "web", args: [], env: [{ name: "A", value: "b c" }, ["x"]] }] },
    });
  });
});
