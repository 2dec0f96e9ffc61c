// What goes by itself, and what stays: on SQLite and, where its programs are found, on PostgreSQL.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Class, ClassKeeping, Keeping } from "../../wire.ts";
import { type Browser, part, startMs, TestClassroom } from "../app.test-kit.ts";
import { invite } from "../people/teachers.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../postgres.test-kit.ts";
import { DeletionByAge, dayMs } from "./deletion-by-age.ts";

const programs = postgresPrograms();
const keeping: Keeping = { runsDays: 30, learnersDays: 100, auditDays: 50 };
const here = { place: "pods/pod-phases", lab: "pod-phases", step: "one", attempts: 0, hints: 0, active: true };
const lesson = { steps: ["a"], questions: [], done: true, doneDay: 1, recalls: [] };
const ofLearners = ["learners", "work", "last_places", "presences", "runs", "run_pieces", "results", "efforts"] as const;

describe.each(["SQLite", "PostgreSQL"])("on %s", (kind) => {
  const isPostgres = kind === "PostgreSQL";
  const suite = isPostgres && programs === undefined ? test.skip : test;
  let server: PostgresServer | undefined;
  let classroom: TestClassroom;
  let databaseUrl: string | undefined;
  let teacher: Browser;
  let made: Class;

  beforeAll(async () => {
    if (isPostgres && programs !== undefined) server = await startPostgres(programs);
  }, 60_000);
  afterAll(() => server?.stop());
  beforeEach(async () => {
    databaseUrl = await server?.newDatabase();
    classroom = new TestClassroom(databaseUrl);
    classroom.replay = () => Promise.resolve({ ok: true, steps: [{ id: "one", points: 3, openedMs: startMs, passedMs: startMs }] });
    await classroom.start({ keeping });
    teacher = await classroom.teacher();
    made = await classroom.class(teacher);
  });
  afterEach(() => classroom.stop());

  const deletion = (over: Partial<Keeping> = {}) => new DeletionByAge({ ...classroom.services, keeping: { ...keeping, ...over } });
  const learner = async (name: string): Promise<Browser> => {
    const own = await classroom.learner(made, name);
    await own.put("/runs/pod-phases", part({ claims: ["one"] }));
    await own.put("/work", { lessons: { "pod-phases": lesson }, last: "pods/pod-phases" });
    await own.put("/presence", here);
    await classroom.services.results.settled();
    return own;
  };
  const count = async (table: (typeof ofLearners)[number] | "audit" | "messages" | "sessions" | "invitations"): Promise<number> =>
    (await classroom.services.database.selectFrom(table).selectAll().execute()).length;
  const counts = async () => Promise.all(ofLearners.map(count));

  suite("a run goes when it has not been added to for so long; what it reached stays", async () => {
    const lea = await learner("Léa");
    classroom.nowMs += 30 * dayMs;
    await learner("Tom");
    await deletion().daily();
    expect(await count("runs")).toBe(2);
    classroom.nowMs += 1;
    await deletion().daily();
    expect([await count("runs"), await count("run_pieces"), await count("results")]).toEqual([1, 1, 2]);
    expect((await lea.get("/runs/pod-phases")).json()).toEqual({ error: "not-found" });
    expect((await lea.get("/results")).json()).toMatchObject([{ lab: "pod-phases", points: 3 }]);
    // Begun again, it is a run like any other.
    expect((await lea.put("/runs/pod-phases", part())).json()).toEqual({ held: 1 });
  });

  suite("a run whose claim nobody has looked at waits as long again", async () => {
    classroom.replay = () => Promise.resolve({ ok: false, reason: "busy" });
    await learner("Léa");
    classroom.nowMs += 60 * dayMs;
    await deletion().daily();
    expect(await count("runs")).toBe(1);
    classroom.nowMs += 1;
    await deletion().daily();
    expect(await count("runs")).toBe(0);
  });

  suite("a learner goes with everything, so long after the last sign of life; who was there stays", async () => {
    const lea = await learner("Léa");
    await learner("Tom");
    classroom.nowMs += 60 * dayMs;
    expect((await lea.put("/presence", here)).statusCode).toBe(204);
    classroom.nowMs += 41 * dayMs;
    const heard: unknown[] = [];
    const stopListening = classroom.services.bus.listen(made.id, (happening) => void heard.push(happening.kind));
    await deletion({ runsDays: null }).daily();
    if (!isPostgres) expect(heard).toEqual(["gone"]);
    stopListening();
    expect(await counts()).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect((await lea.get("/me")).json()).toMatchObject({ name: "Léa" });
    // A teacher's and Léa's.
    expect(await count("sessions")).toBe(2);
    classroom.nowMs += 60 * dayMs;
    await deletion({ runsDays: null }).daily();
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect((await lea.get("/me")).json()).toMatchObject({ role: "nobody" });
  });

  suite("messages go as learners do, invitations when they are over, lines of the audit log in their time", async () => {
    await teacher.post(`/classes/${made.id}/messages`, { to: null, text: "Pause" });
    await invite(classroom.services, null);
    classroom.nowMs += 40 * dayMs;
    await classroom.services.database
      .insertInto("audit")
      .values(
        Array.from({ length: 1200 }, (_, number) => {
          return { id: String(number), at: startMs + number, who: "", what: "word-wrong", about: "", address: "" };
        }),
      )
      .execute();
    const before = await count("audit");
    classroom.nowMs += 10 * dayMs;
    await deletion().daily();
    // The first moment's are fifty days old, and not older.
    expect([await count("messages"), await count("invitations"), await count("audit")]).toEqual([1, 0, before]);
    classroom.nowMs += 2000;
    await deletion().daily();
    const left = await classroom.services.database.selectFrom("audit").select(["what", "about", "address"]).execute();
    expect(left).toEqual([{ what: "deleted-by-age", about: `auditLines ${before}`, address: "" }]);
    classroom.nowMs += 50 * dayMs;
    await deletion().daily();
    expect(await count("messages")).toBe(0);
  });

  suite("nothing goes that is kept for good", async () => {
    await learner("Léa");
    const before = [...(await counts()), await count("audit")];
    classroom.nowMs += 4000 * dayMs;
    await deletion({ runsDays: null, learnersDays: null, auditDays: null }).daily();
    expect([...(await counts()), await count("audit")]).toEqual(before);
  });

  suite("it looks at the first time, and then once a day of its own clock", async () => {
    const running = deletion({ learnersDays: null });
    await learner("Léa");
    classroom.nowMs += 31 * dayMs;
    await running.daily();
    expect(await count("runs")).toBe(0);
    // It is old already when it comes: by the clock of another server.
    classroom.nowMs -= 60 * dayMs;
    await learner("Tom");
    classroom.nowMs += 61 * dayMs - 1;
    await running.daily();
    expect(await count("runs")).toBe(1);
    classroom.nowMs += 1;
    await running.daily();
    expect(await count("runs")).toBe(0);
  });

  suite("the teacher is told when what goes", async () => {
    const told = async (): Promise<ClassKeeping> => (await teacher.get(`/classes/${made.id}/keeping`)).json();
    expect(await told()).toEqual({ ...keeping, nextRunAt: null, nextLearnerAt: null });
    await learner("Léa");
    classroom.nowMs += dayMs;
    const again = await classroom.browser().post("/session", { name: "Ada", password: "twelve letters at least" });
    expect(again.statusCode).toBe(200);
    teacher = await classroom.teacher("Grace");
    await learner("Tom");
    expect(await told()).toEqual({ ...keeping, nextRunAt: startMs + 30 * dayMs, nextLearnerAt: startMs + 100 * dayMs });
  });

  suite("what is ended stops after the learner at hand", async () => {
    for (const name of ["Léa", "Tom", "Zoé"]) await learner(name);
    classroom.nowMs += 101 * dayMs;
    const running = deletion({ runsDays: null });
    const turn = running.daily();
    await running.end();
    await turn;
    expect(await count("learners")).toBeGreaterThan(0);
    await deletion().daily();
    expect(await count("learners")).toBe(0);
  });

  if (isPostgres)
    suite("two processes that do it at once delete each row once, while learners go on writing", async () => {
      const two = new TestClassroom(databaseUrl);
      await two.start({ keeping });
      for (const name of ["Léa", "Tom", "Zoé", "Max", "Ana", "Eva"]) await learner(name);
      classroom.nowMs += 101 * dayMs;
      two.nowMs = classroom.nowMs;
      const zoe = await learner("Zoé");
      await classroom.services.database.deleteFrom("audit").where("what", "=", "deleted-by-age").execute();
      const writes = Array.from({ length: 20 }, (_, from) =>
        zoe.put("/work", { lessons: { [`l${from}`]: lesson }, last: null }).then(({ statusCode }) => statusCode),
      );
      await Promise.all([
        deletion().daily(),
        new DeletionByAge({ ...two.services, keeping }).daily(),
        ...writes.map(async (status) => expect(await status).toBe(200)),
      ]);
      const left = await classroom.services.database.selectFrom("learners").select("name").execute();
      expect(left).toEqual([{ name: "Zoé" }]);
      const lines = await classroom.services.database
        .selectFrom("audit")
        .select("about")
        .where("what", "=", "deleted-by-age")
        .execute();
      const learners = lines.map(({ about }) => Number(/learners (\d+)/.exec(about)?.[1] ?? 0));
      expect(learners.reduce((sum, one) => sum + one, 0)).toBe(5);
      await two.stop();
    });
});
