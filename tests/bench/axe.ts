// What axe objects to, over all that the browser tests show it: a line a language.

import type { Browser } from "@playwright/test";
import { locales } from "#i18n/locales.ts";
import { contextOf, findings, type View, views } from "../e2e/axe-views.test-kit.ts";
import { withBuiltSite } from "./browser.ts";
import type { Figure } from "./figures.ts";

export async function benchAxe(): Promise<readonly Figure[]> {
  return withBuiltSite(async ({ origin, browser }) => {
    const figures: Figure[] = [];
    for (const locale of [...locales, undefined]) {
      const own = views.filter((view) => view.locale === locale);
      const found: string[] = [];
      for (const view of own) found.push(...(await look(browser, origin, view)));
      for (const finding of found) console.error(finding);
      figures.push({
        name: `${locale ?? "pages of no language"}: findings in ${own.length} views`,
        value: found.length,
        unit: "",
        bar: 0,
      });
    }
    return figures;
  });
}

async function look(browser: Browser, baseURL: string, view: View): Promise<readonly string[]> {
  const context = await browser.newContext({ ...contextOf(view), baseURL, serviceWorkers: "block" });
  try {
    return (await findings(await context.newPage(), view)).map((finding) => `${view.title}: ${finding}`);
  } finally {
    await context.close();
  }
}
