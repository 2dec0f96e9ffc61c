// The teacher's page over the real server: coming in, the live board, a learner's run as a copy, figures, plans.

import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import type { Presence, RunPart } from "../../src/classroom/wire.ts";
import { stringsFor } from "../../src/i18n/build.ts";
import type { Locale } from "../../src/i18n/locales.ts";
import { Classroom } from "./classroom-teacher.test-kit.ts";
import { turnOf } from "./in-turn.test-kit.ts";
import { textsIn } from "./lab.test-kit.ts";

const minuteMs = 60_000;
const lab = "deployment-create";
const place = `workloads/${lab}`;
const password = "twelve letters at least";
const here: Presence = { place, lab, step: "apply", attempts: 0, hints: 0, active: true };

const startMs = Date.UTC(2026, 0, 15, 9);
const typed = (atMs: number, text: string) => {
  return { timeMs: startMs + atMs, input: { kind: "terminal-input", terminal: "1", text } };
};
const run: RunPart = {
  seed: 7,
  startMs,
  nowMs: startMs + 40_000,
  format: 1,
  world: null,
  from: 0,
  entries: [
    { timeMs: startMs + 1000, input: { kind: "terminal-open", terminal: "1", columns: 100, rows: 24 } as { kind: string } },
    typed(3000, "kubectl apply -f nginx-deployment.yaml\r"),
  ],
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

/** Comes in by a link, by keyboard. */
async function signUp(page: Page, locale: Locale): Promise<void> {
  const t = stringsFor(locale);
  await page.goto(`${classroom.origin}/${locale}/class/#${await classroom.invitation()}`);
  await page.getByLabel(t("classroom.teacher.signUp.name")).focus();
  await page.keyboard.type("Ada");
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("classroom.teacher.classes.title"));
}

async function makeClass(page: Page, locale: Locale, name = "Terminale"): Promise<string> {
  const t = stringsFor(locale);
  await page.getByLabel(t("classroom.teacher.classes.name")).focus();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  const { id } = await classroom.theClass();
  await expect(page).toHaveURL(new RegExp(`#class/${id}$`));
  return id;
}

async function violations(page: Page): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
}

