// Around the lessons: keys, glossary, scroll track, sandbox, progress.

import { expect, test } from "@playwright/test";
import { locales } from "../../src/i18n/locales.ts";
import { Lab } from "./lab.test-kit.ts";
import { lesson } from "./pages.test-kit.ts";

test("n and p turn lessons, g and a letter go to a page, ? shows the keys", async ({ page }) => {
  /** A page listens to keys from its scripts on, not from its address on. */
  const arrive = async (at: RegExp): Promise<void> => {
    await expect(page).toHaveURL(at);
    await page.waitForLoadState();
  };
  await page.goto("/fr/orientation/what-is-kubernetes/");
  await page.keyboard.press("n");
  await arrive(/\/fr\/orientation\/from-servers-to-containers\/$/);
  await page.keyboard.press("p");
  await arrive(/\/fr\/orientation\/what-is-kubernetes\/$/);
  await page.keyboard.press("?");
  const shortcuts = page.getByRole("dialog", { name: "Raccourcis clavier" });
  await expect(shortcuts).toBeVisible();
  await page.keyboard.press("Escape");
  // Letters are a dialog's own until it has closed.
  await expect(shortcuts).toBeHidden();
  await page.keyboard.press("g");
  await page.keyboard.press("g");
  await arrive(/\/fr\/glossary\/$/);
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await arrive(/\/fr\/$/);
});

test("the second key of g takes as long as the reader does, and a click between them ends the wait", async ({ page }) => {
  await page.clock.install();
  await page.goto("/fr/orientation/what-is-kubernetes/");
  await page.keyboard.press("g");
  await page.mouse.click(5, 400);
  await page.keyboard.press("h");
  await page.keyboard.press("g");
  await page.clock.fastForward(60_000);
  await page.keyboard.press("g");
  await expect(page).toHaveURL(/\/fr\/glossary\/$/);
});

test("single keys do nothing once they are switched off, nor while one types", async ({ page }) => {
  await page.goto("/es/orientation/what-is-kubernetes/");
  await page.locator("[data-open-search]").click();
  await page.keyboard.type("n?p");
  await expect(page.locator("#search-words")).toHaveValue("n?p");
  await page.keyboard.press("Escape");
  await page.locator("[data-open-settings]").click();
  await page.getByLabel("Atajos de una tecla").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.keyboard.press("/");
  await expect(page.locator("dialog[open]")).toHaveCount(0);
  await expect(page).toHaveURL(/what-is-kubernetes/);
});

for (const locale of locales) {
  test(`a word's card shows the English and leads to the glossary in ${locale}`, async ({ page }) => {
    await page.goto(`/${locale}/${lesson}`);
    const word = page.locator(".term-word").first();
    await word.hover();
    const card = page.locator(".term-card").first();
    await expect(card).toBeVisible();
    await expect(card.locator("[lang=en]")).toHaveText("Pod template");
    await card.getByRole("link").click();
    await expect(page).toHaveURL(new RegExp(`/${locale}/glossary/#pod-template$`));
    const entry = page.locator("#pod-template");
    await expect(entry).toBeInViewport();
    await expect(entry.locator(".entry-english")).toHaveText("Pod template");
    // Among the lessons that explain it.
    await expect(entry.locator(`.entry-lessons a[href="/${locale}/${lesson}"]`)).toHaveCount(1);
  });
}

test("a card opens when the keyboard comes to its word and closes when it leaves", async ({ page }) => {
  await page.goto(`/fr/${lesson}`);
  const card = page.locator(".term-card").first();
  await page.locator(".term-word").first().focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(card).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toBeHidden();
});

test("the track marks the section one reads and leads to others", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/ja/${lesson}`);
  const links = page.locator("[data-track] a");
  expect(await links.count()).toBeGreaterThan(3);
  await links.nth(3).click();
  await expect(links.nth(3)).toHaveAttribute("aria-current", "true");
  await expect(page.locator(".text h2").nth(3)).toBeInViewport();
});

test("the sandbox opens at once, changes its starting point, and the address remembers it", async ({ page }) => {
  await page.goto("/zh/sandbox/");
  const work = new Lab(page);
  await work.ready();
  await page.locator("[data-preset=sandbox-one]").click();
  await expect(page).toHaveURL(/#sandbox-one$/);
  await work.ready();
  await page.locator(".screen:not([hidden])").click();
  await work.run("kubectl get nodes -o name");
  expect(await work.lines()).not.toContain("node/node-2");
  await page.reload();
  await work.ready();
  await expect(page.locator("[data-preset][aria-current]")).toHaveAttribute("data-preset", "sandbox-one");
});

test("progress is shown, exported, and taken up by another browser", async ({ page, browser }) => {
  await page.goto(`/es/${lesson}`);
  const quiz = page.locator("[data-quiz]").first();
  await quiz.locator("[data-answer=right]").first().check();
  await quiz.getByRole("button").click();
  await page.goto("/es/orientation/what-is-kubernetes/");
  await page.locator("[data-mark-done]").click();
  await page.goto("/es/progress/");
  const item = (slug: string) => page.locator(`main [data-lesson="${slug}"]`);
  await expect(page.locator("[data-progress-summary]")).toContainText("1 de ");
  await expect(item("deployment-create")).toContainText("en curso");
  await expect(item("deployment-create")).toContainText("preguntas 1/");
  await expect(item("what-is-kubernetes")).toContainText("completada");
  await expect(page.locator("[data-resume]")).toHaveAttribute("href", "/es/orientation/what-is-kubernetes/");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("main [data-export]").click()]);

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto(new URL("/ja/progress/", page.url()).href);
  await expect(other.locator("[data-progress-summary]")).toHaveText("まだ何も始めていません。");
  await other.locator("[data-import]").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await expect(other.locator("[data-import-said]")).toContainText("進捗がありません");
  await other.locator("[data-import]").setInputFiles(await download.path());
  await expect(other.locator('main [data-lesson="what-is-kubernetes"]')).toContainText("完了");
  await elsewhere.close();
});
