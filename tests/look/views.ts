// The kinds of pages, and how a reader comes to each: a walk goes through one page and stops where a picture is worth taking.

import type { Page } from "@playwright/test";
import type { Locale } from "#i18n/locales.ts";
import { Lab, lab as labOfLesson } from "../e2e/lab.test-kit.ts";
import { fiveKindsOfOwners } from "../e2e/owners.test-kit.ts";
import { lesson } from "../e2e/pages.test-kit.ts";

export interface Walk {
  /** Names of the pictures, in the order they are taken. */
  readonly views: readonly string[];
  readonly go: (at: Stop) => Promise<void>;
}

export interface Stop {
  readonly page: Page;
  readonly locale: Locale;
  /** Takes the picture of that name, on every paper that is asked for. */
  readonly take: (view: string) => Promise<void>;
}

/** A page that is looked at as it comes. */
function plain(view: string, path: (locale: Locale) => string): Walk {
  return {
    views: [view],
    go: async ({ page, locale, take }) => {
      await page.goto(path(locale));
      await take(view);
    },
  };
}

/** A lesson with the first of some things in it at the top of the window. */
function lessonAt(view: string, path: string, selector: string): Walk {
  return {
    views: [view],
    go: async ({ page, locale, take }) => {
      await page.goto(`/${locale}/${path}`);
      await page
        .locator(selector)
        .first()
        .evaluate((element) => {
          element.scrollIntoView({ block: "start" });
          window.scrollBy(0, -140);
        });
      await take(view);
    },
  };
}

export const walks: readonly Walk[] = [
  plain("front", () => "/"),
  plain("not-found", () => "/404.html"),
  ...["glossary", "progress", "about", "hosting", "offline"].map((name) => plain(name, (locale) => `/${locale}/${name}/`)),
  { views: ["home", "home-chart"], go: home },
  plain("lesson", (locale) => `/${locale}/${lesson}`),
  lessonAt("lesson-figure", "orientation/cluster-components/", ".figure"),
  lessonAt("lesson-table", "objects/manifests-and-field-validation/", ".text table"),
  lessonAt("lesson-many-columns", "objects/imperative-commands/", ".text table"),
  lessonAt("lesson-code", "objects/recommended-labels/", ".block.listing"),
  lessonAt("lesson-quiz", lesson, ".quiz"),
  lessonAt("lesson-end", lesson, ".lesson-foot"),
  { views: ["lesson-whole"], go: wholeLesson },
  plain("print", (locale) => `/${locale}/orientation/cluster-components/`),
  { views: ["figure-enlarged"], go: enlargedFigure },
  { views: ["lesson-rail", "lesson-card"], go: railAndCard },
  { views: ["progress-begun"], go: begunProgress },
  { views: ["review-empty", "review", "review-answered", "lesson-look-back"], go: reviewed },
  lessonAt("lesson-awaits", "objects/labels/", ".predict"),
  { views: ["search", "search-some", "search-none"], go: searched },
  { views: ["shortcuts"], go: shortcuts },
  { views: ["settings"], go: settings },
  { views: ["sandbox"], go: sandbox },
  { views: ["lab", "lab-help", "lab-table", "lab-back", "lab-more", "lab-exam", "lab-full"], go: lab },
  { views: ["lab-passed", "lab-over", "panel-review", "panel-differences", "panel-beside", "palette"], go: wholeLab },
  { views: ["picture-owners", "picture-owners-table"], go: ownersOfPods },
  { views: ["picture-objects", "picture-objects-table"], go: objectsOfLab },
  {
    views: ["panel-timeline", "panel-entry", "panel-follow", "panel-inspector", "panel-scheduler", "panel-editor", "panel-preview"],
    go: panels,
  },
];

async function home({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/`);
  await page.locator("#lab").scrollIntoViewIfNeeded();
  await new Lab(page).ready();
  await page.evaluate(() => window.scrollTo(0, 0));
  await take("home");
  await page.locator(".chart-head").evaluate((element) => element.scrollIntoView());
  await take("home-chart");
}

async function wholeLesson({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/orientation/cluster-components/`);
  await take("lesson-whole");
}

async function enlargedFigure({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/orientation/cluster-components/`);
  const enlarge = page.locator("[data-enlarge]").first();
  // Where a figure has its full size there is nothing to enlarge.
  if (!(await enlarge.isVisible())) return;
  await enlarge.click();
  await take("figure-enlarged");
}

async function railAndCard({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/${lesson}`);
  const toggle = page.locator("[data-rail-toggle]");
  if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  await take("lesson-rail");
  await page.keyboard.press("Escape");
  await page.locator(".term-word").first().focus();
  await page.keyboard.press("Enter");
  await take("lesson-card");
}

