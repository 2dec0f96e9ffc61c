// An exam from its making to its results: the teacher's pages and a learner's, over the real server with real replays and a clock that is
// moved.

import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { Class, Exam, ExamResults, HeldRun } from "../../src/classroom/wire.ts";
import { stringsFor } from "../../src/i18n/build.ts";
import { type Locale, locales } from "../../src/i18n/locales.ts";
import { Classroom, type Learner } from "./classroom-teacher.test-kit.ts";
import { turnOf } from "./in-turn.test-kit.ts";
import { Lab, lab, textsIn } from "./lab.test-kit.ts";

const minuteMs = 60_000;
const password = "twelve letters at least";
const place = `workloads/${lab.id}`;
const [firstStep, secondStep] = lab.steps;

let classroom: Classroom;
test.beforeEach(async () => {
  classroom = await Classroom.startReplaying();
});
test.afterEach(async ({ browser }) => {
  // Labs left open would go on beside the tests after this one.
  await Promise.all(browser.contexts().map((context) => context.close()));
  await classroom.stop();
});

async function complaints(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** Signed in, with a class of that language. */
async function teacherIn(browser: Browser, locale: Locale): Promise<{ readonly page: Page; readonly own: Class }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked = { invitation: await classroom.invitation(), name: "Ada", password };
  await page.request.post(`${classroom.origin}/api/teachers`, { data: asked });
  const made = await page.request.post(`${classroom.origin}/api/classes`, { data: { name: "Terminale", locale } });
  return { page, own: await made.json() };
}

async function makeExam(page: Page, { id }: Class, minutes = 1, labs: readonly string[] = [lab.id]): Promise<Exam> {
  const opensAt = Date.now() - minuteMs;
  const exam = { title: "実技 1", labs, opensAt, closesAt: opensAt + 120 * minuteMs, minutes };
  return (await page.request.post(`${classroom.origin}/api/classes/${id}/exams`, { data: exam })).json();
}

async function learnerIn(browser: Browser, { code }: Class, locale: Locale, name = "佐藤") {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${classroom.origin}/${locale}/join/#${code}`);
  await page.locator("#join-name").fill(name);
  await page.locator("#join-word").fill("jonquille");
  await page.locator(".join form [type=submit]").click();
  await expect(page).toHaveURL(`${classroom.origin}/${locale}/`);
  return { context, page };
}

/** What the server has moved on to, the page learns by asking. */
const askAgain = (page: Page): Promise<boolean> => page.evaluate(() => dispatchEvent(new Event("online")));

