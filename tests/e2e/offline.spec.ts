// Without a connection, after one visit: pages, lab, search; a message for what is not kept; a new version that breaks no open lab.

import { expect, type Page, test } from "@playwright/test";
import { stringsFor } from "../../src/i18n/build.ts";
import { type OfflineFiles, offlineFilesName } from "../../src/offline/files.ts";
import { SiteServer } from "../site-server.ts";
import { testInTurn } from "./in-turn.test-kit.ts";
import { Lab } from "./lab.test-kit.ts";
import { lesson } from "./pages.test-kit.ts";

test.use({ serviceWorkers: "allow" });

let site: SiteServer;

test.beforeEach(async () => {
  site = new SiteServer();
  await site.start();
});

test.afterEach(() => site.stop());

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(site.origin + path);
  await expect(page.locator("html[data-offline=ready]")).toBeAttached();
}

const schedulers = { fr: "ordonnanceur", zh: "调度器", ja: "スケジューラー", es: "planificador" } as const;

for (const [locale, scheduler] of Object.entries(schedulers) as [keyof typeof schedulers, string][]) {
  testInTurn("one visit is enough: another page, its lab and the search work with the server gone", locale, async ({ page }) => {
    await visit(page, `/${locale}/about/`);
    await site.stop();
    await page.goto(`${site.origin}/${locale}/${lesson}`);
    await expect(page.locator("h1")).toBeVisible();
    const work = new Lab(page);
    await work.begin();
    await work.focus();
    await work.run("kubectl get nodes -o name");
    expect(await work.lines()).toContain("node/node-1");
    // The field documentation is a download of its own.
    await work.run("kubectl explain pod.spec.nodeName | head -3");
    expect((await work.lines()).join("\n")).toContain("KIND:");
    await page.goto(`${site.origin}/${locale}/glossary/`);
    await page.keyboard.press("/");
    await page.keyboard.type(scheduler);
    await expect(page.locator(".search-results li").first()).toBeVisible();
    await page.reload();
    await expect(page.locator("h1")).toHaveText(stringsFor(locale)("nav.glossary"));
  });
}

test("a page that is not kept says so in its language, and opens once the server is back", async ({ page }) => {
  await visit(page, "/ja/about/");
  await site.stop();
  await page.goto(`${site.origin}/ja/nowhere/`);
  await expect(page.locator("h1")).toHaveText("保存されていないページ");
  // Chinese was never visited: the language that is kept answers.
  await page.goto(`${site.origin}/zh/glossary/`);
  await expect(page.locator("h1")).toHaveText("保存されていないページ");
  await site.start();
  await page.locator("[data-retry]").click();
  await expect(page.locator("h1")).toHaveText("术语表");
});

test("a new version comes with the next page, and an open lab keeps the version that it began with", async ({ context, page }) => {
  await visit(page, "/es/about/");
  await page.goto(`${site.origin}/es/${lesson}`);
  const work = new Lab(page);
  await work.begin();

  const about = site.text("es/about/index.html");
  const oldTitle = /<h1>([^<]*)<\/h1>/.exec(about)?.[1] ?? "";
  site.replace("/es/about/index.html", about.replace(`<h1>${oldTitle}</h1>`, "<h1>Otra edición</h1>"));
  const files = JSON.parse(site.text(offlineFilesName)) as OfflineFiles;
  const es = files.languages.es.map(([address, hash]) => [address, address === "es/about/" ? "0123456789" : hash]);
  site.replace(offlineFilesName, JSON.stringify({ ...files, version: "newer", languages: { ...files.languages, es } }));
  const lazy = files.shared.map(([address]) => address).filter((address) => /^assets\/(?:docs|worker)-/.test(address));
  expect(lazy).not.toEqual([]);
  for (const address of lazy) site.replace(address, undefined);

  const second = await context.newPage();
  await visit(second, "/es/about/");
  await expect(second.locator("h1")).toHaveText(oldTitle);
  await visit(second, "/es/about/");
  await expect(second.locator("h1")).toHaveText("Otra edición");
  // What the lab had not yet loaded is gone from the server, and still there for it.
  await page.bringToFront();
  await work.focus();
  await work.run("kubectl explain pod.spec.nodeName | head -3");
  expect((await work.lines()).join("\n")).toContain("KIND:");
  const versions = () => second.evaluate(() => caches.keys());
  expect(await versions()).toEqual([`pilothouse-${files.version}`, "pilothouse-newer"]);

  await page.close();
  // The browser counts a page that was closed as open for a while.
  await expect(async () => {
    await visit(second, "/es/about/");
    expect(await versions()).toEqual(["pilothouse-newer"]);
  }).toPass();
  await site.stop();
  await second.reload();
  await expect(second.locator("h1")).toHaveText("Otra edición");
});

test("a version that came in part answers no page, and is fetched to its end the next time", async ({ page }) => {
  await visit(page, "/es/about/");
  const files = JSON.parse(site.text(offlineFilesName)) as OfflineFiles;
  const title = stringsFor("es")("nav.glossary");
  const glossary = site.text("es/glossary/index.html");
  site.replace("es/glossary/index.html", glossary.replace(`<h1>${title}</h1>`, "<h1>Otra edición</h1>"));
  const es = [
    ...files.languages.es.map(([address, hash]) => [address, address === "es/glossary/" ? "0123456789" : hash]),
    ["es/added/", "1123456789"],
  ];
  site.replace(offlineFilesName, JSON.stringify({ ...files, version: "newer", languages: { ...files.languages, es } }));

  // One of its files is not there: the language is kept as it was.
  await visit(page, "/es/about/");
  await page.goto(`${site.origin}/es/glossary/`);
  await expect(page.locator("h1")).toHaveText(title);
  site.replace("es/added/index.html", "<h1>Añadida</h1>");
  await visit(page, "/es/about/");
  await page.goto(`${site.origin}/es/glossary/`);
  await expect(page.locator("h1")).toHaveText("Otra edición");
});

test("forgetting everything leaves no preference, no progress, no lab and no copy", async ({ page }) => {
  await visit(page, "/fr/about/");
  await page.goto(`${site.origin}/fr/${lesson}`);
  await new Lab(page).begin();
  await page.locator("[data-open-settings]").click();
  await page.getByLabel("Sombre").check();
  await page.locator("#settings [data-forget]").click();
  await page.locator("#settings [data-forget-yes]").click();
  await expect(page.locator("[data-lab]")).toHaveAttribute("data-state", "closed");
  const left = () => page.evaluate(async () => [...Object.keys(localStorage), ...(await caches.keys())]);
  await page.waitForLoadState("networkidle");
  // The page remembers at once that it is the one read last; nothing else is there.
  await expect.poll(left).toEqual(["pilothouse.progress"]);
  expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBeUndefined();
});
