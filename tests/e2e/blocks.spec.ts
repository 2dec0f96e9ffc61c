// Blocks of code in a lesson: output below a prediction waits, commands are not torn, what goes on beyond the edge shows it.

import { expect, test } from "@playwright/test";

const path = "objects/labels/";

test("the output below a prediction appears once the reader has compared, by keyboard, and stays", async ({ page }) => {
  await page.goto(`/fr/${path}`);
  const output = page.locator("[data-awaits]").first();
  await expect(output.locator("pre")).toBeHidden();
  await expect(output.locator(".output-waits")).toContainText("La sortie s’affiche quand");
  await page.locator("[data-prediction] summary").first().focus();
  await page.keyboard.press("Enter");
  await expect(output.locator("pre")).toBeVisible();
  await expect(output.locator(".output-waits")).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(output.locator("pre")).toBeVisible();
  await expect(page.locator("[data-awaits]").nth(1).locator("pre")).toBeHidden();
});

test("the output below a prediction appears once its command was run", async ({ page }) => {
  await page.goto(`/es/${path}`);
  await page.locator("[data-reveals='1'] [data-run-block]").last().click();
  await expect(page.locator("[data-awaits='1'] pre")).toBeVisible({ timeout: 30_000 });
});

test("print shows every output", async ({ page }) => {
  await page.goto(`/zh/${path}`);
  await page.emulateMedia({ media: "print" });
  for (const pre of await page.locator("[data-awaits] pre").all()) await expect(pre).toBeVisible();
  await expect(page.locator(".output-waits").first()).toBeHidden();
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });

  test("every output is shown", async ({ page }) => {
    await page.goto(`/ja/${path}`);
    expect(await page.locator("[data-awaits] pre").count()).toBeGreaterThan(0);
    for (const pre of await page.locator("[data-awaits] pre").all()) await expect(pre).toBeVisible();
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("no word of a command is torn, and nothing else than spaces ends a line", async ({ page }) => {
    for (const lesson of [path, "objects/recommended-labels/", "objects/field-selectors/"]) {
      await page.goto(`/fr/${lesson}`);
      const torn = await page
        .locator(".block.run .whole")
        .evaluateAll((words) =>
          words
            .filter(
              (word) =>
                word.getClientRects().length > 0 &&
                new Set([...word.getClientRects()].map(({ top }) => Math.round(top / 8))).size > 1,
            )
            .map((word) => word.textContent),
        );
      expect(torn).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
  });
});
