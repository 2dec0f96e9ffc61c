// A learner's classroom: coming in, work that counts, a connection that breaks, a second browser, what the class does and says.

import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import type { Class, HeldRun } from "../../src/classroom/wire.ts";
import { stringsFor } from "../../src/i18n/build.ts";
import { locales } from "../../src/i18n/locales.ts";
import { Classroom, joinClass } from "./classroom.test-kit.ts";
import { turnOf } from "./in-turn.test-kit.ts";
import { Lab, lab, textsIn } from "./lab.test-kit.ts";
import { lesson } from "./pages.test-kit.ts";

const slug = lesson.split("/")[1] ?? "";
const [firstStep, secondStep] = lab.steps;

test.describe.configure({ mode: "serial" });

let classroom: Classroom;
test.beforeAll(async () => {
  classroom = new Classroom();
  await classroom.start();
});
test.afterAll(() => classroom.stop());

async function standing(page: Page): Promise<string> {
  await page.locator("[data-open-settings]").click();
  const text = await page.locator(".class-account [role=status]").textContent();
  await page.keyboard.press("Escape");
  return text ?? "";
}

async function complaints(page: Page, within = "html"): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).include(within).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

test("a learner joins in French, passes a step that counts, loses the connection, and goes on in another browser", async ({
  browser,
}) => {
  const t = stringsFor("fr");
  const made = await classroom.class("Terminale", "fr", [{ lesson: slug, from: null, until: null }]);
  const school = await browser.newPage();
  await joinClass(school, classroom, { locale: "fr", code: made.code, name: "Léa", word: "jonquille" });
  // The class has one open lesson: it begins there.
  await expect(school).toHaveURL(`${classroom.origin}/fr/${lesson}`);
  await expect(school.locator(".class-turn")).toHaveText(t("classroom.learner.turnNow"));

  const work = new Lab(school);
  await work.begin();
  await work.focus();
  await work.run("kubectl get deployments");
  await work.runScript(firstStep?.solution ?? "");
  await expect(work.passed).toHaveCount(1);
  await expect
    .poll(async () => (await classroom.learner(made, "Léa")).results.map(({ lab: of, steps }) => [of, steps.map(({ id }) => id)]))
    .toEqual([[lab.id, [firstStep?.id]]]);
  const { state, presence } = await classroom.row(made, "Léa");
  const here = { place: lesson.slice(0, -1), lab: lab.id, step: secondStep?.id, attempts: 0, hints: 0, active: true };
  expect([state, presence]).toEqual(["working", here]);
  expect((await classroom.learner(made, "Léa")).work.lessons[slug]?.steps).toEqual([firstStep?.id]);
  await expect.poll(() => standing(school)).toBe(t("classroom.learner.allSent"));
  await expect(school.locator(".class-account")).toContainText(t("classroom.learner.counted", { count: 1 }));

  await classroom.pause();
  await school.locator("[data-mark-done]").click();
  await expect.poll(() => standing(school)).toBe(t("classroom.learner.away", { count: 1 }));
  await classroom.start();
  await school.evaluate(() => dispatchEvent(new Event("online")));
  await expect.poll(() => standing(school)).toBe(t("classroom.learner.allSent"));
  expect((await classroom.learner(made, "Léa")).work.lessons[slug]?.done).toBe(true);
  await school.close();

  const context = await browser.newContext();
  const home = await context.newPage();
  await joinClass(home, classroom, { locale: "fr", code: made.code, name: "Léa", word: "tulipe" });
  await expect(home.locator("[data-join-said]")).toHaveText(t("classroom.learner.join.nameTaken"));
  await home.locator("#join-word").fill("jonquille");
  await home.locator(".join form [type=submit]").click();
  await expect(home).toHaveURL(`${classroom.origin}/fr/${lesson}`);
  await expect(home.locator("[data-mark-done]")).toHaveAttribute("aria-pressed", "true");
  const again = new Lab(home);
  await again.begin();
  await expect(home.locator(".run-notice")).toContainText(t("classroom.learner.offer"));
  await home.locator(".run-notice .primary").click();
  await expect(again.passed).toHaveCount(1);
  await context.close();
});

