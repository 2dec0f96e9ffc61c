// Everything that axe looks at: each kind of page in each language on both papers, labs in use, dialogs. Tests want nothing found, the bench
// counts what is.

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { type Locale, locales } from "../../src/i18n/locales.ts";
import { lesson, pagesOf } from "./pages.test-kit.ts";

/** A busy machine takes its time to bring up a cluster. */
const timeout = 60_000;

export interface View {
  readonly title: string;
  /** Undefined on pages of no language. */
  readonly locale: Locale | undefined;
  readonly paper: "light" | "dark";
  /** What is shown, where there are views of it on either paper and in all languages: a run of the tests takes some of them in turn. */
  readonly kind?: string;
  readonly onPhone: boolean;
  show(page: Page): Promise<void>;
  /** What else is shown and looked at on the same page. */
  readonly showNext?: (page: Page) => Promise<void>;
}

/** How a view's page is to be made. */
export const contextOf = ({ paper, onPhone }: View) =>
  ({
    colorScheme: paper,
    reducedMotion: "reduce",
    ...(onPhone ? { viewport: { width: 390, height: 844 } } : {}),
  }) as const;

export const views: readonly View[] = [
  ...(["light", "dark"] as const).flatMap((paper) => [
    ...["/", "/404.html"].map((path) => plainPage(path, undefined, path, paper)),
    ...pagesOf.flatMap(([locale, paths]) => paths.map((path) => plainPage(path, locale, path.slice(4), paper))),
    ...locales.map((locale) => openLab(locale, paper)),
  ]),
  onPhone("/fr/", "fr"),
  onPhone("/zh/sandbox/", "zh"),
  labWithHelp(),
  paletteAndPanelBeside(),
  settingsAndShortcuts(),
  searchAndWordCard(),
  ...(["light", "dark"] as const).map(reviewAndLookBack),
];

/** What axe objects to in a view, one line each. */
export async function findings(page: Page, view: View): Promise<readonly string[]> {
  await view.show(page);
  const first = await violations(page);
  if (view.showNext === undefined) return first;
  await view.showNext(page);
  return [...first, ...(await violations(page))];
}

async function violations(page: Page): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} — ${node.any[0]?.message ?? node.none[0]?.message ?? ""}`),
  );
}

function plainPage(path: string, locale: View["locale"], kind: string, paper: View["paper"]): View {
  return {
    title: `${path} on ${paper} paper`,
    locale,
    paper,
    kind,
    onPhone: false,
    show: async (page) => {
      await page.goto(path);
      if (/^\/\w\w\/(sandbox\/)?$/.test(path)) await expect(page.locator(".nodes-ready")).toBeVisible({ timeout });
    },
  };
}

function openLab(locale: Locale, paper: View["paper"]): View {
  return {
    title: `the open lab in ${locale} on ${paper} paper`,
    locale,
    paper,
    kind: "the open lab",
    onPhone: false,
    show: async (page) => {
      await page.goto(`/${locale}/${lesson}`);
      await page.locator("[data-lab] [data-open-lab]").click();
      await expect(page.locator(".nodes-ready")).toBeVisible({ timeout });
      await expect(page.locator("svg.cluster")).toBeVisible({ timeout });
    },
  };
}

function onPhone(path: string, locale: Locale): View {
  return {
    title: `${path} on a phone`,
    locale,
    paper: "light",
    onPhone: true,
    show: async (page) => {
      await page.goto(path);
      await page.locator("#lab").scrollIntoViewIfNeeded();
      await expect(page.locator(".screen:not([hidden])")).toBeVisible({ timeout });
    },
  };
}

function labWithHelp(): View {
  return {
    title: "the open lab as a table, with hints, solution and the question about a reset",
    locale: "fr",
    paper: "light",
    onPhone: false,
    show: async (page) => {
      await page.goto(`/fr/${lesson}`);
      await page.locator("[data-lab] [data-open-lab]").click();
      await page.locator(".switch button").nth(1).click();
      await page.locator(".step-tools .button").first().click();
      await page.locator(".step-tools .quiet").first().click();
      await page.locator(".bench-tools .button").click();
      await expect(page.getByRole("alertdialog")).toBeVisible({ timeout });
    },
  };
}

function paletteAndPanelBeside(): View {
  return {
    title: "the command palette, then a panel beside the terminal and a step that has passed",
    locale: "es",
    paper: "dark",
    onPhone: false,
    show: async (page) => {
      await page.goto(`/es/${lesson}`);
      await page.locator("[data-lab] [data-open-lab]").click();
      await expect(page.locator(".nodes-ready")).toBeVisible({ timeout });
      await page.locator(".bench-tools [data-open-palette]").click();
      await expect(page.locator(".palette-list [role=option]").first()).toBeVisible({ timeout });
    },
    showNext: async (page) => {
      await page.keyboard.type("inspector");
      await page.keyboard.press("Enter");
      await page.locator("#tab-inspector[aria-selected=true]").waitFor({ timeout });
      await page.locator(".terminal-tabs .icon-button").first().click();
      await page.locator(".screen[data-place=main] .xterm-helper-textarea").focus();
      await page.keyboard.type("kubectl apply -f nginx-deployment.yaml\n");
      await expect(page.locator(".step[data-fresh=true] .why")).toBeVisible({ timeout });
    },
  };
}

function settingsAndShortcuts(): View {
  return {
    title: "settings, then shortcuts",
    locale: "ja",
    paper: "light",
    onPhone: false,
    show: async (page) => {
      await page.goto("/ja/about/");
      await page.locator("[data-open-settings]").click();
    },
    showNext: async (page) => {
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await expect(page.locator("#shortcuts")).toBeVisible({ timeout });
    },
  };
}

function searchAndWordCard(): View {
  return {
    title: "search with results, then the open card of a word",
    locale: "fr",
    paper: "light",
    onPhone: false,
    show: async (page) => {
      await page.goto(`/fr/${lesson}`);
      await page.keyboard.press("/");
      await page.keyboard.type("Pod");
      await expect(page.locator(".search-results li").first()).toBeVisible({ timeout });
    },
    showNext: async (page) => {
      await page.keyboard.press("Escape");
      await page.locator(".term-word").first().click();
      await expect(page.locator(".term-card").first()).toBeVisible({ timeout });
    },
  };
}

function reviewAndLookBack(paper: View["paper"]): View {
  return {
    title: `review with an answered question, then a look back in a lesson, on ${paper} paper`,
    locale: "es",
    paper,
    onPhone: false,
    show: async (page) => {
      await page.addInitScript(() => {
        const kept = { steps: [], questions: [], done: true, doneDay: 1, recalls: {} };
        localStorage.setItem("pilothouse.progress", JSON.stringify({ version: 1, lessons: { "what-is-kubernetes": kept } }));
      });
      await page.goto("/es/review/");
      await page.locator(".look-back [data-answer=wrong]").first().check();
      await page.locator(".look-back button[type=submit]").click();
      await expect(page.locator("[data-review-next]")).toBeVisible({ timeout });
    },
    showNext: async (page) => {
      await page.goto(`/es/${lesson}`);
      await page.locator("[data-quiz]").first().scrollIntoViewIfNeeded();
      await expect(page.locator(".look-back")).toBeVisible({ timeout });
    },
  };
}
