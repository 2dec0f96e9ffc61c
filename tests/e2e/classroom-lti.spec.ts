// Launches from a learning platform in a browser: a page of the platform's, of another site, has the course in a frame.

import AxeBuilder from "@axe-core/playwright";
import { expect, type FrameLocator, type Page, request as playwrightRequest, test } from "@playwright/test";
import { decodeJwt } from "jose";
import { TestPlatform, type Visit } from "../../src/classroom/server/lti/platform.test-kit.ts";
import { wordsIn } from "../../src/classroom/server/words.ts";
import { stringsFor } from "../../src/i18n/build.ts";
import { type Locale, languageTags, locales } from "../../src/i18n/locales.ts";
import { Classroom } from "./classroom-teacher.test-kit.ts";

const claim = "https://purl.imsglobal.org/spec/lti/claim";
const linking = "https://purl.imsglobal.org/spec/lti-dl/claim";
const lab = "deployment-create";
/** What a link of the platform's says of who opens it, by the name of the link. */
const links = new Map<string, () => Visit>([
  ["instructor", () => ({ subject: "t1", name: "Ada", role: "Instructor" })],
  ["lab", () => ({ subject: "s1", name: "Léa", lab })],
  [
    "choose",
    () => ({
      subject: "t1",
      name: "Ada",
      role: "Instructor",
      claims: {
        [`${claim}/message_type`]: "LtiDeepLinkingRequest",
        [`${linking}/deep_linking_settings`]: {
          deep_link_return_url: `${platform.origin}/back`,
          accept_types: ["ltiResourceLink"],
          accept_presentation_document_targets: ["iframe"],
        },
      },
    }),
  ],
]);

let classroom: Classroom;
let platform: TestPlatform;
/** Of both servers' clocks. */
let aheadMs = 0;
test.use({ ignoreHTTPSErrors: true });
test.beforeEach(async () => {
  aheadMs = 0;
  platform = new TestPlatform(() => Date.now() + aheadMs);
  await platform.start();
  classroom = await Classroom.start({ platforms: [{ ...platform.settings, frames: [platform.origin] }] });
  platform.page = (url, body) => answer(url, body);
});
test.afterEach(async () => {
  await classroom.stop();
  await platform.stop();
});

/** A course's page, with a link of it open in a frame; who somebody is, posted to the tool; and what came back of a choice. */
async function answer(url: URL, body: string): Promise<string | undefined> {
  const { searchParams: asked } = url;
  if (url.pathname === "/course") {
    const login = new URLSearchParams({
      iss: platform.settings.issuer,
      client_id: platform.settings.clientId,
      login_hint: asked.get("locale") ?? "",
      lti_message_hint: asked.get("link") ?? "",
      target_link_uri: `${classroom.origin}/`,
    });
    const frame = `<iframe title="Pilothouse" width="100%" height="700" src="${classroom.origin}/api/lti/login?${login}"></iframe>`;
    return `<!doctype html><html lang="en"><title>Course</title><h1>Course</h1>${frame}`;
  }
  if (url.pathname === "/auth") {
    const locale = asked.get("login_hint") as Locale;
    const visit = links.get(asked.get("lti_message_hint") ?? "")?.() ?? {};
    const presentation = { [`${claim}/launch_presentation`]: { locale: languageTags[locale] } };
    const claims = { [`${claim}/target_link_uri`]: `${classroom.origin}/`, ...presentation, ...visit.claims };
    const token = await platform.sign(platform.idToken(asked.get("nonce") ?? "", { ...visit, claims }));
    const field = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;
    return `<!doctype html><title>Login</title><form method="post" action="${asked.get("redirect_uri")}">
      ${field("state", asked.get("state") ?? "")}${field("id_token", token)}</form><script>document.forms[0].submit()</script>`;
  }
  if (url.pathname !== "/back") return undefined;
  return `<!doctype html><title>Back</title><pre>${new URLSearchParams(body).get("JWT")}</pre>`;
}