test("a run that two browsers work in is one browser's at a time: who is overtaken is told, and chooses; nothing is lost", async ({
  browser,
}) => {
  const t = stringsFor("fr");
  const made = await classroom.class("Duo", "fr");
  const desk = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await joinClass(page, classroom, { locale: "fr", code: made.code, name: "Léa", word: "jonquille" });
    await expect(page).toHaveURL(`${classroom.origin}/fr/`);
    await page.goto(`${classroom.origin}/fr/${lesson}`);
    return page;
  };
  const school = await desk();
  /** What the server has that was typed. */
  const typed = async (): Promise<string> => {
    const reply = await school.request.get(`${classroom.origin}/api/runs/${lab.id}`);
    if (!reply.ok()) return "";
    const { run } = (await reply.json()) as HeldRun;
    return run.entries.map(({ input }) => (input as { readonly text?: string }).text ?? "").join("");
  };
  const answer = (page: Page, key: "offerYes" | "offerNo") =>
    page
      .locator(".run-notice")
      .getByRole("button", { name: t(`workbench.run.${key}`) })
      .click();
  const question = (page: Page) => page.locator(".run-notice", { hasText: t("classroom.learner.offer") });

  const atSchool = new Lab(school);
  await atSchool.begin();
  await atSchool.focus();
  await atSchool.run("touch first");
  await expect.poll(typed).toContain("touch first");
  const home = await desk();
  const atHome = new Lab(home);
  await atHome.begin();
  await expect(question(home)).toBeVisible();
  await answer(home, "offerYes");
  // The other one hears of it before anything is typed in either.
  await expect(question(school)).toBeVisible();
  expect(await complaints(school, ".run-notice")).toEqual([]);
  await atHome.ready();
  await atHome.focus();
  await atHome.run("touch second");
  await expect.poll(typed).toContain("touch second");
  await atSchool.focus();
  await atSchool.run("touch third");
  await school.reload();
  await atSchool.begin();
  await expect(question(school)).toBeVisible();
  expect(await typed()).not.toContain("third");
  await expect(question(home)).toHaveCount(0);
  // It is said that something waits, here and on other pages.
  await school.locator("[data-open-settings]").click();
  await expect(school.locator(".class-refused")).toContainText(textsIn("fr").title);
  await expect(school.locator(".class-refused")).toContainText(t("classroom.learner.refused.elsewhere"));
  await expect(school.locator(".class-account > [role=status]")).toHaveText("");
  expect(await complaints(school, "#settings")).toEqual([]);
  await school.keyboard.press("Escape");

  // Here it goes on, with what was typed meanwhile; the other one is told in its turn, and has what it had.
  await answer(school, "offerNo");
  await expect.poll(typed).toContain("touch third");
  expect(await typed()).not.toContain("second");
  await expect(question(home)).toBeVisible();
  await atHome.focus();
  await atHome.run("ls");
  expect((await atHome.lines()).join(" ")).toContain("second");
  await answer(home, "offerYes");
  await atHome.ready();
  await atHome.focus();
  await atHome.run("ls");
  expect((await atHome.lines()).join(" ")).toContain("third");
  await home.getByRole("button", { name: t("workbench.run.comeBack"), exact: true }).click();
  await atHome.ready();
  await atHome.focus();
  await atHome.run("ls");
  expect((await atHome.lines()).join(" ")).toContain("second");
  for (const page of [school, home]) await page.context().close();
});

