// Lighthouse's marks, a line a language: the lowest of the home page's and a lesson's, all of them in the name.

import { locales } from "#i18n/locales.ts";
import { bar, categories, marksOfPages, type PageMarks } from "../lighthouse/marks.ts";
import { needChromium } from "./browser.ts";
import type { Figure } from "./figures.ts";

export async function benchLighthouse(): Promise<readonly Figure[]> {
  const all: PageMarks[] = [];
  for await (const marks of marksOfPages(needChromium())) all.push(marks);
  return locales.map((locale) => {
    const own = all.filter((marks) => marks.locale === locale);
    const said = own.map(({ page, marks }) => `${page} ${marks.join(" ")}`).join(", ");
    return {
      name: `${locale}, lowest of ${categories.join(", ")}: ${said}`,
      value: Math.min(...own.flatMap(({ marks }) => marks)),
      unit: "",
      floor: bar,
    };
  });
}