for (const locale of ["fr", "ja"] as const) {
  test(`a teacher comes in by the link, makes a class and sees it live, by keyboard, in ${locale}`, async ({ page }) => {
    const t = stringsFor(locale);
    await signUp(page, locale);
    await makeClass(page, locale);
    await expect(page.getByText(t("classroom.teacher.board.none"))).toBeVisible();
    const { code } = await classroom.theClass();
    await expect(page.locator(".way-in")).toContainText(code);
    const lea = await classroom.learner(code, "Léa", locale);
    const tom = await classroom.learner(code, "Tom", locale);
    await classroom.learner(code, "Zoé", locale);
    const rows = page.locator(".board tbody tr");
    await expect(rows).toHaveCount(3);
    await lea.isAt(here);
    await tom.isAt({ ...here, step: "rollout-status", attempts: 1 });
    const row = (name: string) => rows.filter({ has: page.getByRole("rowheader", { name }) });
    await expect(row("Léa")).toContainText(t("classroom.teacher.board.states.working"));
    await expect(row("Léa")).toContainText(textsIn(locale).steps["apply"]?.title ?? "no title");
    classroom.pass(9 * minuteMs);
    await lea.isAt(here);
    await tom.isAt({ ...here, step: "rollout-status", attempts: 4 });
    await expect(row("Tom")).toContainText(t("classroom.teacher.board.states.stuck"));
    await expect(row("Tom")).toContainText(t("classroom.teacher.time.minutes", { minutes: 9 }));
    // Who is stuck comes first.
    await expect(rows.first().getByRole("rowheader")).toHaveText("Tom");
    await row("Tom").getByRole("button").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
    await page.keyboard.type("kubectl describe");
    await page.keyboard.press("Tab");
    const send = page.getByRole("dialog").getByRole("button", { name: t("classroom.teacher.message.send") });
    while (!(await send.evaluate((button) => button === document.activeElement))) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText(t("classroom.teacher.message.sentTo", { name: "Tom" }))).toBeVisible();
    expect([await tom.messages(), await lea.messages()]).toEqual([["kubectl describe"], []]);
    await page.getByLabel(t("classroom.teacher.message.toAll")).fill("Pause");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByText(t("classroom.teacher.message.sent"), { exact: true })).toBeVisible();
    expect(await lea.messages()).toEqual(["Pause"]);
  });

  test(`a learner's run opens as a copy that changes nothing, in ${locale}`, async ({ page }) => {
    const t = stringsFor(locale);
    await signUp(page, locale);
    const id = await makeClass(page, locale);
    const lea = await classroom.learner((await classroom.theClass()).code, "Léa", locale);
    await lea.isAt(here);
    await lea.sends(lab, run);
    await classroom.resultsSettled();
    const own = '{"the teacher\'s own":true}';
    await page.evaluate(([key = "", text = ""]) => localStorage.setItem(key, text), [`pilothouse.lab.${lab}`, own]);
    await page.getByRole("link", { name: "Léa" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await expect(page.getByText(t("classroom.teacher.learner.points", { count: 10 }))).toBeVisible();
    await page.getByRole("link", { name: t("classroom.teacher.learner.openLab", { lab: textsIn(locale).title }) }).click();
    await expect(page.locator(".shown-run")).toContainText("Léa");
    await expect(page.locator(".nodes-ready")).toBeVisible();
    await expect(page.locator("svg.cluster")).toContainText("nginx-deployment");
    await expect(page.locator(".step[data-state=passed]")).toHaveCount(1);
    await page.locator(".screen:not([hidden])").click();
    await page.keyboard.type("kubectl delete deployment nginx-deployment\n");
    await expect(page.locator("svg.cluster")).not.toContainText("nginx-deployment");
    await page.getByRole("link", { name: t("classroom.teacher.run.back", { name: "Léa" }) }).click();
    await expect(page).toHaveURL(new RegExp(`/${locale}/class/#class/${id}/learner/`));
    const kept = await page.evaluate((key) => localStorage.getItem(key), `pilothouse.lab.${lab}`);
    expect(kept).toBe(own);
    expect(await page.evaluate(() => localStorage.getItem("pilothouse.progress"))).not.toContain('"steps":["apply"');
    const held = await lea.ask<{ readonly run: RunPart }>("GET", `/runs/${lab}`);
    expect(held.run.entries).toEqual(run.entries);
  });
}

test("a run of a lab that has changed since is not passed off as the learner's", async ({ page }) => {
  const t = stringsFor("zh");
  await signUp(page, "zh");
  const id = await makeClass(page, "zh", "三班");
  const learner = await classroom.learner((await classroom.theClass()).code, "李雷", "zh");
  await learner.sends(lab, { ...run, world: "00000000" });
  const { id: who } = await learner.ask<{ readonly id: string }>("GET", "/me");
  await page.goto(`${classroom.origin}/zh/${place}/?run=${id}/${who}`);
  await expect(page.getByText(t("classroom.teacher.run.outdated"))).toBeVisible();
  await expect(page.locator(".nodes-ready")).toBeVisible();
  await page.goto(`${classroom.origin}/zh/${place}/?run=${id}/nobody`);
  const why = t("classroom.teacher.errors.not-found");
  await expect(page.locator("[data-lab-said]")).toHaveText(t("classroom.teacher.run.failed", { why }));
});

test("the lab's figures and the results as CSV", async ({ page }) => {
  const t = stringsFor("es");
  await signUp(page, "es");
  const id = await makeClass(page, "es", "Aula 1");
  const lea = await classroom.learner((await classroom.theClass()).code, "Léa", "es");
  await lea.isAt({ ...here, attempts: 2 });
  await lea.sends(lab, run);
  await classroom.resultsSettled();
  await page.goto(`${classroom.origin}/es/class/#class/${id}/figures`);
  const cells = page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader") })
    .getByRole("cell");
  const tookText = t("classroom.teacher.time.minutes", { minutes: 1 });
  await expect(cells).toHaveText([" 1", " 1", tookText, "2", "0", "0"]);
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: t("classroom.teacher.figures.csv") }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  expect(await readFile(await download.path(), "utf8")).toContain("Léa,deployment-create,,apply,10,0,90,");
});