test("a teacher makes an exam; a learner in Japanese sits it, reloads in the midst, and the teacher sees what holds", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const { page: teacher, own } = await teacherIn(browser, "ja");
  const t = stringsFor("fr");
  const tj = stringsFor("ja");
  await teacher.goto(`${classroom.origin}/fr/class/#class/${own.id}/exams`);
  await expect(teacher.getByText(t("classroom.teacher.exams.none"))).toBeVisible();
  const { page: learner } = await learnerIn(browser, own, "ja");

  const submit = teacher.getByRole("button", { name: t("classroom.teacher.exams.submit") });
  await teacher.getByLabel(t("classroom.teacher.exams.name")).fill("実技 1");
  await expect(submit).toBeDisabled();
  await teacher.getByLabel(t("classroom.teacher.exams.chooseLab")).selectOption(lab.id);
  await teacher.getByRole("button", { name: t("classroom.teacher.exams.addLab") }).click();
  // From a minute that has begun: the field holds whole minutes, in the time of this machine.
  await teacher.getByLabel(t("classroom.teacher.exams.opensAt")).fill(await localMinute(teacher, -1));
  await teacher.getByLabel(t("classroom.teacher.exams.closesAt")).fill(await localMinute(teacher, 100));
  await teacher.getByLabel(t("classroom.teacher.exams.minutes")).fill("10");
  expect(await complaints(teacher)).toEqual([]);
  await submit.click();
  await expect(teacher.getByText(t("classroom.teacher.exams.made", { title: "実技 1" }))).toBeVisible();
  await expect(teacher.locator(".exams [data-stand=open]")).toContainText(t("classroom.teacher.exams.stands.open"));

  // The class hears of it without a reload.
  const notice = learner.locator(".home > .class-exams");
  await expect(notice).toContainText("実技 1");
  await notice.getByRole("link").click();
  await expect(learner.locator("h1")).toHaveText("実技 1");
  await expect(learner.locator(".exam-labs a")).toHaveCount(0);
  await learner.getByRole("button", { name: tj("classroom.learner.exam.begin") }).click();
  await expect(learner.getByRole("alertdialog")).toBeVisible();
  expect(await complaints(learner)).toEqual([]);
  await learner.getByRole("button", { name: tj("classroom.learner.exam.askYes") }).click();
  await expect(learner.locator(".exam-left")).toContainText(/(9|10):\d\d/);
  expect(await complaints(learner)).toEqual([]);
  await learner.locator(".exam-labs a").click();
  await expect(learner).toHaveURL(new RegExp(`/ja/${place}/\\?exam=`));

  const work = new Lab(learner);
  await work.ready();
  await expect(learner.locator(".exam-line")).toContainText(/(9|10):\d\d/);
  await expect(learner.locator(".lesson .text")).toBeHidden();
  // No help in any place.
  await expect(learner.locator(".step-tools button")).toHaveCount(0);
  await expect(learner.locator("[popovertarget=back-menu]").first()).toBeDisabled();
  await expect(learner.locator("[popovertarget=more-menu]")).toHaveCount(0);
  expect(await complaints(learner)).toEqual([]);
  await work.focus();
  await work.runScript(firstStep?.solution ?? "");
  await expect(work.passed).toHaveCount(1);
  await expect(learner.locator(".class-exam")).toContainText(tj("classroom.learner.exam.confirmed", { count: 1 }), {
    timeout: 90_000,
  });
  await expect(learner.locator(".step .why")).toHaveCount(0);

  await learner.reload();
  await work.ready();
  await expect(work.passed).toHaveCount(1);
  expect(await learner.evaluate(() => localStorage.getItem("pilothouse.progress"))).not.toContain(firstStep?.id);

  await teacher.locator(".exams a").click();
  const row = teacher.locator(".exam-results tbody tr");
  const steps = { passed: 1, total: lab.steps.length };
  await expect(row).toContainText(t("classroom.teacher.board.stepsOf", steps));
  await expect(row).toContainText(t("classroom.teacher.exams.pointsOf", { points: 10, most: 10 * lab.steps.length }));
  expect(await complaints(teacher)).toEqual([]);
  const coming = teacher.waitForEvent("download");
  await teacher.getByRole("link", { name: t("classroom.teacher.figures.csv") }).click();
  const csv = await readFile(await (await coming).path(), "utf8");
  expect(csv).toMatch(/佐藤,[^,]+,[^,]+,1,10,10\r\n$/);

  // In another browser the same run goes on, and what holds meanwhile comes to the teacher's open page.
  const { page: home } = await learnerIn(browser, own, "ja");
  await home.goto(learner.url());
  await learner.close();
  const again = new Lab(home);
  await again.ready();
  await expect(again.passed).toHaveCount(1);
  await again.focus();
  await again.runScript(secondStep?.solution ?? "");
  await expect(again.passed).toHaveCount(2);
  await expect(row).toContainText(t("classroom.teacher.board.stepsOf", { ...steps, passed: 2 }), { timeout: 90_000 });

  await row.getByRole("link").click();
  await expect(teacher.locator(".shown-run")).toContainText("佐藤");
  await expect(teacher.locator(".step[data-state=passed]")).toHaveCount(2);
  await teacher.getByRole("link", { name: t("classroom.teacher.run.backToExam") }).click();
  await expect(teacher.locator("h1")).toHaveText("実技 1");
});

