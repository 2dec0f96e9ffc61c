// The classroom under load: a class of 200 in one process of the server, with runs of a real lab, on SQLite and, where the machine has
// it, PostgreSQL. Times are wall clock as a learner's page sees them, on this machine with the load beside it. `npm run bench -- classroom`.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { labFromSources } from "#lab/catalog.ts";
import type { SavedLab } from "#lab/protocol.ts";
import { provideTools } from "#world/tools.ts";
import { postgresPrograms, startPostgres } from "../../src/classroom/server/postgres.test-kit.ts";
import { recordRun } from "../../src/classroom/server/replay/recorded-run.test-kit.ts";
import { openDatabase } from "../../src/classroom/server/storage/open.ts";
import type { Board } from "../../src/classroom/wire.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import type { Figure } from "./figures.ts";

provideTools();

const learners = 200;
const lab = "configmap-basics";
/** A page writes about as often as this: its progress, its run, where it is. */
const everyMs = 5000;
const loadMs = 30_000;
const storedRuns = 10_000;

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly cookie: string;
  readonly body: string;
}

class Client {
  readonly #origin: string;
  cookie = "";

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Throws when it is refused. */
  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const headers = { cookie: this.cookie, ...(payload === undefined ? {} : { "content-type": "application/json" }) };
      const asked = request(`${this.#origin}/api${path}`, { method, agent, headers }, (reply) => {
        const pieces: Buffer[] = [];
        reply.on("data", (piece: Buffer) => pieces.push(piece));
        reply.on("end", () => {
          const text = Buffer.concat(pieces).toString();
          const status = reply.statusCode ?? 0;
          if (status >= 300) reject(new Error(`${method} ${path}: ${status} ${text}`));
          this.cookie = reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? this.cookie;
          resolve({ status, ms: performance.now() - started, cookie: this.cookie, body: text });
        });
      });
      asked.on("error", reject);
      asked.end(payload);
    });
  }

  /** Each board as it comes. */
  boards(classId: string, take: (board: Board) => void): () => void {
    const asked = request(`${this.#origin}/api/classes/${classId}/board/events`, { headers: { cookie: this.cookie } }, (reply) => {
      let text = "";
      reply.on("data", (piece: Buffer) => {
        text += piece.toString();
        const events = text.split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) take(JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "null") as Board);
      });
      reply.on("error", () => {});
    });
    asked.on("error", () => {});
    asked.end();
    return () => void asked.destroy();
  }
}

class Server {
  readonly #child: ChildProcess;
  #output = "";

  constructor(folder: string, databaseUrl: string | undefined) {
    const main = join(import.meta.dirname, "../../src/classroom/server/main.ts");
    const args = ["--port", "0", "--address", "127.0.0.1", "--data", folder, "--site", join(folder, "site"), "--log", "error"];
    const env = { ...process.env, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
    this.#child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
    this.#child.stdout?.on("data", (bytes: Buffer) => {
      this.#output += bytes.toString();
    });
  }

  async started(): Promise<{ readonly origin: string; readonly invitation: string }> {
    for (;;) {
      const origin = /^The course: (\S+)\/$/m.exec(this.#output)?.[1];
      const invitation = /class\/#(\S+)$/m.exec(this.#output)?.[1];
      if (origin !== undefined && invitation !== undefined) return { origin, invitation };
      if (this.#child.exitCode !== null) throw new Error(this.#output);
      await pause(20);
    }
  }

  /** Memory that it has used at most, in MiB; Linux says so. */
  peakMib(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  }

  stop(): Promise<unknown> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGTERM");
    return ended;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function percentile(values: readonly number[], of: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * of) / 100))] as number;
}

/** Ten thousand runs of a year of classes, each as large as the lab's own. */
async function fill(folder: string, databaseUrl: string | undefined, entries: Uint8Array, count: number): Promise<void> {
  const database = await openDatabase({ dataFolder: folder, databaseUrl });
  const teacher = { id: "old", name: "old", name_key: "old", password: "", made_at: 0 };
  await database.insertInto("teachers").values(teacher).execute();
  const shape = { locale: "fr", plan: "[]", is_open: 0, revision: 1, by_teacher: "old", made_at: 0 };
  for (let group = 0; group < storedRuns / 500; group += 1) {
    const classId = `old${group}`;
    await database
      .insertInto("classes")
      .values({ id: classId, name: classId, code: classId, ...shape })
      .execute();
    const people = Array.from({ length: 500 }, (_, number) => `${classId}-${number}`);
    const run = {
      lab,
      exam_id: "",
      seed: 1,
      start_ms: 0,
      now_ms: 0,
      format: 1,
      world: null,
      held: count,
      hints: "{}",
      solutions: "[]",
      saved_at: 0,
      claimed: 0,
      writer: null,
      revision: 1,
    };
    const rows = people.map((id) => ({ id, class_id: classId, name: id, name_key: id, word: "", joined_at: 0, seen_at: 0 }));
    await database.insertInto("learners").values(rows).execute();
    await database
      .insertInto("runs")
      .values(people.map((id) => ({ id, learner_id: id, ...run })))
      .execute();
    await database
      .insertInto("run_pieces")
      .values(people.map((id) => ({ run_id: id, first: 0, count, entries })))
      .execute();
  }
  await database.destroy();
}

