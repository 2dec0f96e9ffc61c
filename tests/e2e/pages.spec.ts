// Languages, addresses, weight and width of pages.

import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { languageTags, localeNames, locales } from "../../src/i18n/locales.ts";
import { lesson, pages } from "./pages.ts";

const scriptBudgetBytes = 30 * 1024;

test("a lesson whose lab is not opened loads at most 30 KB of script, gzipped", async ({ page }) => {
  const sizes: number[] = [];
  page.on("response", async (response) => {
    if (response.request().resourceType() === "script") sizes.push(gzipSync(await response.body()).length);
  });
  await page.goto(`/fr/${lesson}`, { waitUntil: "networkidle" });
  const inline = await page.locator("script:not([src])").allTextContents();
  const total = [...sizes, ...inline.map((text) => gzipSync(text).length)].reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(scriptBudgetBytes);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });
  for (const path of ["/", ...pages]) {
    test(`${path} does not scroll sideways`, async ({ page }) => {
      await page.goto(path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    });
  }
});

for (const path of pages) {
  test(`${path} names its language and the three others`, async ({ page }) => {
    await page.goto(path);
    const locale = path.slice(1, 3);
    const rest = path.slice(4);
    const tag = locales.filter((other) => other === locale).map((other) => languageTags[other]);
    expect([await page.locator("html").getAttribute("lang")]).toEqual(tag);
    for (const other of locales) {
      await expect(page.locator(`link[rel=alternate][hreflang="${languageTags[other]}"]`)).toHaveAttribute(
        "href",
        `/${other}/${rest}`,
      );
      await expect(page.getByRole("link", { name: localeNames[other] }).first()).toHaveAttribute("href", `/${other}/${rest}`);
    }
  });
}

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

test("planned lessons are named and not linked", async ({ page }) => {
  await page.goto("/zh/");
  await expect(page.locator(".chart-part")).toHaveCount(14);
  const planned = page.locator(".chart-lessons.planned li");
  expect(await planned.count()).toBeGreaterThan(150);
  await expect(planned.locator("a")).toHaveCount(0);
});