test("what the teacher says is shown once, in the lab too; what the class does when, on its lessons", async ({ browser }) => {
  const t = stringsFor("es");
  const later = Date.UTC(2100, 0, 1, 12);
  let made: Class = await classroom.class("Redes", "es");
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await joinClass(page, classroom, { locale: "es", code: made.code, name: "Tom", word: "girasol" });
  await expect(page).toHaveURL(`${classroom.origin}/es/`);
  await page.goto(`${classroom.origin}/es/${lesson}`);
  await page.locator("[data-show=lab]").click();
  await new Lab(page).ready();
  await classroom.say(made, "Mira los eventos.\nLuego, los logs.");
  const notice = page.locator(".class-notice");
  await expect(notice).toContainText("Mira los eventos.");
  await expect(notice).toContainText(t("classroom.learner.from", { name: "Ada" }));
  expect(await complaints(page, ".class-notices")).toEqual([]);
  await notice.getByRole("button", { name: t("classroom.learner.dismiss") }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();

  made = await classroom.change(made, { plan: [{ lesson: slug, from: later, until: null }] });
  await expect(page.locator(".class-turn")).toContainText("2100");
  await expect(page.locator("h1")).toBeVisible();
  await expect(notice).toHaveCount(0);
  await page.goto(`${classroom.origin}/es/`);
  await expect(page.locator(`[data-lesson=${slug}] .class-mark`)).toContainText("2100");
  await context.close();
});

test("leaving ends the session; the reader's own progress stays, is sent no more, and does not become another learner's", async ({
  browser,
}) => {
  const t = stringsFor("zh");
  const made = await classroom.class("运维", "zh");
  const context = await browser.newContext();
  const page = await context.newPage();
  await joinClass(page, classroom, { locale: "zh", code: made.code, name: "小林", word: "向日葵花" });
  await expect(page).toHaveURL(`${classroom.origin}/zh/`);
  await page.goto(`${classroom.origin}/zh/${lesson}`);
  await page.locator("[data-mark-done]").click();
  await page.locator("[data-open-settings]").click();
  await expect(page.locator(".class-account")).toContainText("小林");
  expect(await complaints(page)).toEqual([]);
  await page
    .locator(".class-account")
    .getByRole("button", { name: t("classroom.learner.leave") })
    .click();
  const left = page.waitForEvent("load");
  await page.getByRole("button", { name: t("classroom.learner.leaveYes") }).click();
  await left;
  const asked: string[] = [];
  page.on("request", (one) => asked.push(new URL(one.url()).pathname));
  await page.goto(`${classroom.origin}/zh/${lesson}`, { waitUntil: "networkidle" });
  await expect(page.locator("[data-mark-done]")).toHaveAttribute("aria-pressed", "true");
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);

  // Somebody else at the same machine.
  await joinClass(page, classroom, { locale: "zh", code: made.code, name: "小王", word: "郁金香花" });
  await expect(page.locator("[data-join-state=other]")).toBeVisible();
  expect(await complaints(page)).toEqual([]);
  await page.locator("[data-join-clear]").click();
  await expect(page).toHaveURL(`${classroom.origin}/zh/`);
  await page.goto(`${classroom.origin}/zh/${lesson}`);
  await expect(page.locator("[data-mark-done]")).toHaveAttribute("aria-pressed", "false");
  await context.close();
});

for (const locale of locales) {
  turnOf("joining", locale)(
    `the page for joining in ${locale} says what is wrong, and nothing that axe objects to`,
    async ({ browser }) => {
      const t = stringsFor(locale);
      for (const colorScheme of ["light", "dark"] as const) {
        const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
        const page = await context.newPage();
        await joinClass(page, classroom, { locale, code: "AAAA-AAAA", name: "Léa", word: "jonquille" });
        await expect(page.locator("[data-join-said]")).toHaveText(t("classroom.learner.join.unknownCode"));
        await expect(page.locator("#join-code")).toBeFocused();
        await expect(page.locator("#join-code")).toHaveValue("AAAA-AAAA");
        expect(await complaints(page)).toEqual([]);
        await context.close();
      }
    },
  );
}

