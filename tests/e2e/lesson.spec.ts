// What a reader does in a lesson: run, copy, answer, look up, finish, and find it all again.

import { expect, test } from "@playwright/test";
import { lesson } from "./pages.test-kit.ts";

test("Run opens the lab and types the block into the terminal", async ({ page }) => {
  await page.goto(`/fr/${lesson}`);
  await page.locator("[data-run-block]").nth(0).click();
  await expect(page.locator(".xterm-rows")).toContainText("deployment.apps/web created");
});

test("Copy puts the block on the clipboard and says so", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/fr/${lesson}`);
  const block = page.locator("[data-block=run]").first();
  await block.locator("[data-copy-block]").click();
  await expect(block.getByRole("status")).toHaveText("Copié");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^kubectl /);
});

test("a question is answered by keyboard; the reason is said and a right answer is kept", async ({ page }) => {
  await page.goto(`/fr/${lesson}`);
  const quiz = page.locator("[data-quiz]").first();
  const said = quiz.getByRole("status");
  await quiz.getByRole("button").click();
  await expect(said).toHaveText("Choisissez d’abord une réponse.");
  await quiz.locator("[data-answer=wrong]").first().focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(said).toContainText("Mauvaise réponse.");
  await quiz.locator("[data-answer=right]").first().check();
  await quiz.getByRole("button").click();
  await expect(said).toContainText("Bonne réponse.");
  const kept: unknown = await page.evaluate(() => JSON.parse(localStorage.getItem("pilothouse.progress") ?? "{}"));
  expect(kept).toMatchObject({ lessons: { "deployment-create": { questions: [0] } } });
});

test("a glossary card opens by keyboard and closes with Esc", async ({ page }) => {
  await page.goto(`/fr/${lesson}`);
  await page.locator(".term-word").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".term-card").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator(".term-card").first()).toBeHidden();
});

test("a lesson marked as completed is marked on the home page too", async ({ page }) => {
  await page.goto(`/es/${lesson}`);
  await page.locator("[data-mark-done]").click();
  await expect(page.locator("[data-mark-done]")).toHaveAttribute("aria-pressed", "true");
  await page.goto("/es/");
  await expect(page.locator('[data-lesson="deployment-create"]')).toHaveAttribute("data-state", "done");
  await expect(page.locator("[data-resume]")).toHaveAttribute("href", `/es/${lesson}`);
});

test("a browser that keeps nothing gets a page that works and a sentence that says so", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  await page.goto(`/fr/${lesson}`);
  await page.locator("[data-mark-done]").click();
  await expect(page.locator("[data-mark-done]")).toHaveAttribute("aria-pressed", "true");
  await page.locator("[data-open-settings]").click();
  await expect(page.locator("[data-storage-denied]")).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("a figure is shown over the whole screen and goes back to its place, by keyboard", async ({ page }) => {
    await page.goto("/ja/orientation/cluster-components/");
    const figure = page.locator("figure.figure").first();
    await figure.locator("[data-enlarge]").focus();
    await page.keyboard.press("Enter");
    const drawing = page.locator("dialog[open] svg[role=img]");
    const { width, height } = (await drawing.boundingBox()) ?? { width: 0, height: 0 };
    expect(Math.round(width)).toBeGreaterThan(340);
    expect(Math.round(height)).toBeGreaterThan(700);
    await page.keyboard.press("Escape");
    await expect(figure.locator("svg[role=img]")).toBeVisible();
    await expect(figure.locator("[data-enlarge]")).toBeFocused();
  });
});

test("opening the lab beside the text keeps the reader's place", async ({ page }) => {
  await page.setViewportSize({ width: 1100, height: 800 });
  await page.goto(`/fr/${lesson}`);
  const heading = page.locator(".text h2").nth(2);
  await heading.evaluate((element) => element.scrollIntoView());
  const top = async (): Promise<number> => Math.round((await heading.boundingBox())?.y ?? 0);
  const before = await top();
  expect((await page.locator(".lesson").boundingBox())?.width).toBeGreaterThan(800);
  await page.locator("[data-lab] [data-open-lab]").click();
  await expect(page.locator(".nodes-ready")).toBeVisible();
  expect((await page.locator("#lab").boundingBox())?.width).toBeGreaterThan(590);
  expect(Math.abs((await top()) - before)).toBeLessThan(4);
});
