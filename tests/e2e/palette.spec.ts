// The command palette: on every page by Ctrl-K and its button, in a lab by F1, where Ctrl-K is the shell's.

import { expect, type Page, test } from "@playwright/test";
import { Lab } from "./lab.test-kit.ts";
import { lesson } from "./pages.test-kit.ts";

const palette = (page: Page) => page.locator("#palette");
const options = (page: Page) => palette(page).getByRole("option");

test("leads to lessons, words and pages from a page without a lab, by keyboard", async ({ page }) => {
  await page.goto("/fr/glossary/");
  await page.keyboard.press("Control+k");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.type("creer deployment");
  await expect(options(page).first()).toContainText("Créer un Deployment");
  await expect(options(page).last()).toContainText("dans le texte des leçons");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/fr/${lesson}$`));
});

for (const [locale, typed, title] of [
  ["zh", "taint", "污点"],
  ["ja", "node", "ノード"],
  ["es", "nodo", "nodo"],
] as const) {
  test(`finds a word of the glossary in ${locale}`, async ({ page }) => {
    await page.goto(`/${locale}/`);
    await page.locator(".header [data-open-palette]").click();
    await palette(page).getByRole("combobox").fill(typed);
    await expect(options(page).filter({ hasText: title }).first()).toBeVisible();
  });
}

test("hands what it does not know to the search", async ({ page }) => {
  await page.goto("/fr/about/");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("zeppelin");
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.locator("#search input")).toHaveValue("zeppelin");
});

test("opens objects, panels and moments of the lab; in the terminal Ctrl-K cuts the line", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl create deployment web --image=nginx");
  await work.type("echo kept");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeHidden();
  await expect.poll(async () => (await work.lines()).at(-1)).toMatch(/\$$/);
  await page.keyboard.press("F1");
  await page.keyboard.type("web");
  const first = options(page).first();
  await expect(first).toContainText("Deployment web");
  await page.keyboard.press("Enter");
  await expect(page.locator(".sheet h3")).toContainText("Deployment web");
  await page.keyboard.press("F1");
  await palette(page).getByRole("combobox").fill("chronologie");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Chronologie" })).toBeFocused();
  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").fill("kubectl create");
  await options(page).filter({ hasText: "Revenir avant" }).click();
  await expect(page.locator(".run-notice")).toContainText("kubectl create deployment web");
});

test("an Enter that comes before the list is drawn opens what was meant", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await page.keyboard.press("F1");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Escape");
  // All in one turn of the browser: what the palette loads when it opens comes later.
  await page.evaluate(() => {
    const key = (target: Element, name: string) =>
      target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    key(document.body, "F1");
    const field = document.querySelector<HTMLInputElement>("#palette input");
    if (field === null) throw new Error("no field");
    field.value = "chronologie";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    key(field, "Enter");
  });
  await expect(page.getByRole("tab", { name: "Chronologie" })).toBeFocused();
});

test("pauses and resumes, and asks before a reset", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await page.keyboard.press("F1");
  await page.keyboard.type("pause");
  await expect(options(page).first()).toContainText("Mettre en pause");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Reprendre" })).toBeVisible();
  await page.locator(".bench-tools [data-open-palette]").click();
  await palette(page).getByRole("combobox").fill("reinitialiser");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toContainText("Réinitialiser le TP");
});