test("where the course is served without a classroom, the page for joining says so, and the site leads nowhere near it", async ({
  page,
}) => {
  await page.goto("/ja/join/#AAAA-AAAA");
  await expect(page.locator("[data-join-state=absent]")).toHaveText(stringsFor("ja")("classroom.learner.join.absent"));
  await expect(page.locator("form:visible")).toHaveCount(0);
  expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex");
  await page.goto("/ja/");
  expect(await page.locator('a[href*="/join/"]:not([data-language-link])').count()).toBe(0);
});

test("a learner takes a copy of what the class keeps, and has it deleted with the word; the browser's own progress stays", async ({
  browser,
}) => {
  const t = stringsFor("fr");
  const made = await classroom.class("Copies", "fr");
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${classroom.origin}/fr/join/#${made.code}`);
  await expect(page.locator("#join-word")).toHaveAttribute("type", "password");
  await page.getByLabel(t("classroom.learner.join.show")).check();
  await expect(page.locator("#join-word")).toHaveAttribute("type", "text");
  await joinClass(page, classroom, { locale: "fr", code: made.code, name: "Ana", word: "jonquille" });
  await expect(page).toHaveURL(`${classroom.origin}/fr/`);
  await page.goto(`${classroom.origin}/fr/${lesson}`);
  await page.locator("[data-mark-done]").click();
  await expect.poll(async () => (await classroom.learner(made, "Ana")).work.lessons[slug]?.done).toBe(true);
  await page.locator("[data-open-settings]").click();
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: t("classroom.learner.ownTake") }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe("pilothouse.json");
  const copy = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(copy).toMatchObject({
    kind: "pilothouse-learner",
    learner: { name: "Ana", class: "Copies" },
    work: [{ lesson: slug, done: true }],
  });
  await page.getByRole("button", { name: t("classroom.learner.ownEnd") }).click();
  await expect(page.getByLabel(t("classroom.learner.ownWord"))).toBeFocused();
  expect(await complaints(page, "#settings")).toEqual([]);
  await page.keyboard.type("tulipe");
  await page.keyboard.press("Enter");
  await expect(page.locator(".own-data [role=alert]")).toHaveText(t("classroom.learner.ownWrong"));
  await page.getByLabel(t("classroom.learner.ownWord")).fill("jonquille");
  await page.keyboard.press("Enter");
  await expect(page.locator(".class-account")).toHaveCount(0);
  await expect(page.locator("[data-mark-done]")).toHaveAttribute("aria-pressed", "true");
  expect(await page.evaluate(() => localStorage.getItem("pilothouse.classroom"))).toBe("null");
  await expect(classroom.row(made, "Ana")).rejects.toThrow("no learner Ana");
  await page.context().close();
});

test("too many wrong words are told as such, where one comes in", async ({ browser }) => {
  const t = stringsFor("ja");
  const made = await classroom.class("Ten", "ja");
  const first = await (await browser.newContext()).newPage();
  await joinClass(first, classroom, { locale: "ja", code: made.code, name: "Mei", word: "jonquille" });
  await expect(first).toHaveURL(`${classroom.origin}/ja/`);
  await first.context().close();
  const page = await (await browser.newContext()).newPage();
  await joinClass(page, classroom, { locale: "ja", code: made.code, name: "Mei", word: "tulipe" });
  await expect(page.locator("[data-join-said]")).toHaveText(t("classroom.learner.join.nameTaken"));
  const failed = async (): Promise<number> =>
    (
      await page.request.post(`${classroom.origin}/api/join`, {
        data: { code: made.code, name: "Mei", word: "tulipe", locale: "ja" },
      })
    ).status();
  for (let tries = 0; tries < 9; tries += 1) expect(await failed()).toBe(403);
  await page.locator(".join form [type=submit]").click();
  await expect(page.locator("[data-join-said]")).toHaveText(t("classroom.learner.join.tooMany"));
  await page.context().close();
});
