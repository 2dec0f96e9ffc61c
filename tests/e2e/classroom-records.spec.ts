// What a class takes away, over the real server: certificates made, checked, printed and found by the learner; exports.

import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import type { RunPart } from "../../src/classroom/wire.ts";
import { stringsFor } from "../../src/i18n/build.ts";
import { type Locale, locales } from "../../src/i18n/locales.ts";
import { Classroom } from "./classroom-teacher.test-kit.ts";
import { turnOf } from "./in-turn.test-kit.ts";

const lab = "deployment-create";
const startMs = Date.UTC(2026, 0, 15, 9);
const run: RunPart = {
  seed: 7,
  startMs,
  nowMs: startMs + 40_000,
  format: 1,
  world: null,
  from: 0,
  entries: [],
  hints: {},
  solutions: [],
  claims: ["apply"],
  writer: "lea",
  takesOver: null,
};

let classroom: Classroom;
test.beforeEach(async () => {
  classroom = await Classroom.start();
});
test.afterEach(() => classroom.stop());

/** A teacher at the records of a class in which Léa has a result. */
async function atRecords(page: Page, locale: Locale): Promise<void> {
  const t = stringsFor(locale);
  await page.goto(`${classroom.origin}/${locale}/class/#${await classroom.invitation()}`);
  await page.getByLabel(t("classroom.teacher.signUp.name")).fill("Ada");
  await page.getByLabel(t("classroom.teacher.signUp.password"), { exact: true }).fill("twelve letters at least");
  await page.getByRole("button", { name: t("classroom.teacher.signUp.submit") }).click();
  await page.getByLabel(t("classroom.teacher.classes.name")).fill("Terminale");
  await page.getByRole("button", { name: t("classroom.teacher.classes.submit"), exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terminale");
  const { code } = await classroom.theClass();
  await (await classroom.learner(code, "Léa", locale)).sends(lab, run);
  await classroom.resultsSettled();
  await page.getByRole("link", { name: t("classroom.teacher.tabs.records"), exact: true }).click();
}

async function makeCertificate(page: Page, locale: Locale): Promise<string> {
  const t = stringsFor(locale);
  await page.getByText(t("classroom.teacher.records.make", { name: "Léa" })).click();
  await page.getByRole("button", { name: t("classroom.teacher.records.submit") }).click();
  const link = page.locator(".records a");
  await expect(link).toHaveText(/^([A-Z2-9]{4}-){2}[A-Z2-9]{4}$/);
  return (await link.textContent()) ?? "";
}

async function violations(page: Page): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
}

const isWiderThanWindow = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

for (const locale of locales)
  turnOf("certificates", locale)(
    `a teacher makes a certificate, anybody checks it, in ${locale}`,
    async ({ page, browser }, info) => {
      const t = stringsFor(locale);
      await atRecords(page, locale);
      await expect(page.getByText(t("classroom.teacher.records.ltiNone"))).toBeVisible();
      const code = await makeCertificate(page, locale);
      expect(await violations(page)).toEqual([]);
      await page.screenshot({ path: info.outputPath(`records-${locale}.png`), fullPage: true });
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await isWiderThanWindow(page)).toBe(false);
      await page.screenshot({ path: info.outputPath(`records-phone-${locale}.png`), fullPage: true });

      const stranger = await (await browser.newContext({ colorScheme: "dark" })).newPage();
      await stranger.goto(`${classroom.origin}/${locale}/verify/`);
      await stranger.getByLabel(t("classroom.certificate.code")).fill(code.toLowerCase());
      await stranger.keyboard.press("Enter");
      const verdict = stranger.locator("[data-verdict]");
      await expect(verdict).toHaveText(t("classroom.certificate.good", { school: "Lycée Ada" }));
      await expect(stranger.locator("[data-learner]")).toHaveText("Léa");
      await expect(stranger.locator("[data-items] tr")).toHaveCount(1);
      await expect(stranger.locator("[data-items] td")).toHaveText(/10.*\d+/);
      expect(await violations(stranger)).toEqual([]);
      await stranger.setViewportSize({ width: 390, height: 844 });
      expect(await isWiderThanWindow(stranger)).toBe(false);
      await stranger.screenshot({ path: info.outputPath(`certificate-phone-dark-${locale}.png`), fullPage: true });
      await stranger.emulateMedia({ media: "print", colorScheme: "light" });
      await expect(stranger.locator("h1")).toBeHidden();
      await stranger.setViewportSize({ width: 794, height: 1123 });
      await stranger.screenshot({ path: info.outputPath(`certificate-print-${locale}.png`) });
      await stranger.context().close();

      // Withdrawn, the same link says so.
      await page.getByRole("button", { name: t("classroom.teacher.records.withdrawOne", { code }) }).click();
      await expect(page.getByRole("button", { name: t("classroom.teacher.records.withdrawOne", { code }) })).toHaveCount(0);
      await page.getByRole("link", { name: code }).click();
      await expect(page.locator("[data-verdict]")).toHaveAttribute("data-state", "withdrawn");
      await expect(page.locator("[data-sheet]")).toBeVisible();
    },
  );

