// Every other lab by typing, each in one of the languages: that their proofs hold in a browser too.

import { readdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { locales } from "../../src/i18n/locales.ts";
import { labFromSources, labIds } from "../../src/lab/catalog.ts";
import { readLabSources } from "../labs.ts";
import { lab as first, Lab } from "./lab.ts";

const sources = readLabSources();
const lessons = readdirSync("content/lessons/fr", { recursive: true, encoding: "utf8" });
const others = labIds(sources).filter((id) => id !== first.id && labFromSources(sources, id).steps.length > 0);

for (const [index, id] of others.entries()) {
  const locale = locales[index % locales.length] ?? "fr";
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
