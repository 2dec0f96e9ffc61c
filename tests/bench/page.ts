// What a reader downloads: scripts of pages before a lab is opened, as the browser receives them, and the pieces of the lab as they lie
// in the built site.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "@playwright/test";
import { locales } from "#i18n/locales.ts";
import { lesson } from "../e2e/pages.test-kit.ts";
import { asNewReader, siteFolder, withBuiltSite } from "./browser.ts";
import type { Figure } from "./figures.ts";

const kilobyte = 1024;
const pageBar = 15;
const workerBar = 300;

/** The lab's downloads by what they are; the names are the bundler's. */
const pieces: readonly (readonly [name: string, file: RegExp, bar?: number])[] = [
  ["the worker: the cluster", /^worker-.*\.js$/, workerBar],
  ["tools: kubectl and the shell's commands, with the worker", /^tools-.*\.js$/],
  ["texts of kubectl's help, with the worker", /^texts-.*\.js$/],
  ["documentation of fields, after the start", /^docs-.*\.js$/],
  ["workbench and terminal", /^draw\..*\.js$/],
  ["panels, all of them, each when it is opened", /^panel\..*\.js$/],
  ["answers for panels, with the first question", /^answers-.*\.js$/],
];

export async function benchPage(): Promise<readonly Figure[]> {
  const pages = await withBuiltSite(async ({ origin, browser }) => {
    const figures: Figure[] = [];
    for (const locale of locales) {
      for (const [name, path] of [
        ["home", ""],
        ["lesson", lesson],
      ] as const) {
        const bytes = await asNewReader(browser, (page, devtools) => scriptBytes(page, devtools, `${origin}/${locale}/${path}`));
        figures.push({ name: `${name}, ${locale}: script before the lab`, value: bytes / kilobyte, unit: "KB gz", bar: pageBar });
      }
    }
    return figures;
  });
  return [...pages, ...pieceFigures()];
}

/** Bytes of script, as transferred, of a page whose lab waits for a click; what stands in the page itself is counted packed. */
async function scriptBytes(page: Page, devtools: CDPSession, address: string): Promise<number> {
  // The home page's cluster starts by itself, except where data is saved.
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  const scripts = new Set<string>();
  let bytes = 0;
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    if (/javascript/.test(response.mimeType)) scripts.add(requestId);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await devtools.send("Network.enable");
  await page.goto(address, { waitUntil: "networkidle" });
  const inline = await page.locator("script:not([src])").allTextContents();
  return bytes + inline.reduce((sum, text) => sum + gzipSync(text).length, 0);
}

function pieceFigures(): readonly Figure[] {
  const folder = join(siteFolder, "assets");
  const files = readdirSync(folder);
  return pieces.map(([name, pattern, bar]) => {
    const found = files.filter((file) => pattern.test(file));
    if (found.length === 0) throw new Error(`no file like ${pattern} in ${folder}`);
    const bytes = found.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
    return { name, value: bytes / kilobyte, unit: "KB gz", ...(bar === undefined ? {} : { bar }) };
  });
}
