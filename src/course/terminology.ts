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

const path = "content/terminology.yaml";

/** Where the words of Kubernetes end in the file and those of this site's pages and buttons begin. */
const endOfSubject = "# --- Course:";

let terms: ReadonlyMap<string, Term> | undefined;

/** @throws Error with the nearest entries when the word is not in the table. */
export function findTerm(en: string): Term {
  terms ??= readTerms();
  const term = terms.get(en.toLowerCase());
  if (term !== undefined) return term;
  const near = [...terms.values()].map((entry) => entry.en).filter((word) => word.toLowerCase().includes(en.toLowerCase()));
  throw new Error(`${path} has no entry "${en}"${near.length > 0 ? `; near it: ${near.slice(0, 5).join(", ")}` : ""}`);
}

/** The words of Kubernetes, without those of the site's own pages and buttons. */
export function subjectTerms(): readonly Term[] {
  return parseTerms(readSource().split(endOfSubject)[0] ?? "");
}

function readTerms(): ReadonlyMap<string, Term> {
  return new Map(parseTerms(readSource()).map((term) => [term.en.toLowerCase(), term]));
}

function readSource(): string {
  return readFileSync(join(process.cwd(), path), "utf8");
}

function parseTerms(source: string): readonly Term[] {
  const entries: unknown = parse(source);
  if (!Array.isArray(entries)) throw new Error(`${path} is a list`);
  return entries.filter(isTerm);
}

function isTerm(value: unknown): value is Term {
  if (typeof value !== "object" || value === null) return false;
  const entry: Partial<Record<string, unknown>> = { ...value };
  return ["en", "fr", "zh", "ja", "es"].every((language) => typeof entry[language] === "string");
}