test("a session that has ended asks to sign in, and one is where one was", async ({ page }) => {
  const t = stringsFor("fr");
  await signUp(page, "fr");
  const id = await makeClass(page, "fr");
  await page.getByRole("link", { name: t("classroom.teacher.tabs.settings") }).click();
  // The last that this view asks the server for: a session that ends before it is told there already, before anything is typed.
  await expect(page.getByText(t("classroom.teacher.keeping.text"))).toBeVisible();
  await classroom.endSessions();
  await page.getByLabel(t("classroom.teacher.classes.name"), { exact: true }).fill("Première");
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("classroom.teacher.signIn.ended"))).toBeVisible();
  await page.getByLabel(t("classroom.teacher.signIn.name"), { exact: true }).fill("ada");
  await page.getByLabel(t("classroom.teacher.signUp.password")).fill("wrong");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText(t("classroom.teacher.errors.wrong-password"));
  await page.getByLabel(t("classroom.teacher.signUp.password")).fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(t("classroom.teacher.settings.title"));
  await expect(page).toHaveURL(new RegExp(`#class/${id}/settings$`));
});

test("a board says that the connection is lost, and comes back by itself", async ({ page }) => {
  const t = stringsFor("fr");
  await signUp(page, "fr");
  await makeClass(page, "fr");
  const { code } = await classroom.theClass();
  await classroom.learner(code, "Léa", "fr");
  await expect(page.getByRole("rowheader", { name: "Léa" })).toBeVisible();
  await classroom.close();
  await expect(page.getByText(t("classroom.teacher.board.lost"))).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "Léa" })).toBeVisible();
  classroom = await classroom.again();
  await classroom.learner(code, "Tom", "fr");
  await expect(page.getByRole("rowheader", { name: "Tom" })).toBeVisible();
  await expect(page.getByText(t("classroom.teacher.board.lost"))).toHaveCount(0);
  // And once it comes back to find the session over, it asks to sign in.
  await classroom.close();
  classroom = await classroom.again();
  await classroom.endSessions();
  await expect(page.getByText(t("classroom.teacher.signIn.ended"))).toBeVisible();
});

test("a plan is made and ordered by keyboard; another's change in between is shown, not overwritten", async ({ page, context }) => {
  const t = stringsFor("fr");
  await signUp(page, "fr");
  const id = await makeClass(page, "fr");
  const plan = `${classroom.origin}/fr/class/#class/${id}/plan`;
  await page.goto(plan);
  const other = await context.newPage();
  await other.goto(plan);
  const add = (on: Page) => on.getByRole("button", { name: t("classroom.teacher.plan.addOne"), exact: true });
  const save = (on: Page) => on.getByRole("button", { name: t("classroom.teacher.plan.save") });
  const titles = page.locator(".planned-title");
  await add(page).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(titles).toHaveCount(2);
  const [first = "", second = ""] = await titles.allTextContents();
  await page.getByRole("button", { name: t("classroom.teacher.plan.up", { title: second }) }).focus();
  await page.keyboard.press("Enter");
  await expect(titles).toHaveText([second, first]);
  // At the top there is no way up: the keyboard is at the way down.
  await expect(page.getByRole("button", { name: t("classroom.teacher.plan.down", { title: second }) })).toBeFocused();
  const from = page.getByLabel(t("classroom.teacher.plan.from")).first();
  const until = page.getByLabel(t("classroom.teacher.plan.until")).first();
  await from.fill("2026-09-01T08:00");
  await until.fill("2026-08-01T08:00");
  await expect(page.getByRole("alert")).toHaveText(t("classroom.teacher.plan.wrong"));
  await until.fill("2026-10-01T08:00");
  await save(page).click();
  await expect(page.getByText(t("classroom.teacher.plan.saved"))).toBeVisible();
  await add(other).click();
  await save(other).click();
  await expect(other.getByRole("alert")).toContainText(second);
  await other.getByRole("button", { name: t("classroom.teacher.plan.theirs") }).click();
  await expect(other.locator(".planned-title")).toHaveText([second, first]);
  await expect(other.getByLabel(t("classroom.teacher.plan.from")).first()).toHaveValue("2026-09-01T08:00");
});

test("a class is removed only by its name", async ({ page }) => {
  const t = stringsFor("zh");
  await signUp(page, "zh");
  await makeClass(page, "zh", "三班");
  await page.getByRole("link", { name: t("classroom.teacher.tabs.settings") }).click();
  await page.locator("summary").click();
  const remove = page.getByRole("button", { name: t("classroom.teacher.settings.removeSubmit") });
  const field = page.getByLabel(t("classroom.teacher.settings.removeLabel", { name: "三班" }));
  await field.fill("二班");
  await expect(remove).toBeDisabled();
  await field.fill("三班");
  await remove.click();
  await expect(page.getByText(t("classroom.teacher.classes.none"))).toBeVisible();
});

