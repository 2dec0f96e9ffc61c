// A morning in a class, from end to end: a teacher in French, learners in Japanese, Chinese and Spanish; a lesson, somebody who is stuck, an
// exam, what is taken away. The real server with real replays; only its clock is moved.

import { readFile } from "node:fs/promises";
import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { stringsFor } from "../../src/i18n/build.ts";
import type { Locale } from "../../src/i18n/locales.ts";
import { Classroom } from "./classroom-teacher.test-kit.ts";
import { Lab, lab, textsIn } from "./lab.test-kit.ts";
import { lesson } from "./pages.test-kit.ts";

const minuteMs = 60_000;
const t = stringsFor("fr");
const [firstStep, secondStep] = lab.steps;
const slug = lesson.split("/")[1] ?? "";
const title = "Examen blanc";

interface Learner {
  readonly locale: Locale;
  readonly name: string;
  readonly page: Page;
  readonly work: Lab;
}

let classroom: Classroom;
test.beforeAll(async () => {
  classroom = await Classroom.startReplaying();
});
test.afterEach(async ({ browser }) => {
  // Labs left open would go on beside the tests after this one.
  await Promise.all(browser.contexts().map((context) => context.close()));
});
test.afterAll(() => classroom.stop());

/** With PILOTHOUSE_LOOK, a folder, each scene leaves a picture there. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["PILOTHOUSE_LOOK"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/scene-${name}.png`, fullPage: true });
}

async function comeIn(browser: Browser, code: string, locale: Locale, name: string): Promise<Learner> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${classroom.origin}/${locale}/join/#${code}`);
  await page.locator("#join-name").fill(name);
  await page.locator("#join-word").fill("jonquille");
  await page.locator(".join form [type=submit]").click();
  // The plan has one open lesson: it begins there.
  await expect(page).toHaveURL(`${classroom.origin}/${locale}/${lesson}`);
  const work = new Lab(page);
  await work.begin();
  await work.focus();
  return { locale, name, page, work };
}

/** What a page tells by itself within half a minute. */
const tellNow = ({ page }: Learner): Promise<boolean> => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
/** What the server's moved clock means for it. */
const askAgain = ({ page }: Learner): Promise<boolean> => page.evaluate(() => dispatchEvent(new Event("online")));

