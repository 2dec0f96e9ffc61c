// The whole lab by typing, in each language, on the real cluster.

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { type Locale, locales } from "../../src/i18n/locales.ts";
import type { UiStrings } from "../../src/i18n/translator.ts";
import { fillIn } from "../../src/lab/texts.ts";
import { testInTurn } from "./in-turn.test-kit.ts";
import { Lab, lab, textsIn } from "./lab.test-kit.ts";

for (const locale of locales) {
  testInTurn("the lab is done to its last step by typing", locale, async ({ page }) => {
    test.slow();
    const texts = textsIn(locale);
    const work = new Lab(page);
    await work.open(locale);
    for (const [index, step] of lab.steps.entries()) {
      await expect(work.current.locator(".step-title")).toHaveText(texts.steps[step.id]?.title ?? "");
      await work.runScript(step.solution);
      await expect(page.locator(".step[data-state=passed]")).toHaveCount(index + 1);
    }
    await expect(page.locator(".steps-done")).toBeVisible();
    await page.locator(".lab-end .button").click();
    await expect(page.locator(".review-step")).toHaveCount(lab.steps.length);
    await expect(page.locator('.review-step[data-passed="true"]')).toHaveCount(lab.steps.length);
    // The same commands leave the same cluster.
    await expect(page.locator(".review > .panel-note")).toHaveText(stringsOf(locale).workbench.review.same, { timeout: 60_000 });
    const kept: unknown = await page.evaluate(() => JSON.parse(localStorage.getItem("pilothouse.progress") ?? "{}"));
    expect(kept).toMatchObject({ lessons: { "deployment-create": { steps: lab.steps.map((step) => step.id), done: true } } });
  });

  testInTurn("a wrong attempt leaves its step open and says what is missing", locale, async ({ page }) => {
    const texts = textsIn(locale).steps["apply"]?.missing ?? {};
    const work = new Lab(page);
    await work.open(locale);
    await expect(work.missing.first()).toHaveText(plain(texts["exists"] ?? ""));
    await work.run("kubectl apply -f nginx-deployment.yaml; kubectl scale deployment nginx-deployment --replicas=2");
    await work.run("kubectl rollout status deployment nginx-deployment");
    await expect(work.missing).toHaveText([plain(fillIn(texts["ready"] ?? "", { wanted: "2", ready: "2" }))]);
    await expect(page.locator(".step[data-state=passed]")).toHaveCount(0);
  });
}

function stringsOf(locale: Locale): UiStrings {
  return JSON.parse(readFileSync(`src/i18n/${locale}.json`, "utf8"));
}

/** As it is read: without the marks of code. */
function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}
