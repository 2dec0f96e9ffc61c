// Strings for pages, at build time: all four languages at once, compared before the first page is made.

import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import ja from "./ja.json" with { type: "json" };
import { type Locale, locales } from "./locales.ts";
import { parityProblems } from "./parity.ts";
import serverEs from "./server/es.json" with { type: "json" };
import serverFr from "./server/fr.json" with { type: "json" };
import serverJa from "./server/ja.json" with { type: "json" };
import serverZh from "./server/zh.json" with { type: "json" };
import teacherEs from "./teacher/es.json" with { type: "json" };
import teacherFr from "./teacher/fr.json" with { type: "json" };
import teacherJa from "./teacher/ja.json" with { type: "json" };
import teacherZh from "./teacher/zh.json" with { type: "json" };
import { createTranslator, joinStrings, type Translate } from "./translator.ts";
import zh from "./zh.json" with { type: "json" };

export const stringFiles: Readonly<Record<Locale, unknown>> = {
  fr: joinStrings(joinStrings(fr, teacherFr), serverFr),
  zh: joinStrings(joinStrings(zh, teacherZh), serverZh),
  ja: joinStrings(joinStrings(ja, teacherJa), serverJa),
  es: joinStrings(joinStrings(es, teacherEs), serverEs),
};

const problems = parityProblems(stringFiles);
if (problems.length > 0) throw new Error(`UI strings differ between the languages:\n  ${problems.join("\n  ")}`);

const translators = new Map<Locale, Translate>(locales.map((locale) => [locale, createTranslator(locale, stringFiles[locale])]));

/** The strings of one language. */
export function stringsFor(locale: Locale): Translate {
  const translate = translators.get(locale);
  if (translate === undefined) throw new Error(`no strings for "${locale}"`);
  return translate;
}
