// Every lab as a learner goes through it, by typing: a mistake that leaves its step open and is taken back, a mistake after which
// the step is begun again, and each step's solution to the last. What the proofs say of every lab (tests/labs) holds in a browser
// too, and so do going back and beginning a step again. A capstone is done against the clock, from the last task to the first. Which labs a run takes says `../labs/choice.ts` (PILOTHOUSE_LABS=ID, or all).
// The languages take turns; PILOTHOUSE_E2E_LOCALE names the one in which they are done, or `all` for each lab in each.

import { readdirSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { type Locale, locales } from "../../src/i18n/locales.ts";
import { labFromSources, labTextsFromSources } from "../../src/lab/catalog.ts";
import type { LabDefinition, WrongAttempt } from "../../src/lab/definition.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { mistakesIn } from "../labs/mistakes.ts";
import { labsToType } from "../labs/typing.ts";
import { inTurn } from "../turns.ts";
import { Lab } from "./lab.test-kit.ts";

const sources = readLabSources();
const all = labsToType(sources).chosen.map((id) => labFromSources(sources, id));
const labs = all.filter(({ capstone }) => capstone !== true);
const capstones = all.filter(({ capstone }) => capstone === true);
/** All languages get their share, and at another commit another one. */
const order = inTurn(all.map(({ id }) => id));
const lessons = readdirSync("content/lessons/fr", { recursive: true, encoding: "utf8" });
/** A long run is played again on a busy machine. */
const replayMs = 180_000;
const wanted = process.env["PILOTHOUSE_E2E_LOCALE"];

// The seed that the proofs know: one drawn at random would make each run another one. `../labs/seeds.ts` looks at others.
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    const draw = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = (array) => (array instanceof Uint32Array && array.length === 1 ? array.fill(7) : draw(array));
  });
});

/** Those in which a lab is done. */
function localesOf({ id }: LabDefinition): readonly Locale[] {
  if (wanted === undefined) return [locales[order.indexOf(id) % locales.length] as Locale];
  return locales.filter((locale) => wanted === "all" || wanted === locale);
}

for (const lab of labs) {
  for (const locale of localesOf(lab)) {
    const turn = locales.indexOf(locale);
    test(`the lab ${lab.id} is done to its last step in ${locale}, by typing, with mistakes that are taken back`, async ({
      page,
    }) => {
      test.slow();
      const texts = labTextsFromSources(sources, lab, locale);
      const mistakes = mistakesIn(lab);
      expect(mistakes).not.toEqual([]);
      const takenBack = mistakes[turn % mistakes.length];
      const begunAgain = mistakes[(turn + Math.ceil(mistakes.length / 2)) % mistakes.length];
      const work = new Lab(page);
      await page.goto(`/${locale}/${lessonOf(lab.id)}`);
      await work.begin();
      for (const [index, step] of lab.steps.entries()) {
        const missing = texts.steps[step.id]?.missing ?? {};
        await expect(work.current.locator(".step-title")).toHaveText(texts.steps[step.id]?.title ?? "");
        if (step === takenBack?.step) {
          const before = await work.moment();
          await makeMistake(work, takenBack.attempt, missing, index);
          await work.goBackTo(before);
          await startAnew(work, index);
        }
        if (step === begunAgain?.step) {
          await makeMistake(work, begunAgain.attempt, missing, index);
          await work.current.locator(".step-tools .button").last().click();
          await startAnew(work, index);
        }
        await work.runScript(step.solution);
        await work.wait((options) => expect(work.passed).toHaveCount(index + 1, options));
      }
      await expect(page.locator(".steps-done")).toBeVisible();
    });
  }
}

for (const capstone of capstones) {
  for (const locale of localesOf(capstone)) {
    test(`the capstone ${capstone.id} is done against the clock in ${locale}, from the last task to the first, and reviewed`, async ({
      page,
    }) => {
      test.slow();
      const texts = labTextsFromSources(sources, capstone, locale);
      const work = new Lab(page);
      await page.goto(`/${locale}/${capstone.id.replace("capstone-", "")}/capstone/`);
      await work.begin();
      const question = page.getByRole("alertdialog");
      await question.locator("[type=submit]").click();
      await expect(question).toBeHidden();
      await work.ready();
      await expect(page.getByRole("timer")).toBeVisible();
      const tasks = capstone.steps.toReversed();
      for (const [index, step] of tasks.entries()) {
        const task = work.steps.nth(tasks.length - 1 - index);
        await expect(task.locator(".step-title")).toHaveText(texts.steps[step.id]?.title ?? "");
        await work.runScript(step.solution);
        await work.wait((options) => expect(task).toHaveAttribute("data-state", "passed", options));
        await expect(work.passed).toHaveCount(index + 1);
      }
      await expect(page.locator(".exam-line[data-good=true]").first()).toBeVisible();
      await page.locator(".lab-end .button").first().click();
      await expect(page.locator(".review-lesson a")).toHaveCount(tasks.length);
      await expect(page.locator(".review-step[data-passed=true]")).toHaveCount(tasks.length);
    });
  }
}

function lessonOf(labId: string): string {
  const path = lessons.find((each) => each.endsWith(`/${labId}.mdx`));
  if (path === undefined) throw new Error(`no lesson is named after the lab ${labId}`);
  return path.replace(/\.mdx$/, "/");
}

/** Types a wrong attempt: the step stays open, also a minute later, and says what is missing in the lab's language. */
async function makeMistake(
  work: Lab,
  { commands, fails }: WrongAttempt,
  missing: Readonly<Record<string, string>>,
  passed: number,
): Promise<void> {
  const said = fails.map((check) => asRead(missing[check] ?? ""));
  await work.runScript(commands);
  await work.skipMinute();
  await expect(work.missing).toHaveText(said);
  await expect(work.passed).toHaveCount(passed);
}

/** The lab has gone back: what had passed by then has passed, and the mistake is as if it had not been. */
async function startAnew(work: Lab, passed: number): Promise<void> {
  await expect(work.page.locator(".speeds button").first()).toHaveAttribute("aria-pressed", "true");
  await expect(work.page.locator(".run-notice"), "the run played again up to there").toBeVisible({ timeout: replayMs });
  // The step may have opened while the next line was being typed, or while the last one still ran.
  await work.focus();
  await work.page.keyboard.press("Control+c");
  await work.ready();
  await expect(work.passed).toHaveCount(passed);
}

/** A sentence as it is read, whatever its values are, as long as they are text. */
function asRead(markdown: string): RegExp {
  const parts = markdown
    .trim()
    .replaceAll("`", "")
    .split(/\{\w+\}/);
  const literal = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"));
  return new RegExp(`^${literal.join("(?:(?!\\[object )[^])*")}$`);
}
