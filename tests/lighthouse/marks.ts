// Lighthouse's four marks for the home page and a lesson in each language, as a slow phone sees them, on a site that is built for an address on
// this machine.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { type Locale, locales } from "#i18n/locales.ts";
import { lesson } from "../e2e/pages.test-kit.ts";
import { SiteServer } from "../site-server.ts";

export const bar = 95;
export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

export interface PageMarks {
  readonly locale: Locale;
  readonly page: "home" | "lesson";
  /** In the order of the categories, of 100. */
  readonly marks: readonly number[];
  /** What the marks were lowered for, in Lighthouse's words. */
  readonly faults: readonly string[];
}

const pages = { home: "", lesson } as const;
const sitePort = Number(process.env["PILOTHOUSE_LIGHTHOUSE_PORT"] ?? 4395);
const debuggingPort = sitePort + 1;

/** Builds the site and marks its pages, one after the other, with the Chromium at `executablePath` or Playwright's own.
 * @throws when the build fails. */
export async function* marksOfPages(executablePath: string | undefined): AsyncGenerator<PageMarks> {
  const folder = mkdtempSync(join(tmpdir(), "pilothouse-lighthouse-"));
  const site = new SiteServer(folder);
  try {
    build(folder);
    await site.start(sitePort);
    const browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", `--remote-debugging-port=${debuggingPort}`],
    });
    try {
      for (const locale of locales)
        for (const page of ["home", "lesson"] as const)
          yield { locale, page, ...(await marksOf(`${site.origin}/${locale}/${pages[page]}`)) };
    } finally {
      await browser.close();
    }
  } finally {
    await site.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function build(folder: string): void {
  const built = spawnSync("astro", ["build", "--silent"], {
    env: {
      ...process.env,
      ASTRO_TELEMETRY_DISABLED: "1",
      PILOTHOUSE_OUT: folder,
      PILOTHOUSE_SITE: `http://127.0.0.1:${sitePort}`,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (built.status !== 0) throw new Error("the build failed", { cause: built.error });
}

async function marksOf(address: string): Promise<Pick<PageMarks, "marks" | "faults">> {
  const result = await lighthouse(address, { port: debuggingPort, onlyCategories: [...categories], logLevel: "error" });
  if (result === undefined) throw new Error(`Lighthouse gave nothing for ${address}`);
  const { lhr } = result;
  const faults = categories.flatMap((category) =>
    (lhr.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = lhr.audits[id];
      const counts = weight > 0 && audit?.score !== null && audit?.score !== undefined && audit.score < 0.9;
      return counts ? [`${category}: ${audit.title} ${audit.displayValue ?? ""}`.trimEnd()] : [];
    }),
  );
  return { marks: categories.map((category) => Math.round((lhr.categories[category]?.score ?? 0) * 100)), faults };
}