async function open(page: Page, link: string, locale: Locale): Promise<FrameLocator> {
  await page.goto(`${platform.origin}/course?link=${link}&locale=${locale}`);
  return page.frameLocator("iframe");
}

/** The button in the frame, by keyboard (a mouse's click may come before the frame of another process is drawn, and be lost), and the
 * window that it opens. */
async function enter(page: Page, frame: FrameLocator, locale: Locale): Promise<Page> {
  const opening = page.waitForEvent("popup");
  await frame.getByRole("button", { name: wordsIn(locale).launch.open.button }).press("Enter");
  return opening;
}

async function violations(page: Page): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).include("iframe").analyze();
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
}

const isWiderThanWindow = (frame: FrameLocator): Promise<boolean> =>
  frame.locator("html").evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

test("a learner's launch in a frame shows a button; the window that it opens is at the lab's lesson, signed in", async ({
  page,
}) => {
  const t = stringsFor("fr");
  const desk = await enter(page, await open(page, "instructor", "fr"), "fr");
  await expect(desk.getByRole("heading", { level: 1 })).toHaveText("Cours c1");
  await desk.context().clearCookies();
  const door = await open(page, "lab", "fr");
  await expect(door.getByRole("heading", { name: wordsIn("fr").launch.open.title })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violations(page)).toEqual([]);
  const lesson = await enter(page, door, "fr");
  await expect(lesson).toHaveURL(`${classroom.origin}/fr/workloads/${lab}/`);
  const account = lesson.locator(".class-account");
  await expect(account).toContainText(t("classroom.learner.as", { name: "Léa" }));
  expect(await (await lesson.request.get(`${classroom.origin}/api/me`)).json()).toMatchObject({ role: "learner", name: "Léa" });
  // The frame itself has no session: the course is in the window alone.
  const names = (await page.context().cookies(classroom.origin)).map(({ name, partitionKey = "" }) => [name, partitionKey]);
  expect(names).toContainEqual(["__Host-pilothouse", ""]);

  // Nobody knows a word: the launch stands for it, while it is fresh.
  await lesson.locator("[data-open-settings]").first().click();
  await lesson.getByRole("button", { name: t("classroom.learner.ownEnd") }).click();
  await expect(account).toContainText(t("classroom.learner.ownAskLaunch"));
  await expect(account.locator("#own-data-word")).toBeHidden();
  aheadMs = 600_000;
  classroom.pass(aheadMs);
  await lesson.getByRole("button", { name: t("classroom.learner.ownYes") }).click();
  await expect(account.getByRole("alert")).toHaveText(t("classroom.learner.ownLate"));
  const again = await enter(page, await open(page, "lab", "fr"), "fr");
  await expect(again).toHaveURL(lesson.url());
  await again.locator("[data-open-settings]").first().click();
  await again.getByRole("button", { name: t("classroom.learner.ownEnd") }).click();
  await expect(again.locator(".class-account")).toContainText(t("classroom.learner.ownAskLaunch"));
  await again.getByRole("button", { name: t("classroom.learner.ownYes") }).click();
  await expect(again.locator(".class-account")).toHaveCount(0);
  expect(await (await again.request.get(`${classroom.origin}/api/me`)).json()).toEqual({ role: "nobody", isNew: false });
});

