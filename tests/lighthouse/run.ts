// `npm run lighthouse`: builds the site for an address on this machine, and prints Lighthouse's four marks for the home page and a lesson
// in four languages, as a slow phone sees them. Ends with an error when a mark is below the bar.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { locales } from "#i18n/locales.ts";
import { findChromium } from "../../src/tools/browser.mjs";
import { SiteServer } from "../site-server.ts";

const bar = 95;
const pages = ["", "workloads/deployment-create/"];
const categories = ["performance", "accessibility", "best-practices", "seo"];
const sitePort = Number(process.env["PILOTHOUSE_LIGHTHOUSE_PORT"] ?? 4395);
const debuggingPort = sitePort + 1;

const folder = mkdtempSync(join(tmpdir(), "pilothouse-lighthouse-"));
const site = new SiteServer(folder);
let below = 0;
try {
  build();
  await site.start(sitePort);
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", `--remote-debugging-port=${debuggingPort}`],
  });
  console.log(["page".padEnd(36), ...categories].join("  "));
  for (const page of pages) for (const locale of locales) await measure(`${locale}/${page}`);
  await browser.close();
} finally {
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (below > 0) {
  console.error(`${below} marks are below ${bar}`);
  process.exitCode = 1;
}

function build(): void {
  const built = spawnSync("astro", ["build", "--silent"], {
    env: {
      ...process.env,
      ASTRO_TELEMETRY_DISABLED: "1",
      PILOTHOUSE_OUT: folder,
      PILOTHOUSE_SITE: `http://127.0.0.1:${sitePort}`,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (built.status !== 0) throw new Error("the build failed");
}

async function measure(path: string): Promise<void> {
  const result = await lighthouse(`${site.origin}/${path}`, { port: debuggingPort, onlyCategories: categories, logLevel: "error" });
  if (result === undefined) throw new Error(`Lighthouse gave nothing for ${path}`);
  const marks = categories.map((category) => Math.round((result.lhr.categories[category]?.score ?? 0) * 100));
  below += marks.filter((mark) => mark < bar).length;
  console.log([path.padEnd(36), ...marks.map((mark, index) => String(mark).padStart(categories[index]?.length ?? 0))].join("  "));
  for (const category of categories) {
    for (const { id, weight } of result.lhr.categories[category]?.auditRefs ?? []) {
      const audit = result.lhr.audits[id];
      if (weight > 0 && audit?.score !== null && audit?.score !== undefined && audit.score < 0.9)
        console.log(`    ${category}: ${audit.title} ${audit.displayValue ?? ""}`);
    }
  }
}
