// Words the course does not use and what it says instead, from content/wording.yaml.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isLocale, type Locale, locales } from "../../i18n/locales.ts";
import type { Rule } from "./rule.ts";

const path = "content/wording.yaml";

/** @throws Error that names the entry and what it lacks. */
export function readWording(root = process.cwd()): Readonly<Record<Locale, readonly Rule[]>> {
  const document: unknown = parse(readFileSync(join(root, path), "utf8"));
  const rules: Record<Locale, Rule[]> = { fr: [], zh: [], ja: [], es: [] };
  for (const [name, entries] of Object.entries(record(document, "the file"))) {
    if (name !== "all" && !isLocale(name)) throw new Error(`${path}: "${name}" is neither a language nor "all"`);
    if (!Array.isArray(entries)) throw new Error(`${path}: ${name} is a list`);
    for (const [index, entry] of entries.entries()) {
      const fields = record(entry, `${name}[${index}]`);
      for (const locale of isLocale(name) ? [name] : locales) rules[locale].push(toRule(fields, `${name}[${index}]`));
    }
  }
  return rules;
}

function toRule(fields: Record<string, unknown>, where: string): Rule {
  const { not, say, letters, font, ...rest } = fields;
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined) throw new Error(`${path}: ${where}: "${unknown}" is not known; known: not, say, letters, font`);
  if (typeof not !== "string" || typeof say !== "string") throw new Error(`${path}: ${where} has "not" and "say", both texts`);
  if (letters !== undefined && letters !== "exact") throw new Error(`${path}: ${where}: letters is "exact" or left out`);
  if (font !== undefined && font !== "code") throw new Error(`${path}: ${where}: font is "code" or left out`);
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

function record(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${path}: ${where} is a mapping`);
  return { ...value };
}
