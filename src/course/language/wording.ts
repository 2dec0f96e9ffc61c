// Words the course does not use and what it says instead, from content/wording.yaml.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Form, fields, listOf, mapOf, oneOf, optional, readAs, required, text } from "#reading/shapes.ts";
import { isLocale, type Locale, locales } from "../../i18n/locales.ts";
import type { Rule } from "./rule.ts";

const path = "content/wording.yaml";

interface Wording {
  readonly not: string;
  readonly say: string;
  readonly letters: "exact" | undefined;
  readonly font: "code" | undefined;
}

const languages: Form = { pattern: new RegExp(`^(all|${locales.join("|")})$`), expected: `one of ${locales.join(", ")}, or "all"` };
const wording = mapOf(
  listOf(
    fields<Wording>({
      not: required(text, "A regular expression over prose."),
      say: required(text, "The better form, as the message shows it."),
      letters: optional(oneOf(["exact"]), "Capitals count.", undefined),
      font: optional(oneOf(["code"]), "The better form is the same word in code font.", undefined),
    }),
  ),
  languages,
);

/** @throws FileMistake */
export function readWording(root = process.cwd()): Readonly<Record<Locale, readonly Rule[]>> {
  const rules: Record<Locale, Rule[]> = { fr: [], zh: [], ja: [], es: [] };
  for (const [name, entries] of Object.entries(readAs(wording, path, readFileSync(join(root, path), "utf8")))) {
    for (const locale of isLocale(name) ? [name] : locales) rules[locale].push(...entries.map(toRule));
  }
  return rules;
}

function toRule({ not, say, letters, font }: Wording): Rule {
  const pattern = wordPattern(not, letters === "exact");
  return font === "code"
    ? { pattern, problem: "not in code font", better: () => say, where: "code font" }
    : { pattern, problem: "a word the course does not use", better: () => say };
}

/** Latin words are found whole, in any case unless letters count, also beside Japanese; Chinese and Japanese ones anywhere. */
function wordPattern(not: string, exact: boolean): RegExp {
  const isLatin = /^[\p{Script=Latin}(\\[]/u.test(not) && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(not);
  const source = not.replaceAll("'", "['’]");
  return isLatin
    ? new RegExp(`(?<![\\p{Script=Latin}\\p{N}])(?:${source})(?![\\p{Script=Latin}\\p{N}])`, exact ? "u" : "iu")
    : new RegExp(source, "u");
}
