// How long a reader who has never been here waits for a terminal: from the click that opens a lab, and from the start of the visit on the
// home page, whose cluster starts by itself; on this machine, on slower lines, and with a slower processor. Wall time, median of visits with
// nothing cached; the browser itself is warm.

import type { Browser, Page } from "@playwright/test";
import { locales } from "#i18n/locales.ts";
import { lesson } from "../e2e/pages.test-kit.ts";
import { type LineSpeed, SlowLine } from "../slow-line.ts";
import { asNewReader, slowDown, withBuiltSite } from "./browser.ts";
import { type Figure, medianOf } from "./figures.ts";

const visits = 5;
const barMs = 600;
const barKilobytes = 700;

interface Circumstances {
  readonly name: string;
  readonly line: LineSpeed;
  /** So many times slower than this one. */
  readonly slowness: number;
  readonly barMs: number;
}

const elsewhere: readonly Circumstances[] = [
  { name: "10 Mbit/s, 40 ms", line: { bitsPerSecond: 10e6, roundTripMs: 40 }, slowness: 1, barMs: 1200 },
  { name: "1.6 Mbit/s, 150 ms", line: { bitsPerSecond: 1.6e6, roundTripMs: 150 }, slowness: 1, barMs: 3500 },
  { name: "10 Mbit/s, 40 ms, processor 4 times slower", line: { bitsPerSecond: 10e6, roundTripMs: 40 }, slowness: 4, barMs: 3000 },
];

/** Moments of a visit, in milliseconds from the start of the navigation. */
interface Moments {
  /** The click on the button; 0 where the cluster starts by itself. */
  begun: number;
  /** The worker is asked for. */
  worker: number;
  /** The worker's code runs and has the lab's definition. */
  booting: number;
  /** The world is there. */
  ready: number;
  /** The shell's first word reaches the page. */
  output: number;
  /** A prompt stands on the screen. */
  prompt: number;
  /** A character typed at it stands on the screen. */
  echo: number;
}

interface Visit extends Readonly<Moments> {
  /** What the page's process used from `begun` to `echo`, its worker included: does not depend on who else uses the machine. */
  readonly cpuMs: number;
}

const parts: readonly (readonly [name: string, from: keyof Moments, to: keyof Moments])[] = [
  ["the workbench's code", "begun", "worker"],
  ["the worker's code", "worker", "booting"],
  ["the world is built", "booting", "ready"],
  ["the shell starts", "ready", "output"],
  ["the prompt is drawn", "output", "prompt"],
  ["the tools' code, and a character comes back", "prompt", "echo"],
];

export async function benchPrompt(): Promise<readonly Figure[]> {
  return withBuiltSite(async ({ origin, browser }) => {
    // Once for nothing: the server packs its files, the browser starts its processes.
    await visitLesson(browser, `${origin}/fr/${lesson}`);
    const figures: Figure[] = [];
    for (const locale of locales) {
      const all = await several(() => visitLesson(browser, `${origin}/${locale}/${lesson}`));
      figures.push(span(`lesson, ${locale}: from the click to a prompt that answers`, all, "begun", "echo", barMs));
      if (locale === "fr") figures.push(...partsOf(all));
    }
    const home = await several(() => visitHome(browser, `${origin}/fr/`));
    figures.push(span("home, fr: from the start of the visit to a prompt that answers", home, "begun", "echo", barMs));
    figures.push(...partsOf(home));
    for (const circumstances of elsewhere) figures.push(...(await measureElsewhere(browser, origin, circumstances)));
    return figures;
  });
}

async function measureElsewhere(browser: Browser, origin: string, circumstances: Circumstances): Promise<readonly Figure[]> {
  const { name, line, slowness, barMs: bar } = circumstances;
  const slow = await SlowLine.open(line, Number(new URL(origin).port));
  try {
    const bytes: number[] = [];
    const all = await several(() =>
      asNewReader(browser, async (page) => {
        await noteMoments(page);
        await page.goto(`${slow.origin}/fr/${lesson}`, { waitUntil: "networkidle" });
        const before = slow.downBytes;
        const brake = slowness > 1 ? await slowDown(browser, slowness) : undefined;
        try {
          return await whileCounting(browser, async () => {
            await page.locator("[data-lab] [data-open-lab]").click();
            return typeAtPrompt(page, () => bytes.push(slow.downBytes - before));
          });
        } finally {
          brake?.();
        }
      }),
    );
    return [
      span(`lesson, fr, ${name}: from the click to a prompt`, all, "begun", "prompt", bar),
      ...partsOf(all),
      { name: "  downloaded from the click to the prompt", value: medianOf(bytes) / 1024, unit: "KB", bar: barKilobytes },
    ];
  } finally {
    slow.close();
  }
}

