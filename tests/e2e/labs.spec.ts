// One lab a language by typing: that what the proofs say of every lab (tests/labs) holds in a browser too. Between them they use
// the registry, Services, finalizers and volumes; lab.spec.ts types the lab of the first lesson.

import { readdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { labFromSources } from "../../src/lab/catalog.ts";
import { readLabSources } from "../labs.ts";
import { Lab } from "./lab.ts";

const sources = readLabSources();
const lessons = readdirSync("content/lessons/fr", { recursive: true, encoding: "utf8" });
const typed = [
  ["fr", "what-is-kubernetes"],
  ["zh", "imperative-commands"],
  ["ja", "from-servers-to-containers"],
  ["es", "finalizers"],
] as const;

for (const [locale, id] of typed) {
  test(`the lab ${id} is done to its last step by typing in ${locale}`, async ({ page }) => {
    test.slow();
    const lesson = lessons
      .find((path) => path.endsWith(`/${id}.mdx`))
      ?.replace(/mdx$/, "")
      .replace(/\.$/, "/");
    await page.goto(`/${locale}/${lesson}`);
    const work = new Lab(page);
    await work.begin();
    const { steps } = labFromSources(sources, id);
    for (const [place, step] of steps.entries()) {
      await work.runScript(step.solution);
      await expect(page.locator(".step[data-state=passed]")).toHaveCount(place + 1);
    }
    await expect(page.locator(".steps-done")).toBeVisible();
  });
}