async function begunProgress({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/${lesson}`);
  await page.locator("[data-mark-done]").click();
  await page.goto(`/${locale}/orientation/cluster-components/`);
  await page.locator(".quiz [data-answer=right]").first().check();
  await page.locator(".quiz button").first().click();
  await page.goto(`/${locale}/progress/`);
  await take("progress-begun");
}

async function reviewed({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/review/`);
  await take("review-empty");
  await page.evaluate(() => {
    const kept = { steps: [], questions: [], done: true, doneDay: 1, recalls: {} };
    const today = Math.floor(Date.now() / 86_400_000);
    const known = { ...kept, recalls: { 0: { box: 2, day: today - 2 }, 1: { box: 1, day: today }, 2: { box: 3, day: today - 9 } } };
    const lessons = { "what-is-kubernetes": kept, "cluster-components": known };
    localStorage.setItem("pilothouse.progress", JSON.stringify({ version: 1, lessons }));
  });
  await page.reload();
  await page.locator(".look-back").waitFor();
  await take("review");
  await page.locator(".look-back [data-answer=wrong]").first().check();
  await page.locator(".look-back button[type=submit]").click();
  await take("review-answered");
  await page.goto(`/${locale}/${lesson}`);
  await page.locator("[data-quiz]").first().scrollIntoViewIfNeeded();
  await page.locator(".look-back").evaluate((element) => element.scrollIntoView({ block: "center" }));
  await take("lesson-look-back");
}

async function searched({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/${lesson}`);
  await page.keyboard.press("/");
  await page.keyboard.type("Deployment");
  await page.locator(".search-results li").first().waitFor();
  await take("search");
  for (const [view, words] of [
    ["search-some", "Pod zzzz"],
    ["search-none", "zzzz"],
  ] as const) {
    await page.locator("#search-words").fill(words);
    await page.locator("[data-search-advice]:visible").waitFor();
    await take(view);
  }
}

async function shortcuts({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/about/`);
  await page.keyboard.press("?");
  await take("shortcuts");
}