async function several(visit: () => Promise<Visit>): Promise<readonly Visit[]> {
  const all: Visit[] = [];
  for (let count = 0; count < visits; count++) all.push(await visit());
  return all;
}

function partsOf(all: readonly Visit[]): readonly Figure[] {
  return [
    ...parts.map(([name, from, to]) => span(`  of which ${name}`, all, from, to)),
    { name: "  CPU time of the page and its worker until then", value: medianOf(all.map(({ cpuMs }) => cpuMs)), unit: "ms CPU" },
  ];
}

function span(name: string, all: readonly Visit[], from: keyof Moments, to: keyof Moments, bar?: number): Figure {
  const value = medianOf(all.map((visit) => visit[to] - visit[from]));
  return { name, value, unit: "ms", ...(bar === undefined ? {} : { bar }) };
}

function visitLesson(browser: Browser, address: string): Promise<Visit> {
  return asNewReader(browser, async (page) => {
    await noteMoments(page);
    await page.goto(address, { waitUntil: "networkidle" });
    return whileCounting(browser, async () => {
      await page.locator("[data-lab] [data-open-lab]").click();
      return typeAtPrompt(page);
    });
  });
}

function visitHome(browser: Browser, address: string): Promise<Visit> {
  return asNewReader(browser, async (page) => {
    await noteMoments(page);
    return whileCounting(browser, async () => {
      await page.goto(address, { waitUntil: "commit" });
      return typeAtPrompt(page);
    });
  });
}

async function whileCounting(browser: Browser, visit: () => Promise<Readonly<Moments>>): Promise<Visit> {
  const before = await rendererCpuMs(browser);
  const moments = await visit();
  return { ...moments, cpuMs: (await rendererCpuMs(browser)) - before };
}

/** CPU time of all processes that draw pages; there is one page. */
async function rendererCpuMs(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  await devtools.detach();
  return processInfo.reduce((sum, { type, cpuTime }) => (type === "renderer" ? sum + cpuTime * 1000 : sum), 0);
}

async function typeAtPrompt(page: Page, atPrompt: () => void = () => {}): Promise<Readonly<Moments>> {
  await page.waitForFunction(() => "prompt" in window.moments, undefined, { polling: "raf" });
  atPrompt();
  await page.evaluate(() => document.querySelector<HTMLElement>(".screen:not([hidden]) .xterm-helper-textarea")?.focus());
  await page.keyboard.press("z");
  await page.waitForFunction(() => "echo" in window.moments, undefined, { polling: "raf" });
  const { begun = 0, ...moments } = await page.evaluate(() => window.moments);
  return { begun, ...(moments as Omit<Moments, "begun">) };
}

declare global {
  interface Window {
    moments: Partial<Moments>;
  }
}

/** Has the page write down when what happens: its clicks, its worker's messages, its terminal's text. */
async function noteMoments(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moments: Partial<Moments> = {};
    window.moments = moments;
    const note = (moment: keyof Moments): void => {
      moments[moment] ??= performance.now();
    };
    addEventListener(
      "click",
      (event) => {
        if (event.target instanceof Element && event.target.closest("[data-open-lab]") !== null) moments.begun ??= event.timeStamp;
      },
      { capture: true },
    );
    window.Worker = class extends Worker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        note("worker");
        this.addEventListener("message", ({ data }: MessageEvent<{ readonly kind: string; readonly phase?: string }>) => {
          if (data.kind === "phase" && data.phase === "booting") note("booting");
          if (data.kind === "ready" || data.kind === "output") note(data.kind);
        });
      }
    };
    new MutationObserver(() => {
      const text =
        document.querySelector(".screen:not([hidden]) .xterm-rows")?.textContent.replaceAll("\u00a0", " ").trimEnd() ?? "";
      if (/\S+@\S+:\S*\$$/.test(text)) note("prompt");
      if (/\S+@\S+:\S*\$ z$/.test(text)) note("echo");
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}