test("on a phone the board is cards; names are hidden for the projector, also after a reload", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const t = stringsFor("zh");
  await signUp(page, "zh");
  await makeClass(page, "zh", "三班");
  const { code } = await classroom.theClass();
  const learner = await classroom.learner(code, "李雷", "zh");
  await learner.isAt(here);
  const card = page.locator(".cards > li");
  await expect(card).toContainText("李雷");
  await expect(page.locator(".board table")).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.getByLabel(t("classroom.teacher.board.hide")).check();
  await expect(card).not.toContainText("李雷");
  await page.reload();
  await expect(card).toContainText(t("classroom.teacher.board.number", { number: 1 }));
  await expect(card).not.toContainText("李雷");
  expect(await violations(page)).toEqual([]);
});

for (const [locale, colorScheme] of [
  ["fr", "light"],
  ["zh", "dark"],
  ["es", "light"],
  ["ja", "dark"],
] as const) {
  turnOf("a teacher's views", locale)(`nothing that axe objects to, in ${locale} on ${colorScheme} paper`, async ({ page }) => {
    const t = stringsFor(locale);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(`${classroom.origin}/${locale}/class/`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await signUp(page, locale);
    expect(await violations(page)).toEqual([]);
    const id = await makeClass(page, locale);
    const lea = await classroom.learner((await classroom.theClass()).code, "Léa", locale);
    await lea.isAt({ ...here, attempts: 3 });
    await lea.sends(lab, run);
    await classroom.resultsSettled();
    classroom.pass(9 * minuteMs);
    await lea.isAt({ ...here, attempts: 4 });
    await expect(page.locator(".state[data-state=stuck]").first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.locator(".board tbody button").click();
    await expect(page.locator(".hints")).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Léa" }).click();
    await expect(page.getByRole("heading", { name: t("classroom.teacher.learner.results") })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    for (const tab of ["plan", "figures", "settings"] as const) {
      await page.goto(`${classroom.origin}/${locale}/class/#class/${id}/${tab}`);
      await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(t(`classroom.teacher.${tab}.title`));
      if (tab === "plan") await page.getByRole("button", { name: t("classroom.teacher.plan.addOne"), exact: true }).click();
      expect(await violations(page), tab).toEqual([]);
    }
  });
}

test("a teacher invites another one, who sees the same classes; a link serves once", async ({ page, browser }) => {
  const t = stringsFor("es");
  await signUp(page, "es");
  await makeClass(page, "es", "Aula 1");
  await page.getByRole("link", { name: t("classroom.teacher.team.title") }).click();
  await page.getByRole("button", { name: t("classroom.teacher.invite.make") }).click();
  const link = await page.getByLabel(t("classroom.teacher.invite.link"), { exact: true }).inputValue();
  for (const name of ["Grace", "Eve"]) {
    const other = await browser.newPage();
    await other.goto(link);
    await other.getByLabel(t("classroom.teacher.signUp.name")).fill(name);
    const field = other.getByLabel(t("classroom.teacher.signUp.password"), { exact: true });
    await field.fill(password);
    await other.getByLabel(t("classroom.teacher.signUp.show")).check();
    await expect(field).toHaveAttribute("type", "text");
    await other.getByRole("button", { name: t("classroom.teacher.signUp.submit") }).click();
    if (name === "Grace") await expect(other.getByRole("link", { name: "Aula 1" })).toBeVisible();
    else await expect(other.getByRole("alert")).toHaveText(t("classroom.teacher.errors.bad-invitation"));
    await other.close();
  }
});

test("the link that names no language takes the browser's, and the invitation along", async ({ browser }) => {
  const page = await browser.newPage({ locale: "es-MX" });
  await page.goto(`${classroom.origin}/class/#${await classroom.invitation()}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(stringsFor("es")("classroom.teacher.signUp.title"));
  await page.close();
});

test("a copy of the course alone says that it has no classroom, and how a school gets one", async ({ page }) => {
  await page.goto("/fr/class/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(stringsFor("fr")("classroom.teacher.noClassroom.title"));
  await expect(page.locator("pre")).toHaveText("npm run classroom");
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
  expect(await violations(page)).toEqual([]);
});

test("a teacher changes the password, told beforehand what it must be, and the other browser is signed out", async ({
  page,
  browser,
}) => {
  const t = stringsFor("fr");
  await signUp(page, "fr");
  const other = await browser.newPage();
  await other.goto(`${classroom.origin}/fr/class/`);
  await other.getByLabel(t("classroom.teacher.signIn.name"), { exact: true }).fill("Ada");
  await other.getByLabel(t("classroom.teacher.signUp.password")).fill(password);
  await other.keyboard.press("Enter");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(t("classroom.teacher.classes.title"));
  await page.getByRole("link", { name: t("classroom.teacher.signedIn", { name: "Ada" }) }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  const form = page.locator("section[aria-labelledby=password-title]");
  const [old, fresh] = [form.getByLabel(t("classroom.teacher.account.old")), form.getByLabel(t("classroom.teacher.account.new"))];
  await expect(fresh).toHaveAccessibleDescription(t("classroom.teacher.signUp.note"));
  // What a password manager goes by.
  expect([await old.getAttribute("autocomplete"), await fresh.getAttribute("autocomplete")]).toEqual([
    "current-password",
    "new-password",
  ]);
  await expect(form.locator("[autocomplete=username]")).toHaveValue("Ada");
  const change = async (from: string, to: string): Promise<void> => {
    await old.fill(from);
    await fresh.fill(to);
    await page.keyboard.press("Enter");
  };
  await change("wrong", "another twelve letters");
  await expect(form.getByRole("alert")).toHaveText(t("classroom.teacher.account.wrong"));
  await change(password, "qwertyuiop123");
  await expect(form.getByRole("alert")).toHaveText(t("classroom.teacher.errors.common-password"));
  await change(password, "pilothouse-2026");
  await expect(form.getByRole("alert")).toHaveText(t("classroom.teacher.errors.guessable-password"));
  await change(password, "another twelve letters");
  await expect(page.getByText(t("classroom.teacher.account.passwordSaved"))).toBeVisible();
  await expect(old).toHaveValue("");
  await other.reload();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(t("classroom.teacher.signIn.title"));
  await other.close();
});

test("a teacher sees where they are signed in, and ends one session or all others, with the password", async ({
  page,
  browser,
}) => {
  const t = stringsFor("ja");
  await signUp(page, "ja");
  const others = await Promise.all([browser.newPage(), browser.newPage()]);
  for (const other of others) {
    classroom.pass(60 * minuteMs);
    await other.goto(`${classroom.origin}/ja/class/`);
    await other.getByLabel(t("classroom.teacher.signIn.name"), { exact: true }).fill("Ada");
    await other.getByLabel(t("classroom.teacher.signUp.password")).fill(password);
    await other.keyboard.press("Enter");
    await expect(other.getByRole("heading", { level: 1 })).toHaveText(t("classroom.teacher.classes.title"));
  }
  await page.goto(`${classroom.origin}/ja/class/#account`);
  const sessions = page.locator("section[aria-labelledby=sessions-title]");
  const end = async (as: string): Promise<void> => {
    await sessions.getByLabel(t("classroom.teacher.account.confirm")).fill(as);
    await page.keyboard.press("Enter");
  };
  await expect(sessions.getByRole("radio")).toHaveCount(3);
  await sessions.getByRole("radio").nth(1).check();
  await end("wrong");
  await expect(sessions.getByRole("alert")).toHaveText(t("classroom.teacher.account.wrong"));
  await end(password);
  await expect(sessions.getByText(t("classroom.teacher.account.ended"))).toBeVisible();
  await expect(sessions.getByRole("radio")).toHaveCount(2);
  await end(password);
  await expect(sessions.getByText(t("classroom.teacher.account.noOther"))).toBeVisible();
  for (const other of others) {
    await other.reload();
    await expect(other.getByRole("heading", { level: 1 })).toHaveText(t("classroom.teacher.signIn.title"));
    await other.close();
  }
  await expect(page.getByRole("button", { name: t("classroom.teacher.signOut") })).toBeVisible();
});

test("a teacher ends another one's account, with the own password; the own one cannot be ended", async ({ page, browser }) => {
  const t = stringsFor("zh");
  await signUp(page, "zh");
  const other = await browser.newPage();
  await other.goto(`${classroom.origin}/zh/class/#${await classroom.invitation()}`);
  await other.getByLabel(t("classroom.teacher.signUp.name")).fill("Grace");
  await other.getByLabel(t("classroom.teacher.signUp.password"), { exact: true }).fill(password);
  await other.keyboard.press("Enter");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(t("classroom.teacher.classes.title"));
  await page.goto(`${classroom.origin}/zh/class/#team`);
  await expect(page.locator(".team > li")).toHaveCount(2);
  await expect(page.locator(".team details")).toHaveCount(1);
  await page.locator(".team summary").click();
  await page.getByLabel(t("classroom.teacher.account.confirm")).fill("wrong");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText(t("classroom.teacher.account.wrong"));
  expect(await violations(page)).toEqual([]);
  await page.getByLabel(t("classroom.teacher.account.confirm")).fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("classroom.teacher.team.ended", { name: "Grace" }))).toBeVisible();
  await expect(page.locator(".team > li")).toHaveCount(1);
  await other.reload();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(t("classroom.teacher.signIn.title"));
  await other.close();
});

for (const [locale, colorScheme, width] of [
  ["fr", "dark", 390],
  ["zh", "light", 1280],
  ["ja", "light", 390],
  ["es", "dark", 1280],
] as const)
  turnOf("account and team", locale)(
    `account, team and what goes when: axe has nothing, nothing runs over, in ${locale} on ${colorScheme} paper, ${width} wide`,
    async ({ page, browser }) => {
      const t = stringsFor(locale);
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await signUp(page, locale);
      const id = await makeClass(page, locale);
      const lea = await classroom.learner((await classroom.theClass()).code, "Léa", locale);
      await lea.sends(lab, run);
      const other = await browser.newPage();
      await other.goto(`${classroom.origin}/${locale}/class/`);
      await other.getByLabel(t("classroom.teacher.signIn.name"), { exact: true }).fill("Ada");
      await other.getByLabel(t("classroom.teacher.signUp.password")).fill(password);
      await other.keyboard.press("Enter");
      await expect(other.getByRole("heading", { level: 1 })).toHaveText(t("classroom.teacher.classes.title"));
      await other.close();
      for (const [view, shown] of [
        ["account", t("classroom.teacher.account.allOthers")],
        ["team", t("classroom.teacher.team.self")],
        [`class/${id}/settings`, t("classroom.teacher.keeping.learners", { count: 400 })],
      ] as const) {
        await page.goto(`${classroom.origin}/${locale}/class/#${view}`);
        await expect(page.getByText(shown)).toBeVisible();
        expect(await violations(page), view).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), view).toBe(true);
      }
      // The next one's day, and what is kept for good.
      await expect(page.locator("section[aria-labelledby=keeping-title] li")).toContainText([
        t("classroom.teacher.keeping.next", { date: "DAY" }).split("DAY")[0]?.trim() ?? "",
        t("classroom.teacher.keeping.next", { date: "DAY" }).split("DAY")[0]?.trim() ?? "",
        t("classroom.teacher.keeping.auditAlways"),
      ]);
      await page.getByRole("link", { name: t("classroom.teacher.hosting") }).click();
      await expect(page).toHaveURL(`${classroom.origin}/${locale}/hosting/`);
    },
  );