/** What a `datetime-local` field takes for so many minutes from now, by the page's clock. */
function localMinute(page: Page, minutes: number): Promise<string> {
  return page.evaluate((ms) => {
    const then = new Date(Date.now() + ms);
    return new Date(then.getTime() - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }, minutes * minuteMs);
}

test("without a connection the exam goes on, also in a page that is loaded anew; what was done goes once it is back", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const { page: teacher, own } = await teacherIn(browser, "es");
  const t = stringsFor("es");
  const exam = await makeExam(teacher, own, 30);
  const { page: learner, context } = await learnerIn(browser, own, "es", "Lucía");
  await learner.request.post(`${classroom.origin}/api/exams/${exam.id}/sitting`);
  // What a page sends when it is left outlives the page, and no route sees it: here it ends with its page, as without a connection.
  await context.addInitScript(() => {
    const send = globalThis.fetch;
    globalThis.fetch = (what, how) => send(what, { ...how, keepalive: false });
  });
  await learner.goto(`${classroom.origin}/es/${place}/?exam=${exam.id}`);
  const work = new Lab(learner);
  await work.ready();
  await context.route("**/api/**", (route) => route.abort());
  await work.focus();
  await work.runScript(firstStep?.solution ?? "");
  await expect(work.passed).toHaveCount(1);
  await learner.reload();
  await work.ready();
  await expect(work.passed).toHaveCount(1);
  await expect(learner.locator(".exam-line")).toContainText(/\d\d:\d\d/);
  const results = async (): Promise<readonly (readonly string[])[]> => {
    const reply = await teacher.request.get(`${classroom.origin}/api/classes/${own.id}/exams/${exam.id}/results`);
    const { rows } = (await reply.json()) as ExamResults;
    return rows.map((one) => one.results.flatMap(({ steps }) => steps.map(({ id }) => id)));
  };
  expect(await results()).toEqual([[]]);
  await context.unroute("**/api/**");
  await askAgain(learner);
  await expect.poll(results, { timeout: 90_000 }).toEqual([[firstStep?.id]]);
  await askAgain(learner);
  await expect(learner.locator(".class-exam")).toContainText(t("classroom.learner.exam.confirmed", { count: 1 }));
});

test("an exam goes on in the browser that was opened last; the other one is told at once, sends no more, and may go on in its turn", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const { page: teacher, own } = await teacherIn(browser, "fr");
  const t = stringsFor("fr");
  const exam = await makeExam(teacher, own, 30);
  const { page: school } = await learnerIn(browser, own, "fr", "Léa");
  const { page: home } = await learnerIn(browser, own, "fr", "Léa");
  await school.request.post(`${classroom.origin}/api/exams/${exam.id}/sitting`);
  const address = `${classroom.origin}/fr/${place}/?exam=${exam.id}`;
  const typed = async (): Promise<string> => {
    const reply = await school.request.get(`${classroom.origin}/api/exams/${exam.id}/runs/${lab.id}`);
    const { run } = (await reply.json()) as HeldRun;
    return run.entries.map(({ input }) => (input as { readonly text?: string }).text ?? "").join("");
  };
  const question = (page: Page) => page.locator(".run-notice", { hasText: t("classroom.learner.offer") });
  await school.goto(address);
  const [atSchool, atHome] = [new Lab(school), new Lab(home)];
  await atSchool.ready();
  await atSchool.focus();
  await atSchool.runScript(firstStep?.solution ?? "");
  await expect(atSchool.passed).toHaveCount(1);
  await expect(school.locator(".class-exam")).toContainText(t("classroom.learner.exam.confirmed", { count: 1 }), {
    timeout: 90_000,
  });

  await home.goto(address);
  await expect(question(school)).toBeVisible();
  expect(await complaints(school)).toEqual([]);
  await atHome.ready();
  await expect(atHome.passed).toHaveCount(1);
  await expect(question(home)).toHaveCount(0);
  await atHome.focus();
  await atHome.run("touch home");
  await expect.poll(typed).toContain("touch home");
  await atSchool.focus();
  await atSchool.run("touch school");
  await school.getByRole("button", { name: t("workbench.run.offerYes") }).click();
  await atSchool.ready();
  await expect(question(home)).toBeVisible();
  await expect(atSchool.passed).toHaveCount(1);
  await atSchool.focus();
  await atSchool.run("ls");
  expect((await atSchool.lines()).join(" ")).toContain("home");
  await expect.poll(typed).toMatch(/touch home\r.*ls/s);
  expect(await typed()).not.toContain("touch school");
  // There is no way back to what was left.
  await expect(school.getByRole("button", { name: t("workbench.run.comeBack"), exact: true })).toHaveCount(0);
  // What the one that is overtaken is loaded anew for is to go on there.
  await home.reload();
  await expect(question(school)).toBeVisible();
  await atHome.ready();
  await expect(question(home)).toHaveCount(0);
});