async function settings({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/about/`);
  await page.locator("[data-open-settings]").click();
  await take("settings");
}

async function sandbox({ page, locale, take }: Stop): Promise<void> {
  await page.goto(`/${locale}/sandbox/`);
  await page.locator("#lab").scrollIntoViewIfNeeded();
  await new Lab(page).ready();
  await page.evaluate(() => window.scrollTo(0, 0));
  await take("sandbox");
}

async function openLab(page: Page, locale: Locale): Promise<Lab> {
  const work = new Lab(page);
  await page.goto(`/${locale}/${lesson}`);
  const tab = page.locator("[data-show=lab]");
  if (await tab.isVisible()) await tab.click();
  else await page.locator("[data-lab] [data-open-lab]").click();
  await work.ready();
  await work.focus();
  return work;
}

/** Brings a zone to sight where only one of them is. */
async function showZone(page: Page, zone: "picture" | "terminal" | "steps"): Promise<void> {
  if ((await page.locator(".workbench[data-compact=true]").count()) === 0) return;
  const order = { picture: 0, terminal: 1, steps: 2 };
  await page.locator(".zone-button").nth(order[zone]).click();
}

async function lab({ page, locale, take }: Stop): Promise<void> {
  const work = await openLab(page, locale);
  await work.run(
    "kubectl apply -f nginx-deployment.yaml; kubectl rollout status deployment/nginx-deployment; kubectl get pods -o wide",
  );
  await take("lab");
  await showZone(page, "steps");
  await page.locator(".step[data-state=current] .step-tools button").first().click();
  await page.locator(".step[data-state=current] .step-tools .quiet").first().click();
  await take("lab-help");
  await showZone(page, "picture");
  await page.locator(".switch button").nth(1).click();
  await take("lab-table");
  await page.locator("button.icon-button[popovertarget=back-menu]").click();
  await page.locator("#back-menu .moment").first().waitFor();
  await take("lab-back");
  await page.locator("button.icon-button[popovertarget=more-menu]").click();
  await take("lab-more");
  await page.locator("#more-menu button").nth(3).click();
  await take("lab-exam");
  await page.keyboard.press("Escape");
  await showZone(page, "terminal");
  if ((await page.locator(".workbench[data-compact=true]").count()) > 0) {
    await page.locator("button.icon-button[popovertarget=more-menu]").click();
    await page.locator("#more-menu button").last().click();
  } else await page.locator(".bench-tools > button:not([popovertarget])").nth(2).click();
  await take("lab-full");
}

async function wholeLab({ page, locale, take }: Stop): Promise<void> {
  const work = await openLab(page, locale);
  const [first, ...others] = labOfLesson.steps;
  await work.runScript(first?.solution ?? "");
  await work.run("kubectl create configmap extra");
  await showZone(page, "steps");
  await page.locator(".step[data-fresh=true] .why").waitFor();
  await take("lab-passed");
  await showZone(page, "terminal");
  await work.focus();
  for (const step of others) await work.runScript(step.solution);
  await showZone(page, "steps");
  await page.locator(".lab-end").waitFor();
  await take("lab-over");
  await page.locator(".lab-end .button").click();
  await page.locator(".review-step").first().waitFor();
  await take("panel-review");
  await page.locator(".review-differences summary").first().click();
  await page.locator(".review").evaluate((review) => review.scrollTo({ top: review.scrollHeight, behavior: "instant" }));
  await take("panel-differences");
  await openPanel(page, "inspector");
  const beside = page.locator(".terminal-tabs .icon-button:not([aria-pressed=true])");
  if ((await beside.count()) > 1) await beside.first().click();
  await page.locator(".sheet").waitFor();
  await take("panel-beside");
  await page.keyboard.press("F1");
  await page.keyboard.type("pod");
  await page.locator(".palette-list [role=option]").nth(3).waitFor();
  await take("palette");
}

/** The sandbox with owners of every kind, a bare Pod, a Service, a rollout on its way and an image that is nowhere. */
async function ownersOfPods({ page, locale, take }: Stop): Promise<void> {
  const work = new Lab(page);
  await page.goto(`/${locale}/sandbox/`);
  await page.locator("#lab").scrollIntoViewIfNeeded();
  await work.ready();
  await showZone(page, "terminal");
  await work.focus();
  for (const command of fiveKindsOfOwners) await work.run(command);
  await page.evaluate(() => window.scrollTo(0, 0));
  await showZone(page, "picture");
  await page.locator(".picture-scroll").scrollIntoViewIfNeeded();
  await take("picture-owners");
  await page.locator(".switch button").nth(1).click();
  await take("picture-owners-table");
}

/** The lab on finalizers where a claim waits to be deleted. */
async function objectsOfLab({ page, locale, take }: Stop): Promise<void> {
  const work = new Lab(page);
  await page.goto(`/${locale}/objects/finalizers/`);
  const tab = page.locator("[data-show=lab]");
  if (await tab.isVisible()) await tab.click();
  else await page.locator("[data-lab] [data-open-lab]").click();
  // Its set-up takes a while on a busy machine.
  await page.locator(".nodes-ready").waitFor();
  await work.ready();
  await work.focus();
  await work.run(
    "kubectl apply -f guarded.yaml; kubectl delete configmap guarded --wait=false; kubectl delete pvc data --wait=false",
  );
  await showZone(page, "picture");
  await take("picture-objects");
  await page.locator(".switch button").nth(1).click();
  await take("picture-objects-table");
}

async function panels({ page, locale, take }: Stop): Promise<void> {
  const work = await openLab(page, locale);
  await work.run("kubectl apply -f nginx-deployment.yaml; kubectl rollout status deployment/nginx-deployment");
  await work.run("kubectl expose deployment nginx-deployment --type=NodePort --port=80");
  await openPanel(page, "timeline");
  await page.locator(".entry").nth(3).waitFor();
  await take("panel-timeline");
  await page.locator(".panel-search").fill("nginx-deployment");
  await page.locator(".entry-act").nth(1).click();
  await page.locator(".detail .facts").waitFor();
  await take("panel-entry");
  await page.locator(".detail-tools button").nth(1).click();
  await page.locator(".follow-step").first().waitFor();
  await take("panel-follow");
  await openPanel(page, "scheduler");
  await page.locator(".decision-list button").first().click();
  await page.locator(".score-table").waitFor();
  await take("panel-scheduler");
  await openPanel(page, "inspector");
  await page.locator("#panel-inspector .panel-search").fill("nginx-deployment");
  await page.locator(".results button").first().click();
  await page.locator(".sheet").waitFor();
  await take("panel-inspector");
  await openPanel(page, "editor");
  await page.locator(".cm-content").waitFor();
  await take("panel-editor");
  await openPanel(page, "preview");
  await page.locator("#panel-preview button:not([type=submit])").first().click();
  await page.locator("#panel-preview iframe").waitFor();
  await take("panel-preview");
}

/** In the order of the menu, which is named in the reader's language. */
const panelOrder = ["editor", "preview", "timeline", "inspector", "scheduler"];

async function openPanel(page: Page, id: string): Promise<void> {
  await page.locator(".panel-button").click();
  await page.locator("#panel-menu button").nth(panelOrder.indexOf(id)).click();
  await page.locator(`#tab-${id}[aria-selected=true]`).waitFor();
}
