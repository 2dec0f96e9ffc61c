// Search in the lessons: loads nothing before it is opened, finds words of the page's language, goes by keyboard.

import { expect, test } from "@playwright/test";
import { lesson } from "./pages.test-kit.ts";

/** A word inside a sentence of the lesson about Deployments, as a reader would type it. */
const words = { fr: "ordonnanceur", zh: "期望状态", ja: "望ましい状態", es: "planificador" } as const;

for (const [locale, word] of Object.entries(words)) {
  test(`finds "${word}" in ${locale} and opens a lesson by keyboard`, async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`/${locale}/about/`, { waitUntil: "networkidle" });
    expect(asked.filter((path) => /\/search\/|search-results/.test(path))).toEqual([]);
    await page.keyboard.press("/");
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.type(word);
    const first = page.locator(".search-results .search-lesson").first();
    await expect(first).toBeVisible();
    for (const link of await page.locator(".search-results a").all())
      expect(await link.getAttribute("href")).toMatch(new RegExp(`^/${locale}/`));
    await expect(page.locator(".search-results mark").first()).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(first).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.locator("main.lesson")).toBeVisible();
  });
}

test("says when nothing is found, and closes with Esc to where one was", async ({ page }) => {
  await page.goto(`/fr/${lesson}`);
  await page.locator("[data-open-search]").click();
  await page.keyboard.type("zzzzqqqq");
  await expect(page.locator("[data-search-said]")).toHaveText("Aucune leçon ne contient «\u202fzzzzqqqq\u202f».");
  await expect(page.locator("[data-search-advice]")).toContainText("le terme anglais");
  await expect(page.locator("[data-search-advice] a")).toHaveAttribute("href", "/fr/glossary/");
  await page.keyboard.press("Escape");
  await expect(page.locator("#search")).toBeHidden();
  await expect(page.locator("[data-open-search]")).toBeFocused();
});

test("says when the index cannot be loaded, and tries again at the next word", async ({ page }) => {
  await page.route("**/search/heads.json", (route) => route.abort());
  await page.goto("/es/about/");
  await page.keyboard.press("/");
  await page.keyboard.type("pod");
  await expect(page.locator("[data-search-said]")).toContainText("no se ha cargado");
  await page.unroute("**/search/heads.json");
  await page.keyboard.type("s");
  await expect(page.locator(".search-results li").first()).toBeVisible();
});

test("says when some lessons hold only a part of what was typed", async ({ page }) => {
  await page.goto("/zh/about/");
  await page.keyboard.press("/");
  await page.keyboard.type("Finalizer zzzzqqqq");
  await expect(page.locator("[data-search-said]")).toContainText("没有一节课包含全部关键词");
  await expect(page.locator(".search-lesson").first()).toBeVisible();
});

test("answers from titles and words before the texts have come, and says when they do not come", async ({ page }) => {
  await page.route("**/search/objects.json", (route) => route.abort());
  await page.goto("/ja/about/");
  await page.keyboard.press("/");
  await page.keyboard.type("レプリカセット");
  await expect(page.locator(".search-word a")).toHaveAttribute("href", "/ja/glossary/#replicaset");
  await expect(page.locator(".search-lesson").first()).toHaveAttribute("href", "/ja/workloads/replicaset-first/");
  await expect(page.locator("[data-search-said]")).toContainText("読み込めませんでした");
});

test("finds a capstone by its story", async ({ page }) => {
  await page.goto("/fr/about/");
  await page.keyboard.press("/");
  await page.keyboard.type("interphone pisteurs");
  await expect(page.locator(".search-lesson").first()).toHaveAttribute("href", "/fr/orientation/capstone/");
});
