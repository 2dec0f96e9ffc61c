// The course with its classroom, as `npm run classroom` serves it: a server of its own with an empty folder, and a teacher's class.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type APIRequestContext, type Page, request } from "@playwright/test";
import type { Board, BoardRow, Class, LearnerDetail, Plan } from "../../src/classroom/wire.ts";
import type { Locale } from "../../src/i18n/locales.ts";

const root = join(import.meta.dirname, "../..");

export class Classroom {
  readonly #folder = mkdtempSync(join(tmpdir(), "classroom-"));
  #server: ChildProcess | undefined;
  #teacher: APIRequestContext | undefined;
  origin = "";

  /** Serves; a second time on the same port, with what was there. */
  async start(): Promise<void> {
    const port = this.origin === "" ? "0" : new URL(this.origin).port;
    const args = ["src/classroom/server/main.ts", "--port", port, "--address", "127.0.0.1", "--data", this.#folder];
    const server = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    this.#server = server;
    for await (const line of createInterface({ input: server.stdout })) {
      if (line.startsWith("The course: ")) this.origin = new URL(line.slice("The course: ".length)).origin;
      const invitation = /\/class\/#(\S+)$/.exec(line)?.[1];
      if (invitation !== undefined) await this.#signUp(invitation);
      if (this.#teacher !== undefined) return;
    }
    throw new Error("the classroom's server has ended");
  }

  async #signUp(invitation: string): Promise<void> {
    this.#teacher = await request.newContext({ baseURL: `${this.origin}/api/` });
    await this.#ask("POST", "teachers", { invitation, name: "Ada", password: "twelve letters at least" });
  }

  /** The server goes away; what it keeps stays. */
  async pause(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null) return;
    server.kill("SIGTERM");
    await once(server, "exit");
  }

  async stop(): Promise<void> {
    await this.#teacher?.dispose();
    await this.pause();
    rmSync(this.#folder, { recursive: true });
  }

  async #ask<T>(method: string, path: string, data?: unknown): Promise<T> {
    const reply = await this.#teacher?.fetch(path, { method, ...(data === undefined ? {} : { data }) });
    if (!reply?.ok()) throw new Error(`${method} ${path}: ${reply?.status()} ${await reply?.text()}`);
    return (reply.status() === 204 ? undefined : await reply.json()) as T;
  }

  class(name: string, locale: Locale, plan: Plan = []): Promise<Class> {
    return this.#ask("POST", "classes", { name, locale, plan });
  }

  async change(made: Class, over: Partial<Class>): Promise<Class> {
    const { revision, name, locale, plan, open } = { ...made, ...over };
    return this.#ask("PUT", `classes/${made.id}`, { revision, name, locale, plan, open });
  }

  say({ id }: Class, text: string): Promise<unknown> {
    return this.#ask("POST", `classes/${id}/messages`, { to: null, text });
  }

  async row({ id }: Class, name: string): Promise<BoardRow> {
    const { rows } = await this.#ask<Board>("GET", `classes/${id}/board`);
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`no learner ${name}`);
    return row;
  }

  async learner(made: Class, name: string): Promise<LearnerDetail> {
    return this.#ask("GET", `classes/${made.id}/learners/${(await this.row(made, name)).learner}`);
  }
}

export interface Comer {
  readonly locale: Locale;
  readonly code: string;
  readonly name: string;
  readonly word: string;
}

/** Comes into a class by its page. */
export async function joinClass(page: Page, { origin }: Classroom, { locale, code, name, word }: Comer): Promise<void> {
  await page.goto(`${origin}/${locale}/join/#${code}`);
  await page.locator("#join-name").fill(name);
  await page.locator("#join-word").fill(word);
  await page.locator(".join form [type=submit]").click();
}
