// The course's words in all four languages, from content/terminology.yaml.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export interface Term {
  readonly en: string;
  readonly fr: string;
  readonly zh: string;
  readonly ja: string;
  readonly es: string;
}

let terms: ReadonlyMap<string, Term> | undefined;

/** @throws Error with the nearest entries when the word is not in the table. */
export function findTerm(en: string): Term {
  terms ??= readTerms();
  const term = terms.get(en.toLowerCase());
  if (term !== undefined) return term;
  const near = [...terms.values()].map((entry) => entry.en).filter((word) => word.toLowerCase().includes(en.toLowerCase()));
  throw new Error(
    `content/terminology.yaml has no entry "${en}"${near.length > 0 ? `; near it: ${near.slice(0, 5).join(", ")}` : ""}`,
  );
}

function readTerms(): ReadonlyMap<string, Term> {
  const entries: unknown = parse(readFileSync(join(process.cwd(), "content/terminology.yaml"), "utf8"));
  if (!Array.isArray(entries)) throw new Error("content/terminology.yaml is a list");
  return new Map(entries.filter(isTerm).map((term) => [term.en.toLowerCase(), term]));
}

function isTerm(value: unknown): value is Term {
  if (typeof value !== "object" || value === null) return false;
  const entry: Partial<Record<string, unknown>> = { ...value };
  return ["en", "fr", "zh", "ja", "es"].every((language) => typeof entry[language] === "string");
}
