// The course's words in all four languages, from content/terminology.yaml.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fields, listOf, optional, readAs, required, text } from "#reading/shapes.ts";

export interface Term {
  readonly en: string;
  readonly fr: string;
  readonly zh: string;
  readonly ja: string;
  readonly es: string;
}

const path = "content/terminology.yaml";

const entries = listOf(
  fields<Term & { readonly note: string }>({
    en: required(text, "The English word, by which it is found."),
    fr: required(text, "In French."),
    zh: required(text, "In Chinese."),
    ja: required(text, "In Japanese."),
    es: required(text, "In Spanish."),
    note: optional(text, "For writers: gender, plural, usage, false friends.", ""),
  }),
);

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

/** @throws FileMistake */
function parseTerms(source: string): readonly Term[] {
  return readAs(entries, path, source);
}
