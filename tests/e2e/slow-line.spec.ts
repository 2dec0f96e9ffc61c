// Over a line as a phone has it in the country: what happens is seen, and what is typed before the cluster can do it is not lost.

import { expect, type Page, test } from "@playwright/test";
import { SiteServer } from "../site-server.ts";
import { SlowLine } from "../slow-line.ts";
import { Lab } from "./lab.test-kit.ts";
import { lesson } from "./pages.test-kit.ts";

let site: SiteServer;
let line: SlowLine;

test.beforeEach(async () => {
  site = new SiteServer();
  await site.start();
  line = await SlowLine.open({ bitsPerSecond: 1.6e6, roundTripMs: 150 }, Number(new URL(site.origin).port));
});

test.afterEach(async () => {
  line.close();
  await site.stop();
});

test("a lab that comes slowly says so, and keeps what is typed meanwhile", async ({ page }) => {
  await page.goto(`${line.origin}/fr/${lesson}`);
  await page.locator("[data-lab] [data-open-lab]").click();
  await expect(page.locator("[data-lab-said]")).not.toBeEmpty();
  // The terminal is there before kubectl is.
  const tools = page.waitForResponse(/tools-[^/]*\.js$/);
  await page.locator(".screen:not([hidden]) .xterm-helper-textarea").focus();
  await page.keyboard.type("kubectl get nodes -o name");
  await page.keyboard.press("Enter");
  await (await tools).finished();
  const work = new Lab(page);
  await expect.poll(() => work.lines()).toContain("node/node-3");
  await work.ready();
});

/** The scripts of a page come once `come` is called. */
async function holdScripts(page: Page): Promise<{ readonly come: () => void }> {
  let come = (): void => undefined;
  const scripts = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await scripts;
    await route.continue();
  });
  return { come };
}

test("a button that is pressed before the scripts have come does what it says once they are there", async ({ page }) => {
  const { come } = await holdScripts(page);
  await page.goto(`${site.origin}/fr/${lesson}`, { waitUntil: "commit" });
  await page.locator("[data-lab] [data-open-lab]").click();
  await page.locator("[data-lab] .lab-pitch").click();
  come();
  await new Lab(page).ready();
});

test("an answer that is given before the scripts have come is looked at once they are there", async ({ page }) => {
  const { come } = await holdScripts(page);
  await page.goto(`${site.origin}/fr/${lesson}`, { waitUntil: "commit" });
  const quiz = page.locator("form.quiz").first();
  await quiz.locator("input").first().check();
  await quiz.locator("[type=submit]").click();
  come();
  await expect(quiz.locator(".quiz-said")).not.toBeEmpty();
  expect(page.url()).toBe(`${site.origin}/fr/${lesson}`);
});
