// The program as a school starts it, and as its machine may end it.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HeldRun } from "../wire.ts";
import { part } from "./app.test-kit.ts";

let folder: string;
let program: Program | undefined;

class Program {
  readonly #child: ChildProcess;
  output = "";
  origin = "";

  constructor(args: readonly string[]) {
    const main = join(import.meta.dirname, "main.ts");
    const fixed = [
      "--port",
      "0",
      "--address",
      "127.0.0.1",
      "--data",
      join(folder, "data"),
      "--site",
      join(folder, "site"),
      "--log",
      "error",
    ];
    this.#child = spawn(process.execPath, [main, ...fixed, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (bytes: Buffer) => {
        this.output += bytes.toString();
      });
  }

  /** Until it says where it is, or has ended. */
  async started(): Promise<void> {
    while (!/^The course: (\S+)\/$/m.test(this.output) && this.#child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    this.origin = /^The course: (\S+)\/$/m.exec(this.output)?.[1] ?? "";
  }

  end(signal: NodeJS.Signals): Promise<number | null> {
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) resolve(this.#child.exitCode);
      else {
        this.#child.once("exit", (code) => resolve(code));
        this.#child.kill(signal);
      }
    });
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "classroom-"));
  mkdirSync(join(folder, "site"));
  writeFileSync(join(folder, "site", "index.html"), "<!doctype html>");
});
afterEach(async () => {
  await program?.end("SIGKILL");
  rmSync(folder, { recursive: true });
});

async function start(...args: readonly string[]): Promise<Program> {
  program = new Program(args);
  await program.started();
  return program;
}