async function measure(name: string, databaseUrl: string | undefined): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "classroom-"));
  mkdirSync(join(folder, "site"));
  writeFileSync(join(folder, "site", "index.html"), "<!doctype html>");
  const { saved } = recordRun(labFromSources(readLabSources(), lab));
  const server = new Server(folder, databaseUrl);
  try {
    const { origin, invitation } = await server.started();
    await fill(folder, databaseUrl, randomBytes(8192), saved.entries.length);
    return await load(name, origin, invitation, saved, () => server.peakMib());
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function load(
  name: string,
  origin: string,
  invitation: string,
  run: SavedLab,
  peakMib: () => number,
): Promise<readonly Figure[]> {
  const teacher = new Client(origin);
  await teacher.ask("POST", "/teachers", { invitation, name: "Ada", password: "twelve letters at least" });
  const made = JSON.parse((await teacher.ask("POST", "/classes", { name: "Amphi", locale: "fr" })).body) as {
    readonly id: string;
    readonly code: string;
  };
  const joinStarted = performance.now();
  const clients = await Promise.all(
    Array.from({ length: learners }, async (_, number) => {
      const client = new Client(origin);
      await client.ask("POST", "/join", { code: made.code, name: `Learner ${number}`, word: "jonquille", locale: "fr" });
      return client;
    }),
  );
  const joinedMs = performance.now() - joinStarted;

  const writes: number[] = [];
  const runs: number[] = [];
  const told = new Map<number, number>();
  const boardMs: number[] = [];
  const end = teacher.boards(made.id, ({ rows }) => {
    for (const row of rows) {
      const mark = row.presence?.attempts ?? -1;
      const since = told.get(mark);
      if (since === undefined) continue;
      boardMs.push(performance.now() - since);
      told.delete(mark);
    }
  });
  const untilMs = performance.now() + loadMs;
  const { seed, startMs, nowMs, format, entries } = run;
  const world = run.world ?? null;
  const pieces = Math.ceil(loadMs / everyMs);
  const perPiece = Math.ceil(entries.length / pieces);
  await Promise.all(
    clients.map(async (client, number) => {
      await pause((everyMs * number) / learners);
      for (let piece = 0; performance.now() < untilMs; piece += 1) {
        const startedMs = performance.now();
        const mark = number * 100 + piece;
        const lesson = { steps: [`s${piece}`], questions: [], done: false, doneDay: null, recalls: [] };
        writes.push((await client.ask("PUT", "/work", { lessons: { [lab]: lesson }, last: null })).ms);
        const from = Math.min(piece * perPiece, entries.length);
        const part = {
          seed,
          startMs,
          nowMs,
          format,
          world,
          from,
          entries: entries.slice(from, from + perPiece),
          hints: {},
          solutions: [],
          claims: [],
          writer: "bench",
          takesOver: null,
        };
        // One in ten says that a step has passed, and is replayed.
        const claims = piece === pieces - 1 && number % 10 === 0 ? ["claimed"] : [];
        runs.push((await client.ask("PUT", `/runs/${lab}`, { ...part, claims })).ms);
        told.set(mark, performance.now());
        await client.ask("PUT", "/presence", { place: "", lab, step: "one", attempts: mark, hints: 0, active: true });
        await pause(Math.max(0, startedMs + everyMs - performance.now()));
      }
    }),
  );
  await pause(2000);
  end();
  return [
    { name: `${name}: ${learners} join at once`, value: joinedMs / 1000, unit: "s", bar: 30 },
    { name: `${name}: progress write, 95 of 100`, value: percentile(writes, 95), unit: "ms", bar: 200 },
    { name: `${name}: part of a run, 95 of 100`, value: percentile(runs, 95), unit: "ms", bar: 200 },
    { name: `${name}: until the board shows it, 95 of 100`, value: percentile(boardMs, 95), unit: "ms", bar: 2000 },
    { name: `${name}: changes that no board showed`, value: told.size, unit: "", bar: 0 },
    { name: `${name}: memory of the server at most`, value: peakMib(), unit: "MiB", bar: 1024 },
  ];
}

export async function benchClassroom(): Promise<readonly Figure[]> {
  const figures = [...(await measure("SQLite", undefined))];
  const programs = postgresPrograms();
  if (programs === undefined) return figures;
  const server = await startPostgres(programs);
  try {
    return [...figures, ...(await measure("PostgreSQL", await server.newDatabase()))];
  } finally {
    await server.stop();
  }
}
