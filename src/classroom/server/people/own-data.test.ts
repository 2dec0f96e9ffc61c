// A learner takes a copy of what is kept of them, and has it deleted.

import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Class } from "../../wire.ts";
import { type Browser, part, startMs, TestClassroom } from "../app.test-kit.ts";

const lesson = { steps: ["a"], questions: [1], done: true, doneDay: 20_000, recalls: [] };
const here = { place: "pods/pod-phases", lab: "pod-phases", step: "one", attempts: 2, hints: 1, active: true };
const at = new Date(startMs).toISOString();
let classroom: TestClassroom;
let teacher: Browser;
let lea: Browser;
let made: Class;
let id: string;
beforeEach(async () => {
  classroom = new TestClassroom();
  classroom.replay = () =>
    Promise.resolve({ ok: true, steps: [{ id: "one", points: 3, openedMs: startMs, passedMs: startMs + 4000 }] });
  await classroom.start();
  teacher = await classroom.teacher();
  made = await classroom.class(teacher);
  lea = await classroom.learner(made);
  id = (await lea.get("/me")).json().id;
  await lea.put("/work", { lessons: { "pod-phases": lesson }, last: "pods/pod-phases" });
  await lea.put("/presence", here);
  await lea.put("/runs/pod-phases", part({ claims: ["one"], hints: { one: 1 } }));
  await classroom.services.results.settled();
  const exam = { title: "Examen", labs: ["labels"], opensAt: startMs, closesAt: startMs + 600_000, minutes: 5 };
  const { id: examId } = (await teacher.post(`/classes/${made.id}/exams`, exam)).json();
  const { sitting } = (await lea.post(`/exams/${examId}/sitting`)).json();
  await lea.put(`/exams/${examId}/runs/labels`, part({ seed: sitting.seeds.labels }));
  await teacher.post(`/classes/${made.id}/messages`, { to: null, text: "Pause" });
  await teacher.post(`/classes/${made.id}/messages`, { to: id, text: "Bravo" });
  await teacher.get(`/classes/${made.id}/learners/${id}/runs/pod-phases`);
});
afterEach(() => classroom.stop());

test("the copy holds all that is kept: account, work, runs with their inputs, results, exams, messages, what was done", async () => {
  const tom = await classroom.learner(made, "Tom");
  await tom.put("/work", { lessons: { labels: lesson }, last: "a/tom" });
  await teacher.post(`/classes/${made.id}/messages`, { to: (await tom.get("/me")).json().id, text: "Pour Tom" });
  const reply = await lea.get("/own");
  expect(reply.headers["content-disposition"]).toBe('attachment; filename="pilothouse.json"');
  expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  const copy = reply.json();
  const exam = copy.sittings[0].exam;
  const ends = new Date(startMs + 300_000).toISOString();
  expect(copy).toMatchObject({
    kind: "pilothouse-learner",
    takenAt: at,
    keeping: { runsDays: 180, learnersDays: 400, auditDays: 365 },
    learner: { id, name: "Léa", class: "Terminale", joinedAt: at, seenAt: at },
    work: [{ lesson: "pod-phases", changedAt: at, ...lesson }],
    last_places: [{ place: "pods/pod-phases" }],
    presences: [{ seenAt: at, atStepSince: at, ...here }],
    results: [{ lab: "pod-phases", exam: "", step: "one", points: 3, hints: 1, seconds: 4, passedAt: at }],
    refusals: [],
    efforts: [{ lab: "pod-phases", step: "one", attempts: 2, hints: 1, firstAt: at, lastAt: at }],
    sittings: [{ exam, begunAt: at, endsAt: ends }],
    sessions: [{ begunAt: at, usedAt: at }],
  });
  expect(copy.messages.map(({ text }: { readonly text: string }) => text).sort()).toEqual(["Bravo", "Pause"]);
  const runs = copy.runs.map(({ lab, exam: of, run }: { lab: string; exam: string; run: { entries: unknown } }) => [
    lab,
    of,
    run.entries,
  ]);
  expect(runs.sort()).toEqual([
    ["labels", exam, part().entries],
    ["pod-phases", "", part().entries],
  ]);
  const acts = copy.acts.map(({ what, by, about, address = "" }: Record<string, string>) => [what, by, about, address].join(" "));
  expect(acts.sort()).toEqual([
    "data-taken learner  127.0.0.1",
    `exam-begun learner ${exam} 127.0.0.1`,
    "learner-joined   127.0.0.1",
    "run-opened teacher pod-phases ",
  ]);
  expect(reply.body).not.toMatch(/Tom|a\/tom|scrypt\$/);
});

test("every table that has learners in it is told of in the copy", async () => {
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_master where type = 'table'`.execute(
    classroom.services.database,
  );
  const tables = rows.filter((row) => /\blearner_id\b/.test(row.sql)).map(({ name }) => name);
  expect(tables.length).toBeGreaterThan(5);
  const copy = (await lea.get("/own")).json();
  expect(Object.keys(copy)).toEqual(expect.arrayContaining(tables));
});

test("a copy is not made more than six times in a minute", async () => {
  for (let times = 0; times < 6; times += 1) expect((await lea.get("/own")).statusCode).toBe(200);
  expect((await lea.get("/own")).json()).toEqual({ error: "too-many-requests" });
  expect((await lea.get("/work")).statusCode).toBe(200);
});

test("a learner has everything deleted with the word, and nothing without it", async () => {
  const home = await classroom.learner(made);
  const wrong = await lea.post("/own/end", { word: "tulipe" });
  expect([wrong.statusCode, wrong.json()]).toEqual([403, { error: "wrong-password" }]);
  expect((await lea.get("/work")).statusCode).toBe(200);
  const gone = new Promise(
    (resolve) => void classroom.services.bus.listen(made.id, ({ kind }) => kind === "gone" && resolve(kind)),
  );
  const reply = await lea.post("/own/end", { word: "jonquille" });
  expect([reply.statusCode, reply.headers["clear-site-data"]]).toEqual([204, '"cache"']);
  expect(await gone).toBe("gone");
  expect(lea.cookies).toEqual({});
  expect((await home.get("/work")).json()).toEqual({ error: "not-signed-in" });
  for (const table of ["learners", "work", "runs", "run_pieces", "results", "presences", "efforts", "sittings"] as const)
    expect(await classroom.services.database.selectFrom(table).selectAll().execute(), table).toEqual([]);
  const messages = await classroom.services.database.selectFrom("messages").select("text").execute();
  expect(messages).toEqual([{ text: "Pause" }]);
  const left = classroom.services.database.selectFrom("audit").select(["who", "about"]).where("what", "=", "learner-left");
  expect(await left.execute()).toEqual([{ who: `learner ${id}`, about: id }]);
  // The name is free again.
  expect(
    (await classroom.browser().post("/join", { code: made.code, name: "Léa", word: "autre mot", locale: "fr" })).statusCode,
  ).toBe(201);
});

test("ten wrong words, and it waits as coming back does", async () => {
  for (let tries = 0; tries < 10; tries += 1) await lea.post("/own/end", { word: "tulipe" });
  expect((await lea.post("/own/end", { word: "jonquille" })).json()).toEqual({ error: "too-many-requests" });
  const back = { code: made.code, name: "Léa", word: "jonquille", locale: "fr" };
  expect((await classroom.browser().post("/join", back)).statusCode).toBe(429);
});