/** A session's cookie, and what was answered. */
async function ask(
  origin: string,
  method: string,
  path: string,
  body?: unknown,
  cookie = "",
): Promise<{ readonly status: number; readonly cookie: string; readonly body: unknown }> {
  const headers = { "content-type": "application/json", cookie };
  const reply = await fetch(`${origin}/api${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    cookie: reply.headers.getSetCookie()[0]?.split(";")[0] ?? cookie,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

test("the first start prints the first teacher's link; it stops cleanly, and then prints none", async () => {
  const first = await start();
  expect(first.output).toContain(
    "\nKept: a run 180 days after it was last added to; a learner 400 days after the last sign of life; a line of the audit log 365 days (",
  );
  const token = /class\/#(\S+)$/m.exec(first.output)?.[1];
  const teacher = { invitation: token, name: "Ada", password: "twelve letters at least" };
  expect((await ask(first.origin, "POST", "/teachers", teacher)).status).toBe(201);
  expect(await first.end("SIGTERM")).toBe(0);
  const second = await start();
  expect(second.output).not.toContain("first teacher");
  expect((await ask(second.origin, "POST", "/session", teacher, "")).status).toBe(400);
  expect((await ask(second.origin, "POST", "/session", { name: "Ada", password: teacher.password })).status).toBe(200);
}, 60_000);

test("a backup is written while the server goes on, and read into a new data folder", async () => {
  const first = await start();
  const invitation = /class\/#(\S+)$/m.exec(first.output)?.[1];
  await ask(first.origin, "POST", "/teachers", { invitation, name: "Ada", password: "twelve letters at least" });
  const backup = join(folder, "backup.gz");
  const writing = new Program(["--backup", backup]);
  await writing.started();
  expect(writing.output).toBe(`2 rows written to ${backup}\n`);
  expect((await ask(first.origin, "GET", "/ready")).status).toBe(200);
  const again = new Program(["--restore", backup]);
  await again.started();
  expect(again.output).toBe("pilothouse: the database is not empty; restore into a new data folder or a new database\n");
  const reading = new Program(["--restore", backup, "--data", join(folder, "new")]);
  await reading.started();
  expect(reading.output).toBe(`2 rows read from ${backup}\n`);
}, 60_000);

test("a refusal that tells of something is a line of the log, with the route and no more of the address", async () => {
  const server = await start("--log", "info");
  await ask(server.origin, "GET", "/runs/secret%22%0a?word=secret");
  await ask(server.origin, "POST", "/session", { name: "Ada", password: "x", extra: "secret" });
  await ask(server.origin, "POST", "/join", { code: "AAAA-AAAA", name: "Léa", word: "secret", locale: "fr" });
  await server.end("SIGTERM");
  const lines = server.output.split("\n").filter((line) => line.includes('"refused"'));
  const route = (method: string, path: string) => ({ who: "", route: `${method} /api${path}`, address: "127.0.0.1" });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { refused: "bad-request", ...route("POST", "/session") },
    { refused: "unknown-code", ...route("POST", "/join") },
  ]);
  expect(server.output).not.toContain("secret");
}, 60_000);

test("a site that is not built, and a port that is taken, are said so", async () => {
  const first = await start();
  const { port } = new URL(first.origin);
  const second = new Program(["--port", port]);
  await second.started();
  expect(second.output).toBe(`pilothouse: port ${port} is in use; choose another one with --port\n`);
  const third = new Program(["--site", join(folder, "nothing")]);
  await third.started();
  expect(third.output).toBe(`pilothouse: there is no built site in ${join(folder, "nothing")}; npm run build builds it\n`);
}, 60_000);

test("a server that is killed at any moment has lost nothing that it acknowledged", async () => {
  let server = await start();
  const invitation = /class\/#(\S+)$/m.exec(server.output)?.[1];
  const { cookie } = await ask(server.origin, "POST", "/teachers", {
    invitation,
    name: "Ada",
    password: "twelve letters at least",
  });
  const made = await ask(server.origin, "POST", "/classes", { name: "Terminale", locale: "fr" }, cookie);
  const { code } = made.body as { readonly code: string };
  const learners = await Promise.all(
    ["Léa", "Tom", "Zoé", "Max"].map(async (name) => {
      const joined = await ask(server.origin, "POST", "/join", { code, name, word: "jonquille", locale: "fr" });
      return { cookie: joined.cookie, acknowledged: 0, lessons: 0 };
    }),
  );
  for (const round of [1, 2, 3]) {
    let isGoing = true;
    const before = learners.map(({ acknowledged }) => acknowledged);
    const writing = learners.map(async (learner) => {
      while (isGoing) {
        const { acknowledged: from } = learner;
        const entry = { timeMs: part().startMs + from, input: { kind: "terminal-close", terminal: String(from) } };
        const work = { steps: [`s${learner.lessons % 50}`], questions: [], done: true, doneDay: 1, recalls: [] };
        try {
          if (
            (await ask(server.origin, "PUT", "/runs/pod-phases", part({ from, entries: [entry as never] }), learner.cookie))
              .status === 200
          )
            learner.acknowledged += 1;
          const lessons = { [`l${learner.lessons % 100}`]: work };
          if ((await ask(server.origin, "PUT", "/work", { lessons, last: null }, learner.cookie)).status === 200)
            learner.lessons += 1;
        } catch {
          // The server is gone.
          return;
        }
      }
    });
    // However fast the machine is: in the midst of writing, with something acknowledged to each.
    while (learners.some(({ acknowledged }, index) => acknowledged < (before[index] ?? 0) + 2 + round))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await server.end("SIGKILL");
    isGoing = false;
    await Promise.all(writing);
    server = await start();
    for (const learner of learners) {
      const { body } = await ask(server.origin, "GET", "/runs/pod-phases", undefined, learner.cookie);
      const { entries } = (body as HeldRun).run;
      // What was written and not acknowledged any more may be there too.
      expect(entries.length).toBeGreaterThanOrEqual(learner.acknowledged);
      expect(entries.map(({ input }) => (input as unknown as { readonly terminal: string }).terminal)).toEqual(
        entries.map((_, index) => String(index)),
      );
      learner.acknowledged = entries.length;
      const work = await ask(server.origin, "GET", "/work", undefined, learner.cookie);
      expect(Object.keys((work.body as { readonly lessons: object }).lessons).length).toBeGreaterThanOrEqual(
        Math.min(100, learner.lessons),
      );
    }
  }
}, 120_000);
