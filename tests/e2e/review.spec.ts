// Review: questions of finished lessons come back, are kept with the progress, and one of them opens the quiz of a new lesson.

import { expect, type Page, test } from "@playwright/test";
import { lesson } from "./pages.test-kit.ts";

const start = new Date(2026, 2, 2, 10);
const dayMs = 86_400_000;

const daysLater = (days: number): Date => new Date(start.getTime() + days * dayMs);

/** A reader who finished a lesson of the first part on 2 March. */
async function finish(page: Page, locale: string): Promise<void> {
  await page.clock.setFixedTime(start);
  await page.goto(`/${locale}/orientation/what-is-kubernetes/`);
  await page.locator("[data-mark-done]").click();
}

async function answer(page: Page, kind: "right" | "wrong"): Promise<void> {
  await page.locator(`.look-back [data-answer=${kind}]`).first().check();
  await page.locator(".look-back button[type=submit]").click();
}

test("says what to do while nothing is finished, and when the first question comes", async ({ page }) => {
  await page.goto("/zh/review/");
  await expect(page.locator("[data-review-summary]")).toContainText("先学完一课");
  await expect(page.locator("[data-review-scores]")).toBeHidden();
  await finish(page, "zh");
  await page.goto("/zh/review/");
  await expect(page.locator("[data-review-summary]")).toHaveText("今天没有要复习的题。下一道题：明天。");
  await expect(page.locator("[data-review-list] li:visible")).toHaveCount(1);
});

test("asks what is due, says why an answer is wrong, asks it again, and remembers when each comes back", async ({ page }) => {
  await finish(page, "fr");
  await page.clock.setFixedTime(daysLater(1));
  await page.goto("/fr/progress/");
  await expect(page.locator("[data-review-due]")).toHaveText("3 questions à revoir aujourd’hui");
  await page.locator(".progress-review a").click();
  await expect(page.locator("[data-review-summary]")).toHaveText("3 questions à revoir aujourd’hui");
  await answer(page, "wrong");
  await expect(page.locator(".look-back .quiz-said")).toContainText("Mauvaise réponse.");
  await expect(page.locator(".look-back .quiz-said")).toContainText("reviendra à la fin");
  for (let left = 3; left > 0; left -= 1) {
    await page.locator("[data-review-next]").click();
    await answer(page, "right");
    await expect(page.locator(".look-back .quiz-said")).toContainText("Bonne réponse.");
  }
  await page.locator("[data-review-next]").click();
  await expect(page.locator("[data-review-summary]")).toHaveText("Rien à revoir aujourd’hui. Prochaine question : demain.");
  const kept: unknown = await page.evaluate(() => JSON.parse(localStorage.getItem("pilothouse.progress") ?? "{}"));
  expect(kept).toMatchObject({
    lessons: { "what-is-kubernetes": { recalls: { 0: { box: 0 }, 1: { box: 1 }, 2: { box: 1 } } } },
  });
  await page.clock.setFixedTime(daysLater(2));
  await page.reload();
  await expect(page.locator("[data-review-summary]")).toHaveText("1 question à revoir aujourd’hui");
});

test("is done by keyboard alone", async ({ page }) => {
  await finish(page, "es");
  await page.clock.setFixedTime(daysLater(1));
  await page.goto("/es/review/");
  await page.locator(".look-back [data-answer=right]").first().focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page.locator(".look-back .quiz-said")).toContainText("Respuesta correcta.");
  await page.locator("[data-review-next]").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-review-summary]")).toHaveText("2 preguntas para repasar hoy");
  await expect(page.locator(".look-back input").first()).toBeFocused();
});

test("a question of an earlier part opens the quiz of a new lesson, the same when the page is read again", async ({ page }) => {
  await finish(page, "ja");
  await page.clock.setFixedTime(daysLater(3));
  await page.goto(`/ja/${lesson}`);
  await expect(page.locator(".look-back")).toHaveCount(0);
  await page.locator("[data-quiz]").first().scrollIntoViewIfNeeded();
  const question = page.locator(".look-back .quiz-question");
  await expect(question).toBeVisible();
  await expect(page.locator(".look-back .kicker")).toContainText("前のレッスンの復習");
  const asked = await question.textContent();
  await answer(page, "right");
  await expect(page.locator(".look-back .quiz-said")).toContainText("正解です。");
  await page.reload();
  await page.locator("[data-quiz]").first().scrollIntoViewIfNeeded();
  await expect(question).toHaveText(asked ?? "");
  await page.goto("/ja/review/");
  await expect(page.locator("[data-review-summary]")).toContainText("2問");
});

test("nothing is asked, and nothing loaded for it, where nothing was finished", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/fr/${lesson}`);
  await page.locator("[data-quiz]").first().scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  expect(asked.filter((path) => /questions|look-back/.test(path))).toEqual([]);
  await expect(page.locator(".look-back")).toHaveCount(0);
});
