// Every kind of page, in every language, on both papers: nothing that axe objects to.

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { locales } from "../../src/i18n/locales.ts";
import { lesson, pages } from "./pages.ts";

const papers = ["light", "dark"] as const;

async function violations(page: Page): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} — ${node.any[0]?.message ?? node.none[0]?.message ?? ""}`),
  );
}

for (const paper of papers) {
  test.describe(`on ${paper} paper`, () => {
    test.use({ colorScheme: paper, reducedMotion: "reduce" });

    for (const path of ["/", "/404.html", ...pages]) {
      test(`${path} has no accessibility violations`, async ({ page }) => {
        await page.goto(path);
        if (/^\/\w\w\/(sandbox\/)?$/.test(path)) await expect(page.locator(".nodes-ready")).toBeVisible();
        expect(await violations(page)).toEqual([]);
      });
    }

    for (const locale of locales) {
      test(`the open lab has no accessibility violations in ${locale}`, async ({ page }) => {
        await page.goto(`/${locale}/${lesson}`);
        await page.locator("[data-lab] [data-open-lab]").click();
        await expect(page.locator(".nodes-ready")).toBeVisible();
        await expect(page.locator("svg.cluster")).toBeVisible();
        expect(await violations(page)).toEqual([]);
      });
    }
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });

  for (const path of ["/fr/", "/zh/sandbox/"]) {
    test(`${path} has no accessibility violations`, async ({ page }) => {
      await page.goto(path);
      await page.locator("#lab").scrollIntoViewIfNeeded();
      await expect(page.locator(".screen:not([hidden])")).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });
  }
});

test("the open lab has no accessibility violations as a table, with hints, solution and the question about a reset", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`/fr/${lesson}`);
  await page.locator("[data-lab] [data-open-lab]").click();
  await page.locator(".switch button").nth(1).click();
  await page.locator(".step-tools .button").first().click();
  await page.locator(".step-tools .quiet").first().click();
  await page.locator(".bench-tools .button").click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("settings and shortcuts have no accessibility violations", async ({ page }) => {
  await page.goto("/ja/about/");
  await page.locator("[data-open-settings]").click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.locator("#shortcuts")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("search with results and an open card of a word have no accessibility violations", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`/fr/${lesson}`);
  await page.keyboard.press("/");
  await page.keyboard.type("Pod");
  await expect(page.locator(".search-results li").first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator(".term-word").first().click();
  await expect(page.locator(".term-card").first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
