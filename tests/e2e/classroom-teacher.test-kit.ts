// A classroom for a browser: the real server over the built site on a port of its own, in a folder of its own, with a clock
// that tests move; learners who act through the API as their pages do.

import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppOptions, type ClassroomApp, makeApp } from "../../src/classroom/server/app.ts";
import { LocalBus } from "../../src/classroom/server/bus.ts";
import type { Platform } from "../../src/classroom/server/lti/platforms.ts";
import { invite } from "../../src/classroom/server/people/teachers.ts";
import { ReplayPool } from "../../src/classroom/server/replay/replay-pool.ts";
import { openDatabase } from "../../src/classroom/server/storage/open.ts";
import type { Class, Joining, Presence, ReceivedMessage, RunPart } from "../../src/classroom/wire.ts";
import { makeCertificates } from "../../src/server/certificates.ts";

const root = join(import.meta.dirname, "../..");
const cheap = { N: 16, r: 1, p: 1 };

interface StartOptions {
  readonly port?: number;
  readonly folder?: string;
  /** Without one, steps that a learner's page says have passed hold. */
  readonly pool?: ReplayPool;
  /** For learning platforms: over HTTPS, with a certificate of its own. */
  readonly platforms?: readonly Platform[];
}

export class Classroom {
  readonly origin: string;
  readonly #made: ClassroomApp;
  readonly #folder: string;
  readonly #clock: { aheadMs: number };
  readonly #pool: ReplayPool | undefined;

  private constructor(made: ClassroomApp, { folder = "", pool, platforms }: StartOptions, clock: { aheadMs: number }) {
    this.#made = made;
    this.#pool = pool;
    this.#folder = folder;
    this.#clock = clock;
    const host = platforms === undefined ? "http://127.0.0.1" : "https://localhost";
    this.origin = `${host}:${(made.app.server.address() as AddressInfo).port}`;
  }

  /** Runs are replayed, as the program does it. */
  static startReplaying(): Promise<Classroom> {
    const pool = new ReplayPool({ processes: 1, wallLimitMs: 120_000, memoryMib: 768, labs: root });
    return Classroom.start({ pool });
  }

  static async start(options: StartOptions = {}): Promise<Classroom> {
    const { port = 0, folder = mkdtempSync(join(tmpdir(), "classroom-")), pool, platforms } = options;
    const database = await openDatabase({ dataFolder: folder, databaseUrl: undefined });
    const clock = { aheadMs: 0 };
    const step = { id: "apply", points: 10, openedMs: 0, passedMs: 90_000 };
    const made = await makeApp({
      database,
      bus: new LocalBus(),
      replay: (owner, lab, saved) => pool?.replay(owner, lab, saved) ?? Promise.resolve({ ok: true, steps: [step] }),
      now: () => Date.now() + clock.aheadMs,
      site: join(root, process.env["PILOTHOUSE_OUT"] ?? "dist"),
      base: "/",
      origin: undefined,
      platforms: platforms ?? [],
      school: "Lycée Ada",
      secure: platforms !== undefined,
      behindProxy: false,
      tls: platforms === undefined ? undefined : ownCertificate(),
      costs: { teacher: cheap, learner: cheap },
      logLevel: "silent",
      keeping: { runsDays: 180, learnersDays: 400, auditDays: null },
    });
    await made.app.listen({ host: "127.0.0.1", port });
    return new Classroom(made, { ...options, folder }, clock);
  }

  /** Ends the server; what it keeps stays. */
  async close(): Promise<void> {
    await this.#made.app.close();
    await this.#pool?.close();
    await this.#made.services.results.settled();
    await this.#made.services.database.destroy();
  }

  async stop(): Promise<void> {
    await this.close();
    rmSync(this.#folder, { recursive: true });
  }

  /** The same classroom at the same address again, after `close`. */
  again(): Promise<Classroom> {
    return Classroom.start({ port: Number(new URL(this.origin).port), folder: this.#folder });
  }

  pass(durationMs: number): void {
    this.#clock.aheadMs += durationMs;
  }

  /** All sessions end. */
  async endSessions(): Promise<void> {
    await this.#made.services.database.deleteFrom("sessions").execute();
  }

  async resultsSettled(): Promise<void> {
    await this.#made.services.results.settled();
  }

  /** The token of a link for one teacher. */
  async invitation(): Promise<string> {
    return (await invite(this.#made.services, null)).token;
  }

  async theClass(): Promise<Class> {
    const { id, name, locale, code } = await this.#made.services.database
      .selectFrom("classes")
      .selectAll()
      .executeTakeFirstOrThrow();
    return { id, name, locale, code } as Class;
  }

  async learner(code: string, name: string, locale: Joining["locale"]): Promise<Learner> {
    const learner = new Learner(this.origin);
    await learner.ask("POST", "/join", { code, name, word: "jonquille", locale } satisfies Joining);
    return learner;
  }
}

function ownCertificate(): NonNullable<AppOptions["tls"]> {
  const { certificatePem, keyPem } = makeCertificates(["localhost"], Date.now()).serving;
  return { certificate: certificatePem, key: keyPem };
}

export class Learner {
  readonly #origin: string;
  #cookie = "";

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** @throws Error when the server refuses. */
  async ask<T>(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<T> {
    const headers = { cookie: this.#cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(`${this.#origin}/api${path}`, { method, headers, ...sent });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    this.#cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? this.#cookie;
    return (reply.status === 204 ? undefined : await reply.json()) as T;
  }

  async isAt(presence: Presence): Promise<void> {
    await this.ask("PUT", "/presence", presence);
  }

  async sends(lab: string, run: RunPart): Promise<void> {
    await this.ask("PUT", `/runs/${lab}`, run);
  }

  async messages(): Promise<readonly string[]> {
    return (await this.ask<readonly ReceivedMessage[]>("GET", "/messages")).map(({ text }) => text);
  }
}