test("when the time is up the lab takes nothing more, and the exam's page says what was counted", async ({ browser }) => {
  test.setTimeout(240_000);
  const { page: teacher, own } = await teacherIn(browser, "zh");
  const t = stringsFor("zh");
  const exam = await makeExam(teacher, own, 1);
  const { page: learner } = await learnerIn(browser, own, "zh", "李雷");
  await learner.request.post(`${classroom.origin}/api/exams/${exam.id}/sitting`);
  const address = `${classroom.origin}/zh/${place}/?exam=${exam.id}`;
  await learner.goto(address);
  const work = new Lab(learner);
  await work.ready();
  const before = await work.lines();
  classroom.pass(minuteMs);
  await askAgain(learner);
  await expect(learner.locator(".class-exam-over")).toHaveText(t("classroom.learner.exam.labOver"));
  await expect(learner.locator(".exam-line")).toContainText("0:00");
  expect(await complaints(learner)).toEqual([]);
  await work.focus();
  await learner.keyboard.type("touch late\n");
  await learner.locator(".bench-bar").click();
  expect(await work.lines()).toEqual(before);
  await expect(learner.locator(".step-tools button")).toHaveCount(0);
  const kept = await learner.evaluate((key) => localStorage.getItem(key), `pilothouse.lab.exam.${exam.id}.${lab.id}`);
  expect(kept).not.toContain("late");

  // Its page takes the place of the lab's.
  await learner.goto(address);
  await expect(learner).toHaveURL(new RegExp(`/zh/exam/#${exam.id}$`));
  await expect(learner.locator(".exam-sum")).toHaveText(t("classroom.learner.exam.sum", { count: 0, most: 10 * lab.steps.length }));
  await expect(learner.locator(".exam-labs a")).toHaveCount(0);
  expect(await complaints(learner)).toEqual([]);
  // The learner's own run of the lab is as it was: none.
  await learner.goto(`${classroom.origin}/zh/${place}/`);
  await work.begin();
  await expect(learner.locator(".exam-line")).toHaveCount(0);
  await expect(learner.locator(".step-tools button")).not.toHaveCount(0);
});

test("a run that the server cannot count is said to be, at the lab and at the learner's place", async ({ browser }) => {
  const { own } = await teacherIn(browser, "fr");
  const t = stringsFor("fr");
  const { page, context } = await learnerIn(browser, own, "fr", "Léa");
  await page.goto(`${classroom.origin}/fr/${place}/`);
  const work = new Lab(page);
  await work.begin();
  const startMs = Date.UTC(2026, 0, 15, 9);
  const bare = { seed: 7, startMs, nowMs: startMs, format: 1, world: "00000000", from: 0, entries: [], hints: {}, solutions: [] };
  const by = { writer: "other", takesOver: null };
  await context.request.put(`${classroom.origin}/api/runs/${lab.id}`, { data: { ...bare, ...by, claims: ["apply"] } });
  const reset = t("workbench.status.reset");
  const sentence = t("classroom.learner.refused.outdated", { reset });
  await expect(page.locator(".class-refused-here")).toContainText(sentence, { timeout: 90_000 });
  expect(await complaints(page)).toEqual([]);
  await page.locator(".class-refused-here button").click();
  await expect(page.locator(".class-refused-here")).toHaveCount(0);
  await page.locator("[data-open-settings]").click();
  await expect(page.locator(".class-refused")).toContainText(textsIn("fr").title);
  await expect(page.locator(".class-refused")).toContainText(sentence);
  expect(await complaints(page)).toEqual([]);
});

test("an exam is removed only by its title; a capstone stands in a plan and in an exam", async ({ browser }) => {
  const { page, own } = await teacherIn(browser, "fr");
  const t = stringsFor("fr");
  const exam = await makeExam(page, own, 30, ["capstone-orientation"]);
  await page.goto(`${classroom.origin}/fr/class/#class/${own.id}/plan`);
  await page.getByLabel(t("classroom.teacher.plan.choose")).selectOption("capstone-orientation");
  await page.getByRole("button", { name: t("classroom.teacher.plan.addOne"), exact: true }).click();
  await page.getByRole("button", { name: t("classroom.teacher.plan.save") }).click();
  await expect(page.getByText(t("classroom.teacher.plan.saved"))).toBeVisible();

  const { page: learner } = await learnerInPlan(browser, own);
  await expect(learner.locator(".class-turn").first()).toHaveText(t("classroom.learner.turnNow"));
  await learner.request.post(`${classroom.origin}/api/exams/${exam.id}/sitting`);
  await learner.goto(`${classroom.origin}/fr/exam/#${exam.id}`);
  await learner.locator(".exam-labs a").click();
  await new Lab(learner).ready();
  // The clock runs already: nobody is asked whether it shall.
  await expect(learner.locator(".exam-line")).toContainText(/\d\d:\d\d/);
  await expect(learner.getByRole("alertdialog")).toHaveCount(0);
  await expect(learner.locator(".step-points").first()).toBeVisible();

  await page.goto(`${classroom.origin}/fr/class/#class/${own.id}/exam/${exam.id}`);
  await page.locator(".confirm summary").click();
  const remove = page.getByRole("button", { name: t("classroom.teacher.exams.remove.submit") });
  await expect(remove).toBeDisabled();
  await page.getByLabel(t("classroom.teacher.exams.remove.label", { title: "実技 1" })).fill("実技 1");
  await remove.click();
  await expect(page.getByText(t("classroom.teacher.exams.none"))).toBeVisible();
  await learner.goto(`${classroom.origin}/fr/exam/#${exam.id}`);
  await expect(learner.getByText(t("classroom.learner.exam.unknown"))).toBeVisible();
});

