// Languages, addresses, weight and width of pages.

import { readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, type Page, type Response, test } from "@playwright/test";
import { languageTags, localeNames, locales } from "../../src/i18n/locales.ts";
import { touchedLabs } from "../labs/choice.ts";
import { shareOf, testInTurn } from "./in-turn.test-kit.ts";
import { Lab } from "./lab.test-kit.ts";
import { lesson, pagesOf } from "./pages.test-kit.ts";

const scriptBudgetBytes = 15 * 1024;

/** Of a lesson's address. */
const slugOf = (path: string): string => path.split("/").at(-2) ?? "";

/** Gzipped size of all scripts that a page has loaded and holds. */
async function scriptBytes(page: Page, path: string): Promise<number> {
  const sizes: number[] = [];
  const count = async (response: Response): Promise<void> => {
    if (response.request().resourceType() === "script") sizes.push(gzipSync(await response.body()).length);
  };
  page.on("response", count);
  await page.goto(path, { waitUntil: "networkidle" });
  // What comes later is the lab's, and may still come when a test ends.
  page.off("response", count);
  const inline = await page.locator("script:not([src])").allTextContents();
  return [...sizes, ...inline.map((text) => gzipSync(text).length)].reduce((sum, size) => sum + size, 0);
}

test("a lesson whose lab is not opened loads at most 15 KB of script, gzipped", async ({ page }) => {
  const total = await scriptBytes(page, `/fr/${lesson}`);
  console.log(`lesson: ${total} bytes of script, gzipped`);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(scriptBudgetBytes);
});

test("the home page loads at most 15 KB of script before its cluster, which waits for a click where data is saved", async ({
  page,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  const total = await scriptBytes(page, "/fr/");
  console.log(`home: ${total} bytes of script, gzipped`);
  expect(total).toBeLessThanOrEqual(scriptBudgetBytes);
  await page.locator("[data-open-lab]").click();
  await expect(page.locator(".nodes-ready")).toBeVisible();
  await expect(page.locator(".xterm-helper-textarea")).toBeFocused();
});

test("the home page's cluster starts by itself, takes no focus, is typed into at once and kept apart from labs", async ({
  page,
}) => {
  await page.goto("/ja/");
  const work = new Lab(page);
  await work.ready();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await expect(page.locator(".step")).toHaveCount(0);
  await page.locator(".screen").click();
  await work.run("kubectl get nodes -o name");
  expect(await work.lines()).toContain("node/control-plane");
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("pilothouse.lab."))))
    .toEqual(["pilothouse.lab.sandbox"]);
});