test("the file of a certificate holds as it was given, and not when a letter is changed", async ({ page }) => {
  const t = stringsFor("es");
  await atRecords(page, "es");
  const code = await makeCertificate(page, "es");
  await page.goto(`${classroom.origin}/es/verify/#${code}`);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: t("classroom.certificate.save") }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe(`${code}.jwt`);
  const path = await saved.path();
  await page.getByText(t("classroom.certificate.byFile")).click();
  await page.getByLabel(t("classroom.certificate.file")).setInputFiles({
    name: "c.jwt",
    mimeType: "application/jwt",
    buffer: await readFile(path),
  });
  const check = page.locator("[data-by-file] button");
  await check.click();
  await expect(page.locator("[data-verdict]")).toHaveText(t("classroom.certificate.good", { school: "Lycée Ada" }));
  const [head, body = "", signature] = (await readFile(path, "utf8")).split(".");
  const richer = Buffer.from(Buffer.from(body, "base64url").toString().replace('"value":"10"', '"value":"90"')).toString(
    "base64url",
  );
  await page.getByLabel(t("classroom.certificate.file")).setInputFiles([]);
  await page.getByLabel(t("classroom.certificate.text")).fill(`${head}.${richer}.${signature}`);
  await check.click();
  await expect(page.locator("[data-verdict]")).toHaveText(t("classroom.certificate.changed"));
  await expect(page.locator("[data-sheet]")).toBeHidden();
});

test("the statements are taken away with names only when they are asked for", async ({ page }) => {
  const t = stringsFor("ja");
  await atRecords(page, "ja");
  const take = async (): Promise<string> => {
    const saving = page.waitForEvent("download");
    await page.getByRole("link", { name: t("classroom.teacher.records.xapi") }).click();
    return readFile(await (await saving).path(), "utf8");
  };
  const without = await take();
  expect(JSON.parse(without)).toMatchObject([{ verb: { display: { "en-US": expect.any(String) } } }, {}]);
  expect(without).not.toContain("Léa");
  await page.getByLabel(t("classroom.teacher.records.names")).check();
  expect(await take()).toContain("Léa");
});

test("a learner finds the certificate in the settings; who comes from a platform lands at the lesson", async ({ page }) => {
  await atRecords(page, "fr");
  const code = await makeCertificate(page, "fr");
  const { code: classCode } = await classroom.theClass();
  await page.context().clearCookies();
  // As after a launch: signed in, and not yet known to the pages.
  const body = { code: classCode, name: "Léa", word: "jonquille", locale: "fr" };
  await page.request.post(`${classroom.origin}/api/join`, { data: body });
  await page.goto(`${classroom.origin}/fr/join/#in=workloads/${lab}`);
  await expect(page).toHaveURL(`${classroom.origin}/fr/workloads/${lab}/`);
  const found = page.locator(".class-account .certificates a");
  await expect(found).toHaveCount(1);
  await expect(found).toHaveAttribute("href", `/fr/verify/#${code}`);
});
