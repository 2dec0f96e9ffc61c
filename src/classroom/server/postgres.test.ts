// The same classroom on PostgreSQL, with two processes' worth of servers on one database. On a machine without PostgreSQL these are left out.

import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Board, HeldRun, Work } from "../wire.ts";
import { part, startMs, TestClassroom } from "./app.test-kit.ts";
import { beginFlow, endFlow } from "./lti/flows.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "./postgres.test-kit.ts";
import { backUp, restore } from "./storage/backup.ts";
import { type Database, openDatabase, StorageError } from "./storage/open.ts";

const programs = postgresPrograms();

describe.skipIf(programs === undefined)("on PostgreSQL", () => {
  let server: PostgresServer;
  let one: TestClassroom;
  let two: TestClassroom;
  let databaseUrl: string;
  beforeAll(async () => {
    server = await startPostgres(programs as string);
  }, 60_000);
  afterAll(() => server.stop());
  beforeEach(async () => {
    databaseUrl = await server.newDatabase();
    one = new TestClassroom(databaseUrl);
    two = new TestClassroom(databaseUrl);
    // Both find an empty database.
    await Promise.all([one.start(), two.start()]);
  });
  afterEach(() => Promise.all([one.stop(), two.stop()]));

  test("records are taken away through either server, and made once", async () => {
    const teacher = await one.teacher();
    const made = await one.class(teacher);
    const learner = await one.learner(made);
    const { id } = (await learner.get("/me")).json();
    await learner.put("/presence", { place: "", lab: "labels", step: "one", attempts: 0, hints: 0, active: true });
    one.replay = () => Promise.resolve({ ok: true, steps: [{ id: "one", points: 9, openedMs: 0, passedMs: 9 }] });
    await learner.put("/runs/labels", part({ claims: ["one"] }));
    await one.services.results.settled();
    const told = (await teacher.get(`/classes/${made.id}/statements.json`)).json() as { readonly id: string }[];
    expect(told).toHaveLength(3);
    const certificate = { locale: "fr", labs: ["labels"], exams: [] };
    const { code } = (await teacher.post(`/classes/${made.id}/learners/${id}/certificates`, certificate)).json();
    expect((await two.browser().get(`/certificates/${code}`)).json()).toMatchObject({ state: "good", text: { learner: "Léa" } });
    const sets = await Promise.all([one, two].map(({ app }) => app.inject("/.well-known/jwks.json")));
    expect(sets[0]?.json()).toEqual(sets[1]?.json());
    // What is to be used once is, also when two servers are asked at the same moment.
    const entry = { role: "learner", person: id, to: "/" } as const;
    const token = (await beginFlow(one.services, "entry", entry)) ?? "";
    const ends = await Promise.all([one, two, one, two].map(({ services }) => endFlow(services, "entry", token)));
    expect(ends.filter((end) => end !== undefined)).toEqual([entry]);
  });

  const lesson = { steps: ["a"], questions: [1], done: true, doneDay: 20_000, recalls: [{ question: 1, box: 2, day: 5 }] };

  test("a class works through either server", async () => {
    const teacher = await one.teacher();
    const made = await one.class(teacher);
    const [here, there] = [await one.learner(made), await two.learner(made)];
    await here.put("/work", { lessons: { "pod-phases": lesson }, last: "pods/pod-phases" });
    const joined: Work = (await there.put("/work", { lessons: { "pod-phases": { ...lesson, steps: ["b"] } }, last: null })).json();
    expect(joined).toEqual({ lessons: { "pod-phases": { ...lesson, steps: ["a", "b"] } }, last: "pods/pod-phases" });
    const entries = Array.from({ length: 100 }, (_, number) => ({
      timeMs: startMs + number,
      input: { kind: "page-open", page: "日本", url: String(number) },
    }));
    for (const [from, entry] of entries.entries()) {
      const reply = await (from % 2 === 0 ? here : there).put("/runs/pod-phases", part({ from, entries: [entry] }));
      expect(reply.json()).toEqual({ held: from + 1 });
    }
    const held: HeldRun = (await here.get("/runs/pod-phases")).json();
    expect(held).toMatchObject({ savedAt: startMs, run: { seed: 7, startMs, entries } });
    one.replay = () => Promise.resolve({ ok: true, steps: [{ id: "one", points: 3, openedMs: startMs, passedMs: startMs + 9 }] });
    await here.put("/runs/pod-phases", part({ from: 100, entries: [], claims: ["one"] }));
    await one.services.results.settled();
    await here.put("/presence", { place: "", lab: "pod-phases", step: "two", attempts: 5, hints: 1, active: true });
    await there.put("/presence", { place: "", lab: "pod-phases", step: "two", attempts: 2, hints: 0, active: true });
    const board: Board = (await teacher.get(`/classes/${made.id}/board`)).json();
    expect(board.rows).toMatchObject([{ name: "Léa", state: "working", passedHere: ["one"], points: 3, lessonsDone: 1 }]);
    expect((await teacher.get(`/classes/${made.id}/figures`)).json()).toMatchObject([
      { step: "one", passed: 1, medianMs: 9 },
      { step: "two", attempts: 5 },
    ]);
    expect((await teacher.ask("DELETE", `/classes/${made.id}`)).statusCode).toBe(204);
    expect((await there.get("/work")).json()).toEqual({ error: "not-signed-in" });
  });

  test("what happens at one server is told at the other", async () => {
    const made = await one.class(await one.teacher());
    const heard = new Promise((resolve) => void two.services.bus.listen(made.id, resolve));
    // The other one listens a moment after it has started.
    const telling = setInterval(() => one.services.bus.tell({ class: made.id, learner: null, kind: "message" }), 50);
    expect(await heard).toEqual({ class: made.id, learner: null, kind: "message" });
    clearInterval(telling);
  });

  test("twenty who take one name at the same moment become one", async () => {
    const made = await one.class(await one.teacher());
    const joining = { code: made.code, name: "Léa", word: "jonquille", locale: "fr" };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, number) => (number % 2 === 0 ? one : two).browser().post("/join", joining)),
    );
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    expect((await one.services.database.selectFrom("learners").select("id").execute()).length).toBe(1);
  });

  test("what is kept here can go on in SQLite, and come back", async () => {
    const made = await one.class(await one.teacher());
    const learner = await one.learner(made);
    await learner.put("/runs/pod-phases", part());
    const file = join(one.folder, "backup.gz");
    const rows = await backUp(one.services.database, file);
    const small = await openDatabase({ dataFolder: join(one.folder, "small"), databaseUrl: undefined });
    expect(await restore(small, file)).toBe(rows);
    await backUp(small, file);
    await small.destroy();
    const large = await openDatabase({ dataFolder: "", databaseUrl: await server.newDatabase() });
    expect(await restore(large, file)).toBe(rows);
    const runs = (database: Database) => database.selectFrom("run_pieces").selectAll().execute();
    expect(await runs(large)).toEqual(await runs(one.services.database));
    await large.destroy();
  });

  test("a learner's copy holds the runs, and two teachers who end each other's account at two servers leave one", async () => {
    const [ada, grace] = [await one.teacher("Ada"), await two.teacher("Grace")];
    const made = await one.class(ada);
    const learner = await one.learner(made);
    await learner.put("/runs/pod-phases", part());
    await learner.put("/work", { lessons: { "pod-phases": lesson }, last: "pods/pod-phases" });
    const copy = (await learner.get("/own")).json();
    expect(copy).toMatchObject({ learner: { name: "Léa" }, runs: [{ lab: "pod-phases", run: { entries: part().entries } }] });
    const [adaId, graceId] = [(await ada.get("/me")).json().id, (await grace.get("/me")).json().id];
    const password = "twelve letters at least";
    const ends = await Promise.all([
      ada.post(`/teachers/${graceId}/end`, { password }),
      grace.post(`/teachers/${adaId}/end`, { password }),
    ]);
    expect(ends.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1);
    expect(await one.services.database.selectFrom("teachers").select("id").execute()).toHaveLength(1);
    expect(await one.services.database.selectFrom("classes").select("id").execute()).toEqual([{ id: made.id }]);
    expect((await learner.post("/own/end", { word: "jonquille" })).statusCode).toBe(204);
    expect(await two.services.database.selectFrom("learners").select("id").execute()).toEqual([]);
  });

  test("a database of a newer version is refused", async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('0002-later', '2027-01-01T00:00:00Z')`.execute(
      one.services.database,
    );
    await expect(openDatabase({ dataFolder: "", databaseUrl })).rejects.toThrow(StorageError);
  });

  test("connections that the database cuts come back", async () => {
    const teacher = await one.teacher();
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    await cut.execute(two.services.database);
    // Questions that meet a dead connection say that they are to be asked again.
    const statuses: number[] = [];
    while (statuses.at(-1) !== 200 && statuses.length < 50) statuses.push((await teacher.get("/classes")).statusCode);
    expect(statuses.at(-1)).toBe(200);
    expect(statuses.slice(0, -1).every((status) => status === 503)).toBe(true);
  });
});
