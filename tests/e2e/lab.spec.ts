// The whole lab by typing, in each language, on the real cluster.

import { expect, test } from "@playwright/test";
import { locales } from "../../src/i18n/locales.ts";
import { fillIn } from "../../src/lab/texts.ts";
import { Lab, lab, textsIn } from "./lab.ts";

for (const locale of locales) {
  test(`the lab is done to its last step by typing in ${locale}`, async ({ page }) => {
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
    const kept: unknown = await page.evaluate(() => JSON.parse(localStorage.getItem("pilothouse.progress") ?? "{}"));
    expect(kept).toMatchObject({ lessons: { "deployment-create": { steps: lab.steps.map((step) => step.id), done: true } } });
  });

  test(`a wrong attempt leaves its step open and says what is missing in ${locale}`, async ({ page }) => {
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

/** As it is read: without the marks of code. */
function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}