test("a lesson, a learner who is stuck, an exam and an export, of one teacher and three learners in three languages", async ({
  browser,
}) => {
  test.setTimeout(600_000);
  const teacher = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  const view = (name: string) => teacher.goto(`${classroom.origin}/fr/class/#class/${id}/${name}`);
  const rows = teacher.locator(".board tbody tr");
  const rowOf = (name: string): Locator => rows.filter({ has: teacher.getByRole("rowheader", { name }) });

  // The teacher comes in by the server's link, makes a class and plans one lesson.
  await teacher.goto(`${classroom.origin}/fr/class/#${await classroom.invitation()}`);
  await teacher.getByLabel(t("classroom.teacher.signUp.name")).fill("Ada");
  await teacher.getByLabel(t("classroom.teacher.signUp.password"), { exact: true }).fill("twelve letters at least");
  await teacher.getByRole("button", { name: t("classroom.teacher.signUp.submit") }).click();
  await teacher.getByLabel(t("classroom.teacher.classes.name")).fill("Terminale");
  await teacher.keyboard.press("Enter");
  await expect(teacher.getByRole("heading", { level: 1 })).toHaveText("Terminale");
  const { id, code } = await classroom.theClass();
  await view("plan");
  await teacher.getByLabel(t("classroom.teacher.plan.choose")).selectOption(slug);
  await teacher.getByRole("button", { name: t("classroom.teacher.plan.addOne"), exact: true }).click();
  await teacher.getByRole("button", { name: t("classroom.teacher.plan.save") }).click();
  await expect(teacher.getByText(t("classroom.teacher.plan.saved"))).toBeVisible();
  await teacher.goto(`${classroom.origin}/fr/class/#class/${id}`);
  await expect(teacher.getByText(t("classroom.teacher.board.none"))).toBeVisible();

  // Three come in; two pass a step, which counts once the server has replayed it.
  const sato = await comeIn(browser, code, "ja", "佐藤");
  const lilei = await comeIn(browser, code, "zh", "李雷");
  const lucia = await comeIn(browser, code, "es", "Lucía");
  await expect(rows).toHaveCount(3);
  for (const { work } of [sato, lilei]) {
    await work.runScript(firstStep?.solution ?? "");
    await expect(work.passed).toHaveCount(1);
  }
  const points = t("classroom.teacher.board.stepsOf", { passed: 1, total: lab.steps.length });
  for (const { name } of [sato, lilei])
    await expect(rowOf(name).getByRole("img", { name: points })).toBeVisible({ timeout: 120_000 });

  // Lucía tries four times; nine minutes later she is stuck, and first on the board.
  for (let attempt = 0; attempt < 4; attempt += 1) await lucia.work.run("kubectl get deployments");
  await tellNow(lucia);
  await expect(rowOf("Lucía")).toContainText(t("classroom.teacher.board.states.working"));
  classroom.pass(9 * minuteMs);
  for (const learner of [sato, lilei, lucia]) {
    await learner.work.run("true");
    await tellNow(learner);
  }
  await expect(rowOf("Lucía")).toContainText(t("classroom.teacher.board.states.stuck"));
  await expect(rows.first().getByRole("rowheader")).toHaveText("Lucía");
  await expect(rowOf("Lucía")).toContainText(textsIn("fr").steps[firstStep?.id ?? ""]?.title ?? "no title");
  await picture(teacher, "stuck");

  // The teacher opens her run, sees her cluster as it is, and writes to her.
  await rowOf("Lucía").getByRole("link", { name: "Lucía" }).click();
  await teacher.getByRole("link", { name: t("classroom.teacher.learner.openLab", { lab: textsIn("fr").title }) }).click();
  await expect(teacher.locator(".shown-run")).toContainText("Lucía");
  await expect(teacher.locator(".nodes-ready")).toBeVisible();
  await expect(teacher.locator("svg.cluster")).not.toContainText("nginx-deployment");
  await expect(teacher.locator(".step[data-state=passed]")).toHaveCount(0);
  await picture(teacher, "run-of-another");
  await teacher.goto(`${classroom.origin}/fr/class/#class/${id}`);
  await rowOf("Lucía").getByRole("button").click();
  await teacher.getByRole("dialog").getByRole("textbox").fill("Mira primero el archivo con cat.");
  await teacher
    .getByRole("dialog")
    .getByRole("button", { name: t("classroom.teacher.message.send") })
    .click();
  const notice = lucia.page.locator(".class-notice");
  await expect(notice).toContainText("Mira primero el archivo con cat.");
  await expect(notice).toContainText(stringsFor("es")("classroom.learner.from", { name: "Ada" }));
  await picture(lucia.page, "word");
  await lucia.work.focus();
  await lucia.work.runScript(firstStep?.solution ?? "");
  await expect(lucia.work.passed).toHaveCount(1);
  await tellNow(lucia);
  await expect(rowOf("Lucía").getByRole("img", { name: points })).toBeVisible({ timeout: 120_000 });
  await expect(rowOf("Lucía")).toContainText(t("classroom.teacher.board.states.working"));

  // What Satō has done opens in the teacher's browser, from the journal.
  await rowOf("佐藤").getByRole("link", { name: "佐藤" }).click();
  await teacher.getByRole("link", { name: t("classroom.teacher.learner.openLab", { lab: textsIn("fr").title }) }).click();
  await expect(teacher.locator("svg.cluster")).toContainText("nginx-deployment");
  await expect(teacher.locator(".step[data-state=passed]")).toHaveCount(1);

  // An exam: two pass a step of it, one does not begin.
  await view("exams");
  await teacher.getByLabel(t("classroom.teacher.exams.name")).fill(title);
  await teacher.getByLabel(t("classroom.teacher.exams.chooseLab")).selectOption(lab.id);
  await teacher.getByRole("button", { name: t("classroom.teacher.exams.addLab") }).click();
  await teacher.getByLabel(t("classroom.teacher.exams.opensAt")).fill(await localMinute(teacher, -1));
  await teacher.getByLabel(t("classroom.teacher.exams.closesAt")).fill(await localMinute(teacher, 100));
  await teacher.getByLabel(t("classroom.teacher.exams.minutes")).fill("20");
  await teacher.getByRole("button", { name: t("classroom.teacher.exams.submit") }).click();
  await expect(teacher.getByText(t("classroom.teacher.exams.made", { title }))).toBeVisible();
  for (const { locale, page } of [sato, lilei, lucia]) {
    await page.goto(`${classroom.origin}/${locale}/`);
    await expect(page.locator(".home > .class-exams")).toContainText(title);
  }
  await teacher.locator(".exams a").click();
  const results = teacher.locator(".exam-results tbody tr");
  for (const [learner, steps] of [
    [sato, [firstStep, secondStep]],
    [lilei, [firstStep]],
  ] as const) {
    const { locale, page, work, name } = learner;
    const words = stringsFor(locale);
    await page.locator(".home > .class-exams").getByRole("link").click();
    await page.getByRole("button", { name: words("classroom.learner.exam.begin") }).click();
    await page.getByRole("button", { name: words("classroom.learner.exam.askYes") }).click();
    await page.locator(".exam-labs a").click();
    await work.ready();
    await expect(page.locator(".step-tools button")).toHaveCount(0);
    await work.focus();
    for (const [index, step] of steps.entries()) {
      await work.runScript(step?.solution ?? "");
      await expect(work.passed).toHaveCount(index + 1);
    }
    const passed = t("classroom.teacher.board.stepsOf", { passed: steps.length, total: lab.steps.length });
    await expect(results.filter({ hasText: name })).toContainText(passed, { timeout: 120_000 });
    await picture(page, `exam-${locale}`);
  }
  await picture(teacher, "exam-results");
  // The time is up: Satō's lab takes nothing more.
  classroom.pass(20 * minuteMs);
  await askAgain(sato);
  await expect(sato.page.locator(".class-exam-over")).toHaveText(stringsFor("ja")("classroom.learner.exam.labOver"));

  // What is taken away.
  expect(await downloaded(teacher, t("classroom.teacher.figures.csv"))).toMatch(/佐藤,[^,]+,[^,]+,2,20,20\r\n/);
  await view("figures");
  const csv = await downloaded(teacher, t("classroom.teacher.figures.csv"));
  for (const { name } of [sato, lilei, lucia]) expect(csv).toContain(`${name},${lab.id},,${firstStep?.id},10,0,`);
  await picture(teacher, "figures");
  await view("records");
  const statements = JSON.parse(await downloaded(teacher, t("classroom.teacher.records.xapi"))) as readonly Statement[];
  const passed = statements.filter(({ verb }) => verb.id.endsWith("/passed"));
  // Three a step of the lesson's lab, and of the exam two and one.
  expect(passed).toHaveLength(6);
  expect(new Set(passed.map(({ actor }) => actor.account.name)).size).toBe(3);
  expect(JSON.stringify(statements)).not.toContain("佐藤");
  // A certificate tells of exams that are closed for all.
  classroom.pass(100 * minuteMs);
  await teacher.reload();
  await teacher.getByText(t("classroom.teacher.records.make", { name: "佐藤" })).click();
  await teacher
    .getByRole("button", { name: t("classroom.teacher.records.submit") })
    .filter({ visible: true })
    .click();
  const certificate = teacher.locator('a[href*="/verify/#"]');
  await expect(certificate).toBeVisible();
  await picture(teacher, "records");
  await sato.page.goto((await certificate.evaluate((link) => (link as HTMLAnchorElement).href)).replace("/fr/", "/ja/"));
  await expect(sato.page.locator("[data-learner]")).toHaveText("佐藤");
  await expect(sato.page.locator("[data-verdict]")).toHaveAttribute("data-state", "good");
  await expect(sato.page.locator("[data-items]")).toContainText(title);
  await picture(sato.page, "certificate");
});

interface Statement {
  readonly verb: { readonly id: string };
  readonly actor: { readonly account: { readonly name: string } };
}

async function downloaded(page: Page, link: string): Promise<string> {
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: link }).first().click();
  return readFile(await (await coming).path(), "utf8");
}

/** What a `datetime-local` field takes for so many minutes from now, by the page's clock. */
function localMinute(page: Page, minutes: number): Promise<string> {
  return page.evaluate((ms) => {
    const then = new Date(Date.now() + ms);
    return new Date(then.getTime() - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }, minutes * minuteMs);
}
