// What the suites of pages share: the built site on a server of its own, and a Chromium that looks at it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../src/tools/browser.mjs";
import { SiteServer } from "../site-server.ts";
import { CannotMeasure } from "./figures.ts";

export const siteFolder = process.env["PILOTHOUSE_OUT"] ?? "dist";

export interface BuiltSite {
  /** `http://127.0.0.1:4000`, no slash at the end. */
  readonly origin: string;
  readonly browser: Browser;
}

/** Throws CannotMeasure where there is no built site. */
export function needBuiltSite(): void {
  const page = join(siteFolder, "fr", "index.html");
  if (!existsSync(page)) throw new CannotMeasure(`no built site in ${siteFolder}: npm run build`);
}

/** Throws CannotMeasure where there is no Chromium. */
export function needChromium(): string {
  const path = findChromium();
  if (path === undefined) throw new CannotMeasure("no Chromium on the PATH: install one, or set PILOTHOUSE_CHROMIUM to its path");
  return path;
}

/** Serves the built site and starts a browser for as long as `measure` takes. */
export async function withBuiltSite<Result>(measure: (site: BuiltSite) => Promise<Result>): Promise<Result> {
  needBuiltSite();
  const executablePath = needChromium();
  const server = new SiteServer(siteFolder);
  await server.start(0);
  try {
    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"],
    });
    try {
      return await measure({ origin: server.origin, browser });
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

/** Does something with a page of a reader who has never been here: nothing kept, nothing cached. */
export async function asNewReader<Result>(
  browser: Browser,
  act: (page: Page, devtools: CDPSession) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    return await act(page, await context.newCDPSession(page));
  } finally {
    await context.close();
  }
}

const sliceMs = 10;

/**
 * Has the processes that draw pages run a part of the time only, with all their threads: the browser's own throttling leaves workers as
 * they are. Returns what ends it.
 */
export async function slowDown(browser: Browser, slowness: number): Promise<() => void> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  await devtools.detach();
  const renderers = processInfo.flatMap(({ type, id }) => (type === "renderer" ? [id] : []));
  const signal = (name: "SIGSTOP" | "SIGCONT"): void => {
    for (const id of renderers) {
      try {
        process.kill(id, name);
      } catch {
        // It has ended.
      }
    }
  };
  let timer: NodeJS.Timeout;
  const run = (): void => {
    signal("SIGCONT");
    timer = setTimeout(stop, sliceMs);
  };
  const stop = (): void => {
    signal("SIGSTOP");
    timer = setTimeout(run, sliceMs * (slowness - 1));
  };
  stop();
  return () => {
    clearTimeout(timer);
    signal("SIGCONT");
  };
}

/** A trace's events of some categories while something happens. */
export async function traceOf(
  browser: Browser,
  page: Page,
  categories: readonly string[],
  happening: () => Promise<void>,
): Promise<readonly TraceEvent[]> {
  await browser.startTracing(page, { categories: [...categories] });
  await happening();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8")) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return traceEvents;
}

export interface TraceEvent {
  readonly name: string;
  /** Process */
  readonly pid: number;
  /** Microseconds */
  readonly ts: number;
  readonly args: { readonly [name: string]: unknown };
}
