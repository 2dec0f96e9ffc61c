// A classroom in a folder of its own, with a clock and replays of the test's, asked without a network.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { type Locale, locales } from "../../i18n/locales.ts";
import type { CourseOutline } from "../page/outline.ts";
import type { Class, RunPart } from "../wire.ts";
import { type AppOptions, makeApp } from "./app.ts";
import { LocalBus, PostgresBus } from "./bus.ts";
import type { GuardedRoute } from "./http/guard.ts";
import { invite } from "./people/teachers.ts";
import type { Services } from "./services.ts";
import { openDatabase } from "./storage/open.ts";
import type { Replay } from "./study/results.ts";

export const startMs = Date.UTC(2026, 8, 1, 8);
const cheap = { N: 16, r: 1, p: 1 };
const page = '<!doctype html><script>"theme"</script><script type="module" src="/assets/a.js"></script>';

/** Of a course of two lessons, each with a lab of two steps. */
function outlineIn(locale: Locale): CourseOutline {
  const steps = [
    { id: "one", title: `Un (${locale})`, most: 10 },
    { id: "two", title: `Deux (${locale})`, most: 10 },
  ];
  const lesson = (slug: string) => ({ slug, place: `pods/${slug}`, title: `${slug} (${locale})`, isCapstone: false });
  const lab = (slug: string) => [slug, { title: `${slug}, TP (${locale})`, place: `pods/${slug}`, steps }] as const;
  return {
    parts: [{ slug: "pods", number: 1, title: "Pods", lessons: [lesson("pod-phases"), lesson("labels")] }],
    labs: Object.fromEntries([lab("pod-phases"), lab("labels")]),
  };
}

/** Somebody's browser: keeps its cookies. */
export class Browser {
  readonly #app: FastifyInstance;
  #cookies: Readonly<Record<string, string>> = {};

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  get cookies(): Readonly<Record<string, string>> {
    return this.#cookies;
  }

  async ask(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    const payload = body === undefined ? {} : { payload: body as object };
    const reply = await this.#app.inject({ method, url: `/api${path}`, cookies: { ...this.#cookies }, headers, ...payload });
    for (const { name, value, maxAge } of reply.cookies) {
      const { [name]: _old, ...others } = this.#cookies;
      this.#cookies = value === "" || maxAge === 0 ? others : { ...others, [name]: value };
    }
    return reply;
  }

  get(path: string): Promise<LightMyRequestResponse> {
    return this.ask("GET", path);
  }

  put(path: string, body: unknown): Promise<LightMyRequestResponse> {
    return this.ask("PUT", path, body);
  }

  post(path: string, body?: unknown): Promise<LightMyRequestResponse> {
    return this.ask("POST", path, body);
  }
}

export class TestClassroom {
  readonly folder = mkdtempSync(join(tmpdir(), "classroom-"));
  readonly #databaseUrl: string | undefined;
  nowMs = startMs;
  /** What replays come to; by default nothing is reached. */
  replay: Replay = () => Promise.resolve({ ok: true, steps: [] });
  app!: FastifyInstance;
  services!: Services;
  routes!: readonly GuardedRoute[];

  constructor(databaseUrl?: string) {
    this.#databaseUrl = databaseUrl;
  }

  async start(over: Partial<AppOptions> = {}): Promise<void> {
    const site = join(this.folder, "site");
    for (const locale of locales) {
      mkdirSync(join(site, locale), { recursive: true });
      writeFileSync(join(site, locale, "outline.json"), JSON.stringify(outlineIn(locale)));
    }
    for (const name of ["index.html", "404.html", "fr/index.html"]) writeFileSync(join(site, name), page);
    const database = await openDatabase({ dataFolder: this.folder, databaseUrl: this.#databaseUrl });
    const made = await makeApp({
      database,
      bus: this.#databaseUrl === undefined ? new LocalBus() : new PostgresBus(this.#databaseUrl),
      replay: (owner, lab, saved) => this.replay(owner, lab, saved),
      now: () => this.nowMs,
      site,
      base: "/",
      origin: undefined,
      platforms: [],
      school: undefined,
      secure: false,
      behindProxy: false,
      tls: undefined,
      costs: { teacher: cheap, learner: cheap },
      logLevel: "silent",
      keeping: { runsDays: 180, learnersDays: 400, auditDays: 365 },
      ...over,
    });
    await made.app.ready();
    this.app = made.app;
    this.services = made.services;
    this.routes = made.routes;
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.services.results.settled();
    await this.services.scores.settled();
    await this.services.bus.close();
    await this.services.database.destroy();
    rmSync(this.folder, { recursive: true });
  }

  browser(): Browser {
    return new Browser(this.app);
  }

  async teacher(name = "Ada"): Promise<Browser> {
    const { token } = await invite(this.services, null);
    const browser = this.browser();
    await browser.post("/teachers", { invitation: token, name, password: "twelve letters at least" });
    return browser;
  }

  async class(teacher: Browser, name = "Terminale"): Promise<Class> {
    return (await teacher.post("/classes", { name, locale: "fr" })).json();
  }

  async learner({ code }: Class, name = "Léa"): Promise<Browser> {
    const browser = this.browser();
    await browser.post("/join", { code, name, word: "jonquille", locale: "fr" });
    return browser;
  }
}

export function part(over: Partial<RunPart> = {}): RunPart {
  const own = { seed: 7, startMs, nowMs: startMs + 1000, format: 1, world: "w", from: 0, hints: {}, solutions: [], claims: [] };
  const by = { writer: "home", takesOver: null };
  return {
    ...own,
    ...by,
    entries: [{ timeMs: startMs + 10, input: { kind: "terminal-close", terminal: "main" } }],
    ...over,
  } as RunPart;
}