test("names and words that look like HTML are text, to teacher and learner", async ({ page, browser }) => {
  const t = stringsFor("fr");
  const odd = '<img id="odd" src="x">';
  await signUp(page, "fr");
  const title = '<b id="odd">Terminale</b>';
  await page.getByLabel(t("classroom.teacher.classes.name")).fill(title);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const { id, code } = await classroom.theClass();
  const other = await browser.newPage();
  await other.goto(`${classroom.origin}/fr/join/#${code}`);
  await other.locator("#join-name").fill(odd);
  await other.locator("#join-word").fill("jonquille");
  await other.locator(".join form [type=submit]").click();
  await other.waitForURL(`${classroom.origin}/fr/`);
  await expect(page.getByRole("rowheader", { name: odd })).toBeVisible();
  await page.getByLabel(t("classroom.teacher.message.toAll")).fill(odd);
  await page.getByRole("button", { name: t("classroom.teacher.message.send") }).click();
  await expect(other.locator(".class-notice-text")).toHaveText(odd);
  await other.locator("[data-open-settings]").click();
  await expect(other.locator(".class-account")).toContainText(odd);
  await page.getByRole("link", { name: odd }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(odd);
  await page.goto(`${classroom.origin}/fr/class/#class/${id}/settings`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  for (const one of [page, other]) await expect(one.locator("#odd")).toHaveCount(0);
  await other.close();
});
