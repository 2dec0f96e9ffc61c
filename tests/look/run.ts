// `npm run look`: pictures of every kind of page of the built site, to be looked at: in test-results/look, and several on one sheet each
// in test-results/look/sheets. `--view lab,panel --locale ja --theme dark --width 390` takes fewer; a view is chosen by how its name begins.

import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import { type Locale, locales } from "#i18n/locales.ts";
import { findChromium } from "../../src/tools/browser.mjs";
import { SiteServer } from "../site-server.ts";
import { complaintsAbout } from "./complaints.ts";
import { Sheets, type Shot } from "./sheets.ts";
import { type Walk, walks } from "./views.ts";

const heights: Readonly<Record<string, number>> = { "1440": 900, "1100": 800, "390": 844 };
const themes = ["light", "dark"] as const;
const folder = "test-results/look";

const { values } = parseArgs({
  options: {
    view: { type: "string", default: "" },
    locale: { type: "string", default: locales.join() },
    theme: { type: "string", default: themes.join() },
    width: { type: "string", default: Object.keys(heights).join() },
  },
});
const wantedViews = values.view.split(",");
const wantedThemes = themes.filter((theme) => values.theme.split(",").includes(theme));
const wantedLocales = locales.filter((locale) => values.locale.split(",").includes(locale));

const site = new SiteServer();
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking"],
});
const sheets = new Sheets(folder);
/** Each is told once per language and width, where it is first seen. */
const complaints = new Set<string>();
try {
  await site.start(Number(process.env["PILOTHOUSE_LOOK_PORT"] ?? 4397));
  mkdirSync(`${folder}/sheets`, { recursive: true });
  for (const width of values.width.split(",")) {
    for (const walk of walks.filter(({ views }) => views.some(isWanted)))
      for (const locale of wantedLocales) await goThrough(browser, walk, locale, Number(width));
  }
  await sheets.write(browser);
} finally {
  await browser.close();
  await site.stop();
}

function isWanted(view: string): boolean {
  return wantedViews.some((beginning) => view.startsWith(beginning));
}

async function goThrough(on: Browser, walk: Walk, locale: Locale, width: number): Promise<void> {
  const height = heights[width] ?? 900;
  const phone = width < 500;
  const context = await on.newContext({
    baseURL: site.origin,
    viewport: { width, height },
    locale,
    reducedMotion: "reduce",
    serviceWorkers: "block",
    hasTouch: phone,
    isMobile: phone,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const take = async (view: string): Promise<void> => {
    if (isWanted(view)) for (const theme of wantedThemes) await photograph(page, { view, locale, theme, width, height });
  };
  try {
    await walk.go({ page, locale, take });
  } catch (error) {
    process.exitCode = 1;
    console.error(`${walk.views[0]} ${locale} ${width}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await context.close();
  }
}

async function photograph(page: Page, shot: Shot): Promise<void> {
  const { view, locale, theme, width } = shot;
  await page.emulateMedia({ colorScheme: theme, media: view === "print" ? "print" : "screen" });
  await page.waitForTimeout(150);
  const name = `${view}.${width}.${theme}.${locale}`;
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: view.endsWith("-whole") || view === "print" });
  sheets.add(shot);
  if (theme !== wantedThemes[0]) return;
  for (const complaint of await complaintsAbout(page)) {
    const told = `${locale} ${width}: ${complaint}`;
    if (!complaints.has(told)) console.log(`${view} ${told}`);
    complaints.add(told);
  }
}