/** Where the class's plan begins. */
async function learnerInPlan(browser: Browser, { code }: Class) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${classroom.origin}/fr/join/#${code}`);
  await page.locator("#join-name").fill("Tom");
  await page.locator("#join-word").fill("jonquille");
  await page.locator(".join form [type=submit]").click();
  await expect(page).toHaveURL(`${classroom.origin}/fr/orientation/capstone/`);
  return { page };
}

test("a learner's page and the figures change by themselves; what is open there stays so, and so does the keyboard", async ({
  browser,
}) => {
  const { page, own } = await teacherIn(browser, "fr");
  const t = stringsFor("fr");
  const lea: Learner = await classroom.learner(own.code, "Léa", "fr");
  const { id } = await lea.ask<{ readonly id: string }>("GET", "/me");
  const here = { place, lab: lab.id, step: "apply", attempts: 1, hints: 0, active: true };
  await page.setViewportSize({ width: 900, height: 500 });
  await page.goto(`${classroom.origin}/fr/class/#class/${own.id}/learner/${id}`);
  await page.locator(".confirm summary").first().click();
  const field = page.getByLabel(t("classroom.teacher.learner.word.label"));
  await field.fill("tuli");
  const scrolled = await page.evaluate(() => scrollY);
  const lesson = { steps: ["apply"], questions: [], done: true, doneDay: null, recalls: [] };
  await lea.ask("PUT", "/work", { lessons: { [lab.id]: lesson }, last: null });
  await expect(page.getByText(t("classroom.teacher.learner.lessonsNone"))).toHaveCount(0);
  await expect(page.locator(".lessons li")).toHaveCount(1);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("tuli");
  expect(scrolled).toBeGreaterThan(0);
  await expect(field).toBeInViewport();

  await page.goto(`${classroom.origin}/fr/class/#class/${own.id}/figures`);
  await expect(page.getByText(t("classroom.teacher.figures.none"))).toBeVisible();
  await lea.isAt(here);
  await expect(page.getByRole("rowheader", { name: textsIn("fr").steps["apply"]?.title ?? "" })).toBeVisible();
});

for (const locale of locales) {
  turnOf("exams", locale)(`exams in ${locale} on both papers and on a phone: nothing that axe objects to`, async ({ browser }) => {
    const { page: teacher, own } = await teacherIn(browser, locale);
    const exam = await makeExam(teacher, own, 30, [lab.id, "capstone-orientation"]);
    await classroom.learner(own.code, "Léa", locale);
    const { page: learner } = await learnerIn(browser, own, locale);
    await learner.request.post(`${classroom.origin}/api/exams/${exam.id}/sitting`);
    const views = [
      [teacher, `/${locale}/class/#class/${own.id}/exams`, ".exams li"],
      [teacher, `/${locale}/class/#class/${own.id}/exam/${exam.id}`, ".exam-results"],
      [learner, `/${locale}/`, ".home > .class-exams"],
      [learner, `/${locale}/exam/`, ".exam-list li"],
      [learner, `/${locale}/exam/#${exam.id}`, ".exam-left"],
    ] as const;
    for (const [page, path, shown] of views) {
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 390],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 844 });
        await page.goto(`${classroom.origin}${path}`);
        await page.reload();
        await expect(page.locator(shown).first()).toBeVisible();
        expect(await complaints(page), path).toEqual([]);
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect(isWide, `${path} is wider than a screen of ${width}`).toBe(false);
      }
    }
  });
}

test("whoever is in no class is told to join one", async ({ page }) => {
  const t = stringsFor("ja");
  await page.goto("/ja/exam/#e1");
  await expect(page.getByText(t("classroom.learner.exam.notMember"))).toBeVisible();
  expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex");
  expect(await complaints(page)).toEqual([]);
});