test("a teacher of the platform's has no password: the account's page says so, and a fresh launch stands for it", async ({
  page,
}, info) => {
  const t = stringsFor("fr");
  const desk = await enter(page, await open(page, "instructor", "fr"), "fr");
  // A second session, which stays open elsewhere, and a colleague who has signed up here.
  const school = await (await page.context().browser()?.newContext({ ignoreHTTPSErrors: true }))?.newPage();
  if (school === undefined) throw new Error("no browser");
  await enter(school, await open(school, "instructor", "fr"), "fr");
  const grace = { invitation: await classroom.invitation(), name: "Grace", password: "twelve letters at least" };
  const other = await playwrightRequest.newContext({ baseURL: `${classroom.origin}/api/`, ignoreHTTPSErrors: true });
  await other.post("teachers", { data: grace });
  for (const locale of locales) {
    const words = stringsFor(locale);
    for (const [view, text] of [
      ["account", words("classroom.teacher.account.platformText")],
      ["team", words("classroom.teacher.team.text")],
    ] as const) {
      await desk.goto(`${classroom.origin}/${locale}/class/#${view}`);
      await expect(desk.getByText(text)).toBeVisible();
      if (view === "team") await desk.locator(".confirm summary").click();
      await expect(desk.getByText(words("classroom.teacher.account.confirmLaunch"))).toBeVisible();
      await expect(desk.locator("input[type=password]")).toHaveCount(0);
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 390],
      ] as const) {
        await desk.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await desk.setViewportSize({ width, height: 844 });
        const { violations: found } = await new AxeBuilder({ page: desk }).analyze();
        expect(found.map(({ id }) => id)).toEqual([]);
        expect(await desk.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
        await desk.screenshot({ path: info.outputPath(`${view}-${locale}-${colorScheme}.png`), fullPage: true });
      }
    }
  }
  aheadMs = 600_000;
  classroom.pass(aheadMs);
  await desk.goto(`${classroom.origin}/fr/class/#account`);
  const end = (on: Page) => on.getByRole("button", { name: t("classroom.teacher.account.end"), exact: true }).click();
  await end(desk);
  await expect(desk.getByRole("alert")).toHaveText(t("classroom.teacher.account.late"));
  const again = await enter(page, await open(page, "instructor", "fr"), "fr");
  await again.goto(`${classroom.origin}/fr/class/#account`);
  await end(again);
  await expect(again.getByText(t("classroom.teacher.account.ended"))).toBeVisible();
  await expect(again.getByText(t("classroom.teacher.account.noOther"))).toBeVisible();
  await again.goto(`${classroom.origin}/fr/class/#team`);
  await again.locator(".confirm summary").click();
  await again.locator(".confirm form [type=submit]").click();
  await expect(again.getByText(t("classroom.teacher.team.ended", { name: "Grace" }))).toBeVisible();
  expect((await other.get("classes")).status()).toBe(401);
  await other.dispose();
  await school.context().close();
});

test("a teacher chooses a lab in the platform's frame, by keyboard", async ({ page }) => {
  const { choose } = wordsIn("fr").launch;
  const choice = await open(page, "choose", "fr");
  await expect(choice.getByRole("heading", { name: choose.title })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await choice.locator(`input[value="lab ${lab}"]`).press("Space");
  await choice.getByRole("button", { name: choose.submit }).press("Enter");
  const [item] = decodeJwt(await choice.locator("pre").innerText())[`${linking}/content_items`] as readonly object[];
  expect(item).toMatchObject({ type: "ltiResourceLink", custom: { pilothouse: `lab ${lab}` } });
});

test("the pages in a frame are in the reader's language, in the dark and on a phone", async ({ page }, info) => {
  for (const locale of locales) {
    const { launch } = wordsIn(locale);
    const look = async (name: string, frame: FrameLocator, title: string): Promise<void> => {
      await expect(frame.getByRole("heading", { name: title })).toBeVisible();
      await expect(frame.locator("html")).toHaveAttribute("lang", languageTags[locale]);
      expect(await isWiderThanWindow(frame)).toBe(false);
      await page.screenshot({ path: info.outputPath(`${name}-${locale}.png`) });
    };
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1000, height: 820 });
    await look("door", await open(page, "instructor", locale), launch.open.title);
    await look("choice", await open(page, "choose", locale), launch.choose.title);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 820 });
    await look("choice-phone-dark", await open(page, "choose", locale), launch.choose.title);
    await look("door-phone-dark", await open(page, "instructor", locale), launch.open.title);
  }
});