test("the simulator's download stays below its present bar, and a prompt comes soon", async ({ page }) => {
  const worker = page.waitForResponse(/worker-[^/]*\.js$/);
  const tools = page.waitForResponse(/tools-[^/]*\.js$/);
  await page.goto(`/fr/${lesson}`);
  const work = new Lab(page);
  const before = performance.now();
  await work.begin();
  const promptMs = Math.round(performance.now() - before);
  const gzipped = (bytes: Buffer): number => gzipSync(bytes, { level: 9 }).length;
  // With all that it cannot begin without.
  const parts = new Map<string, Buffer>();
  const add = async (name: string, body: Buffer): Promise<void> => {
    parts.set(name, body);
    for (const [, next = ""] of body.toString().matchAll(/from"\.\/([^"]+\.js)"/g))
      if (!parts.has(next)) await add(next, await (await page.request.get(`/assets/${next}`)).body());
  };
  await add("worker", await (await worker).body());
  expect(parts.size).toBeGreaterThan(1);
  const size = [...parts.values()].reduce((sum, bytes) => sum + gzipped(bytes), 0);
  const later = gzipped(await (await tools).body());
  const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KB`;
  console.log(`worker: ${kilobytes(size)} gzipped, tools: ${kilobytes(later)}; prompt after ${promptMs} ms`);
  expect(size).toBeLessThanOrEqual(376 * 1024);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  const overhang = (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  for (const [language, paths] of [["none", ["/", "/404.html"]], ...pagesOf] as const) {
    test(`no page in ${language} scrolls sideways`, async ({ page }) => {
      for (const path of paths) {
        await page.goto(path);
        expect(await overhang(page), path).toBe(0);
      }
    });
  }

  for (const locale of locales) {
    test(`no lesson in ${locale} scrolls sideways, nor does a figure in it`, async ({ page }) => {
      await page.goto(`/${locale}/`);
      const lessons = await page
        .locator(".chart-lessons a")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
      expect(lessons.length).toBeGreaterThan(20);
      const touched = touchedLabs(lessons.map(slugOf));
      const taken = shareOf("sideways", lessons, 12);
      for (const path of lessons) {
        if (!taken.has(path) && !touched.includes(slugOf(path))) continue;
        await page.goto(path);
        expect(await overhang(page), path).toBe(0);
        const figures = page.locator(".figure-drawing");
        expect(await figures.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length), path).toBe(0);
      }
    });

    testInTurn("the open lab does not scroll sideways, whatever it shows", locale, async ({ page }) => {
      await page.goto(`/${locale}/${lesson}`);
      await page.locator("[data-show=lab]").click();
      await new Lab(page).ready();
      for (const panel of [0, 1, 2, 3, 4]) {
        await page.locator(".panel-button").click();
        await page.locator("#panel-menu button").nth(panel).click();
        await expect(page.locator("[role=tabpanel]:not([hidden]) :is(input, select)").first()).toBeVisible();
        expect(await overhang(page), `panel ${panel}`).toBe(0);
      }
      for (const zone of [0, 2]) {
        await page.locator(".zone-button").nth(zone).click();
        expect(await overhang(page), `zone ${zone}`).toBe(0);
      }
    });
  }
});

test.describe("as it is sent", () => {
  test.use({ javaScriptEnabled: false });

  for (const [locale, paths] of pagesOf) {
    test(`every page in ${locale} names its language and the three others`, async ({ page }) => {
      await page.route("**", (route) => (route.request().resourceType() === "document" ? route.continue() : route.abort()));
      for (const path of paths) {
        await page.goto(path);
        const rest = path.slice(4);
        expect(await page.locator("html").getAttribute("lang"), path).toBe(languageTags[locale]);
        for (const other of locales) {
          const address = `/${other}/${rest}`;
          const alternate = page.locator(`link[rel=alternate][hreflang="${languageTags[other]}"]`);
          await expect(alternate, path).toHaveAttribute("href", address);
          await expect(page.getByRole("link", { name: localeNames[other] }).first(), path).toHaveAttribute("href", address);
        }
      }
    });
  }
});

test.describe("with a Japanese browser", () => {
  test.use({ locale: "ja-JP" });
  test("the front page offers Japanese first and sends nobody away", async ({ page }) => {
    await page.goto("/");
    await expect(page.locator("#languages a").first()).toHaveAttribute("href", "/ja/");
    await expect(page.locator("#languages a")).toHaveCount(4);
    expect(new URL(page.url()).pathname).toBe("/");
  });
});

test("the first Tab reaches the link that skips to the text", async ({ page }) => {
  await page.goto(`/es/${lesson}`);
  await page.keyboard.press("Tab");
  await expect(page.locator(".skip-link")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
});

test("a chosen theme holds over pages, before the first paint", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/fr/about/");
  await page.locator("[data-open-settings]").click();
  await page.getByLabel("Sombre").check();
  await page.goto("/fr/");
  expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  expect(await page.evaluate(() => getComputedStyle(document.body.parentElement ?? document.body).backgroundColor)).toBe(
    "rgb(15, 26, 43)",
  );
});

/** Of the whole course, written or not. */
const lessonsInAll = 199;

test("planned lessons are named and not linked", async ({ page }) => {
  await page.goto("/zh/");
  await expect(page.locator(".chart-part")).toHaveCount(14);
  const planned = page.locator(".chart-lessons.planned li");
  const written = readdirSync("content/lessons/zh", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".mdx"));
  await expect(planned).toHaveCount(lessonsInAll - written.length);
  await expect(planned.locator("a")).toHaveCount(0);
});
