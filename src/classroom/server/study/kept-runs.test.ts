// One run in two browsers of a learner: on SQLite, and on PostgreSQL where its programs are found.

import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HeldRun, RunPart } from "../../wire.ts";
import { type Browser, part, startMs, TestClassroom } from "../app.test-kit.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../postgres.test-kit.ts";
import { backUp, restore } from "../storage/backup.ts";
import { openDatabase } from "../storage/open.ts";

const programs = postgresPrograms();
const kinds = ["SQLite", ...(programs === undefined ? [] : ["PostgreSQL"])];
const typed = (...texts: readonly string[]): RunPart["entries"] =>
  texts.map((text, number) => ({ timeMs: startMs + number, input: { kind: "terminal-input", terminal: "main", text } as never }));

describe.each(kinds)("one run in two browsers, on %s", (kind) => {
  let server: PostgresServer | undefined;
  let classroom: TestClassroom;
  let teacher: Browser;
  let school: Browser;
  let home: Browser;
  let classId: string;
  beforeAll(async () => {
    if (kind === "PostgreSQL") server = await startPostgres(programs as string);
  }, 60_000);
  afterAll(() => server?.stop());
  beforeEach(async () => {
    classroom = new TestClassroom(await server?.newDatabase());
    await classroom.start();
    teacher = await classroom.teacher();
    const made = await classroom.class(teacher);
    classId = made.id;
    school = await classroom.learner(made);
    home = await classroom.learner(made);
  });
  afterEach(() => classroom.stop());

  const send = async (browser: Browser, over: Partial<RunPart>, path = "/runs/pod-phases") => {
    const writer = browser === school ? "school" : "home";
    const reply = await browser.put(path, part({ writer, ...over }));
    return reply.statusCode === 200 ? reply.json().held : `${reply.statusCode} ${reply.json().error}`;
  };
  const held = async (path = "/runs/pod-phases"): Promise<HeldRun> => (await school.get(path)).json();
  const texts = async (): Promise<readonly unknown[]> =>
    (await held()).run.entries.map(({ input }) => (input as unknown as { readonly text: string }).text);

  test("what one has sent the other does not replace, whatever it sends", async () => {
    expect(await send(school, { entries: typed("a", "b") })).toBe(2);
    for (const over of [
      { entries: typed("x") },
      { from: 2, entries: typed("x") },
      { from: 9, entries: typed("x") },
      { from: 2, entries: [], claims: ["one"] },
      { seed: 8, entries: typed("x") },
    ])
      expect(await send(home, over)).toBe("409 elsewhere");
    expect(await held()).toMatchObject({ writer: "school", revision: 1, run: { seed: 7, entries: typed("a", "b") } });
    // Its own it cuts and begins again as before.
    expect(await send(school, { from: 1, entries: typed("c") })).toBe(2);
    expect(await send(school, { seed: 8, entries: [] })).toBe(0);
  });

  test("who says so takes the place of just what was seen; the other is refused from then on, until it says so in turn", async () => {
    await send(school, { entries: typed("a", "b") });
    const { revision: seen } = await held();
    // Meanwhile the first has gone on.
    await send(school, { from: 2, entries: typed("c") });
    expect(await send(home, { from: 1, entries: typed("x"), takesOver: seen })).toBe("409 elsewhere");
    expect(await texts()).toEqual(["a", "b", "c"]);
    expect(await send(home, { from: 1, entries: typed("x"), takesOver: (await held()).revision })).toBe(2);
    expect(await texts()).toEqual(["a", "x"]);
    expect(await send(home, { from: 2, entries: typed("y") })).toBe(3);
    expect(await send(school, { from: 3, entries: typed("d") })).toBe("409 elsewhere");
    expect(await send(school, { from: 1, entries: typed("b", "c"), takesOver: (await held()).revision })).toBe(3);
    expect(await texts()).toEqual(["a", "b", "c"]);
    expect(await send(home, { from: 3, entries: typed("z") })).toBe("409 elsewhere");
  });

  test("of ten browsers that take over at the same moment one does, and the run is that one's whole", async () => {
    await send(school, { entries: typed("a") });
    const { revision } = await held();
    const writers = Array.from({ length: 10 }, (_, number) => `w${number}`);
    const ends = await Promise.all(
      writers.map((writer) => send(home, { writer, entries: typed(writer, writer), takesOver: revision })),
    );
    expect(ends.filter((end) => end === 2)).toHaveLength(1);
    expect(ends.filter((end) => end === "409 elsewhere")).toHaveLength(9);
    const winner = writers[ends.indexOf(2)];
    expect([(await held()).writer, await texts()]).toEqual([winner, [winner, winner]]);
  });

  test("a run of before browsers were written down is anybody's, once; a backup keeps whose it is", async () => {
    await send(school, { entries: typed("a") });
    const { database } = classroom.services;
    await database.updateTable("runs").set({ writer: null, revision: 0 }).execute();
    expect(await send(home, { from: 1, entries: typed("b") })).toBe(2);
    expect(await send(school, { from: 2, entries: typed("c") })).toBe("409 elsewhere");
    const file = join(classroom.folder, "b.gz");
    await backUp(database, file);
    const copy = await openDatabase({ dataFolder: join(classroom.folder, "copy"), databaseUrl: await server?.newDatabase() });
    await restore(copy, file);
    expect(await copy.selectFrom("runs").select(["writer", "revision"]).execute()).toEqual([{ writer: "home", revision: 1 }]);
    await copy.destroy();
  });

  test("in an exam it is the same; each run of the learner's is one browser's for itself", async () => {
    const exam = { title: "Examen", labs: ["pod-phases"], opensAt: startMs, closesAt: startMs + 600_000, minutes: 5 };
    const { id } = (await teacher.post(`/classes/${classId}/exams`, exam)).json();
    const { seeds } = (await school.post(`/exams/${id}/sitting`)).json().sitting;
    const path = `/exams/${id}/runs/pod-phases`;
    const seed = seeds["pod-phases"];
    expect(await send(school, { seed, entries: typed("a") }, path)).toBe(1);
    expect(await send(home, { seed, from: 1, entries: typed("b") }, path)).toBe("409 elsewhere");
    expect(await send(home, { entries: typed("b") })).toBe(1);
    const { revision, writer } = await held(path);
    expect(writer).toBe("school");
    expect(await send(home, { seed, from: 1, entries: [], takesOver: revision }, path)).toBe(1);
    expect(await send(school, { seed, from: 1, entries: typed("c") }, path)).toBe("409 elsewhere");
  });

  test("that another goes on with it is told to the learner's pages; nothing is while one goes on", async () => {
    const told: (string | null)[] = [];
    const { id } = (await school.get("/me")).json();
    const heard = new Set<string>();
    classroom.services.bus.listen(classId, ({ kind: what, learner }) => {
      heard.add(what);
      if (what === "run") told.push(learner);
    });
    // PostgreSQL's listener comes a moment after the start.
    await expect
      .poll(() => {
        classroom.services.bus.tell({ class: classId, learner: null, kind: "message" });
        return heard.has("message");
      })
      .toBe(true);
    await send(school, { entries: typed("a") });
    await send(school, { from: 1, entries: typed("b") });
    await send(home, { from: 2, entries: [], takesOver: 2 });
    await send(home, { from: 2, entries: typed("c") });
    // Told in order: what was to come before it has come.
    classroom.services.bus.tell({ class: classId, learner: null, kind: "plan" });
    await expect.poll(() => heard.has("plan")).toBe(true);
    expect(told).toEqual([id]);
  });
});

test("runs of a database that an earlier version made go on, and have no writer yet", async () => {
  const classroom = new TestClassroom();
  await classroom.start();
  const learner = await classroom.learner(await classroom.class(await classroom.teacher()));
  await learner.put("/runs/pod-phases", part());
  const { database } = classroom.services;
  // As it was before.
  for (const column of ["writer", "revision"]) await sql.raw(`alter table runs drop column ${column}`).execute(database);
  await sql`delete from kysely_migration where name = '0003-writers'`.execute(database);
  const again = await openDatabase({ dataFolder: classroom.folder, databaseUrl: undefined });
  expect(await again.selectFrom("runs").select(["held", "writer", "revision"]).execute()).toEqual([
    { held: 1, writer: null, revision: 0 },
  ]);
  await again.destroy();
  await classroom.stop();
});
