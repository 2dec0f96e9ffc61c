// What goes wrong around the server: a disk that is full, a clock that is put back, a class that is removed while it is in use. Whoever asks
// hears a word for it, and what is kept stays whole.

import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Board, HeldRun } from "../wire.ts";
import { part, startMs, TestClassroom } from "./app.test-kit.ts";

const hourMs = 3_600_000;
const long = (name: string) => ({
  timeMs: startMs + 10,
  input: { kind: "terminal-input", terminal: "main", text: name.repeat(2000) },
});
const entries = (count: number) => Array.from({ length: count }, (_, index) => long(`x${index}${Math.sin(index)}`));
const here = { place: "pods/pod-phases", lab: "pod-phases", step: "one", attempts: 0, hints: 0, active: true };

let classroom: TestClassroom;
beforeEach(async () => {
  classroom = new TestClassroom();
  await classroom.start();
});
afterEach(() => classroom.stop());

async function pragma(name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`${sql.raw(`pragma ${name}`)}`.execute(classroom.services.database);
  return Object.values(rows[0] ?? {})[0];
}

test("a full disk is said to be one that may be there again later; nothing is half written, and then it goes on", async () => {
  const own = await classroom.class(await classroom.teacher());
  const learner = await classroom.learner(own);
  expect((await learner.put("/runs/pod-phases", part())).statusCode).toBe(200);
  await pragma(`max_page_count = ${await pragma("page_count")}`);
  const more = part({ from: 1, entries: entries(60) as never });
  const refused = await learner.put("/runs/pod-phases", more);
  expect([refused.statusCode, refused.json()]).toEqual([503, { error: "unavailable" }]);
  const held = async (): Promise<number> => (await learner.get("/runs/pod-phases")).json<HeldRun>().run.entries.length;
  expect(await held()).toBe(1);
  expect((await learner.get("/live")).statusCode).toBe(200);
  await pragma("max_page_count = 1000000");
  expect((await learner.put("/runs/pod-phases", more)).json()).toEqual({ held: 61 });
  expect(await held()).toBe(61);
  expect(await pragma("integrity_check")).toBe("ok");
});

test("a clock that is put back keeps sessions, runs and exams as they were; nobody is at a step for less than no time", async () => {
  const teacher = await classroom.teacher();
  const own = await classroom.class(teacher);
  const learner = await classroom.learner(own);
  const times = { opensAt: startMs, closesAt: startMs + 3 * hourMs, minutes: 60 };
  const { id } = (await teacher.post(`/classes/${own.id}/exams`, { title: "TP noté", labs: ["pod-phases"], ...times })).json();
  await learner.put("/presence", here);
  const begun = (await learner.post(`/exams/${id}/sitting`)).json();
  classroom.nowMs -= hourMs;
  expect((await learner.post(`/exams/${id}/sitting`)).json().sitting).toEqual(begun.sitting);
  expect((await learner.put("/presence", here)).statusCode).toBe(204);
  expect((await learner.put("/runs/pod-phases", part())).json()).toEqual({ held: 1 });
  const { rows, at } = (await teacher.get(`/classes/${own.id}/board`)).json<Board>();
  expect(rows.map(({ state }) => state)).toEqual(["working"]);
  expect(rows.every(({ stepSince, seenAt }) => stepSince <= at && seenAt <= at)).toBe(true);
});

test("a class that is removed while it is in use: its learners are signed out, and what was being looked at is written nowhere", async () => {
  const teacher = await classroom.teacher();
  const own = await classroom.class(teacher);
  const learner = await classroom.learner(own);
  let answer: (() => void) | undefined;
  const complaints: unknown[] = [];
  classroom.services.log.error = (error: unknown) => void complaints.push(error);
  classroom.replay = () =>
    new Promise((resolve) => {
      const steps = [{ id: "one", points: 10, openedMs: 0, passedMs: 1000 }];
      answer = () => resolve({ ok: true, steps });
    });
  expect((await learner.put("/runs/pod-phases", part({ claims: ["one"] }))).statusCode).toBe(200);
  await expect.poll(() => answer).toBeDefined();
  expect((await teacher.ask("DELETE", `/classes/${own.id}`)).statusCode).toBe(204);
  answer?.();
  await classroom.services.results.settled();
  for (const [method, path, body] of [
    ["GET", "/runs/pod-phases", undefined],
    ["PUT", "/presence", here],
    ["PUT", "/runs/pod-phases", part({ from: 1 })],
    ["PUT", "/work", { lessons: {}, last: null }],
  ] as const) {
    const reply = await learner.ask(method, path, body);
    expect([path, reply.statusCode, reply.json()]).toEqual([path, 401, { error: "not-signed-in" }]);
  }
  const board = await teacher.get(`/classes/${own.id}/board`);
  expect([board.statusCode, board.json()]).toEqual([404, { error: "not-found" }]);
  for (const table of ["learners", "runs", "run_pieces", "results", "presences"] as const) {
    const { count } = await classroom.services.database
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect([table, Number(count)]).toEqual([table, 0]);
  }
  expect(complaints).toEqual([]);
});
