import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Board, ClassHappening, HeldRun, LearnerDetail, ReceivedMessage, Result, StepFigures, Work } from "../wire.ts";
import { type Browser, part, startMs, TestClassroom } from "./app.test-kit.ts";
import { invite } from "./people/teachers.ts";
import type { Replayed } from "./study/results.ts";

let classroom: TestClassroom;
beforeEach(async () => {
  classroom = new TestClassroom();
  await classroom.start();
});
afterEach(() => classroom.stop());

const minuteMs = 60_000;
const password = "twelve letters at least";
const lesson = { steps: [], questions: [], done: false, doneDay: null, recalls: [] };
const here = { place: "pods/pod-phases", lab: "pod-phases", step: "one", attempts: 0, hints: 0, active: true };

describe("teachers", () => {
  test("an invitation lets one teacher in, once", async () => {
    const { token } = await invite(classroom.services, null);
    const [ada, eve] = [classroom.browser(), classroom.browser()];
    expect((await ada.get("/me")).json()).toEqual({ role: "nobody", isNew: true });
    const came = await ada.post("/teachers", { invitation: token, name: "Ada", password });
    expect(came.statusCode).toBe(201);
    expect((await ada.get("/me")).json()).toEqual({ role: "teacher", id: came.json().id, name: "Ada", hasPassword: true });
    const second = await eve.post("/teachers", { invitation: token, name: "Eve", password });
    expect([second.statusCode, second.json()]).toEqual([403, { error: "bad-invitation" }]);
    expect((await eve.get("/me")).json()).toEqual({ role: "nobody", isNew: false });
  });

  test("an invitation is over after a week", async () => {
    const { token } = await invite(classroom.services, null);
    classroom.nowMs += 7 * 86_400_000;
    expect((await classroom.browser().post("/teachers", { invitation: token, name: "Ada", password })).json()).toEqual({
      error: "bad-invitation",
    });
  });

  test("two teachers do not have the same name, however it is written; the invitation stays good", async () => {
    await classroom.teacher("Ada Lovelace");
    const { token } = await invite(classroom.services, null);
    const browser = classroom.browser();
    const reply = await browser.post("/teachers", { invitation: token, name: "ＡＤＡ  lovelace", password });
    expect(reply.json()).toEqual({ error: "name-taken" });
    expect((await browser.post("/teachers", { invitation: token, name: "Grace", password })).statusCode).toBe(201);
  });

  test("a teacher signs in with name and password; ten wrong ones, and the name waits ten minutes", async () => {
    await classroom.teacher("Ada");
    const browser = classroom.browser();
    expect((await browser.post("/session", { name: " ada", password })).statusCode).toBe(200);
    for (let tries = 0; tries < 10; tries += 1)
      expect((await browser.post("/session", { name: "Ada", password: "wrong" })).json()).toEqual({ error: "wrong-password" });
    const late = await browser.post("/session", { name: "Ada", password });
    expect([late.statusCode, late.json()]).toEqual([429, { error: "too-many-requests" }]);
    classroom.nowMs += 10 * minuteMs;
    expect((await browser.post("/session", { name: "Ada", password })).statusCode).toBe(200);
  });

  test("a session ends with a word, and by itself after four hours without use", async () => {
    const teacher = await classroom.teacher();
    classroom.nowMs += 4 * 60 * minuteMs - 1;
    expect((await teacher.get("/classes")).statusCode).toBe(200);
    classroom.nowMs += 4 * 60 * minuteMs;
    expect((await teacher.get("/classes")).json()).toEqual({ error: "not-signed-in" });
    const other = await classroom.teacher("Grace");
    expect((await other.ask("DELETE", "/session")).statusCode).toBe(204);
    expect((await other.get("/classes")).json()).toEqual({ error: "not-signed-in" });
  });
});

describe("joining", () => {
  test("a learner joins by the code, however it is typed, and comes back with the word", async () => {
    const teacher = await classroom.teacher();
    const made = await classroom.class(teacher);
    const [first, second] = [classroom.browser(), classroom.browser()];
    const code = made.code.toLowerCase().replace("-", " ");
    const joined = await first.post("/join", { code, name: "Léa", word: "jonquille", locale: "fr" });
    expect(joined.statusCode).toBe(201);
    const back = await second.post("/join", { code: made.code, name: "léa", word: "jonquille", locale: "fr" });
    expect([back.statusCode, back.json().id]).toEqual([200, joined.json().id]);
    expect((await second.get("/me")).json()).toMatchObject({
      role: "learner",
      class: { id: made.id, name: "Terminale", plan: [] },
    });
    expect((await teacher.get(`/classes/${made.id}`)).json().learners).toBe(1);
  });

  test.each([
    ["another code", { code: "AAAA-AAAA" }, 404, "unknown-code"],
    ["a name that somebody has", { word: "tulipe" }, 403, "name-taken"],
    ["a name of spaces", { name: "   " }, 400, "bad-request"],
    ["a name with a line's end", { name: "Léa\nAdmin" }, 400, "bad-request"],
    ["a word of three letters", { word: "abc" }, 400, "bad-request"],
    ["a field that there is not", { role: "teacher" }, 400, "bad-request"],
    ["a number for a name", { name: 5 }, 400, "bad-request"],
  ])("%s is refused", async (_title, over, status, error) => {
    const made = await classroom.class(await classroom.teacher());
    await classroom.learner(made);
    const reply = await classroom
      .browser()
      .post("/join", { code: made.code, name: "Léa", word: "jonquille", locale: "fr", ...over });
    expect([reply.statusCode, reply.json().error]).toEqual([status, error]);
  });

  test("a closed class lets back in who belongs to it, and nobody else", async () => {
    const teacher = await classroom.teacher();
    const made = await classroom.class(teacher);
    await classroom.learner(made);
    const { revision, name, locale, plan } = made;
    await teacher.put(`/classes/${made.id}`, { revision, name, locale, plan, open: false });
    const other = { code: made.code, word: "jonquille", locale: "fr" };
    expect((await classroom.browser().post("/join", { ...other, name: "Léa" })).statusCode).toBe(200);
    expect((await classroom.browser().post("/join", { ...other, name: "Tom" })).json()).toEqual({ error: "class-closed" });
  });

  test("a new word from the teacher ends the old one and the learner's sessions", async () => {
    const teacher = await classroom.teacher();
    const made = await classroom.class(teacher);
    const learner = await classroom.learner(made);
    const { id } = (await learner.get("/me")).json();
    expect((await teacher.put(`/classes/${made.id}/learners/${id}/word`, { word: "tulipe" })).statusCode).toBe(204);
    expect((await learner.get("/work")).json()).toEqual({ error: "not-signed-in" });
    const back = { code: made.code, name: "Léa", locale: "fr" };
    expect((await learner.post("/join", { ...back, word: "jonquille" })).json()).toEqual({ error: "name-taken" });
    expect((await learner.post("/join", { ...back, word: "tulipe" })).statusCode).toBe(200);
  });
});

describe("a learner's work", () => {
  test("what two browsers have done comes together, and nothing is lost", async () => {
    const made = await classroom.class(await classroom.teacher());
    const [school, home] = [await classroom.learner(made), await classroom.learner(made)];
    const recall = (box: number, day: number) => ({ question: 1, box, day });
    const atSchool = { ...lesson, steps: ["a", "b"], questions: [1], done: true, doneDay: 20_600, recalls: [recall(0, 5)] };
    await school.put("/work", { lessons: { "pod-phases": atSchool }, last: "pods/pod-phases" });
    const atHome = { ...lesson, steps: ["b", "c"], questions: [0], done: true, doneDay: 20_601, recalls: [recall(1, 6)] };
    const both: Work = (await home.put("/work", { lessons: { "pod-phases": atHome, other: lesson }, last: null })).json();
    const together = { steps: ["a", "b", "c"], questions: [0, 1], done: true, doneDay: 20_600, recalls: [recall(1, 6)] };
    expect(both).toEqual({ lessons: { "pod-phases": together, other: lesson }, last: "pods/pod-phases" });
    expect((await school.get("/work")).json()).toEqual(both);
    const undone: Work = (
      await school.put("/work", { lessons: { "pod-phases": { ...atSchool, done: false, doneDay: null } }, last: null })
    ).json();
    expect(undone.lessons["pod-phases"]).toEqual({ ...together, done: false, doneDay: null });
  });

  test("names of lessons and steps that there cannot be are refused with what stands at them", async () => {
    const learner = await classroom.learner(await classroom.class(await classroom.teacher()));
    const none: Work = (await learner.get("/work")).json();
    for (const name of ["", "Pod Phases", "a\u0000"]) {
      expect((await learner.put("/work", { lessons: { [name]: 0 }, last: null })).statusCode, name).toBe(400);
      expect((await learner.put("/work", { lessons: { [name]: lesson }, last: null })).statusCode, name).toBe(400);
      expect((await learner.put("/runs/pod-phases", part({ entries: [], hints: { [name]: 1 } }))).statusCode, name).toBe(400);
    }
    expect((await learner.get("/work")).json()).toEqual(none);
  });

  test("a run grows by parts, is cut where the learner went back, and comes back whole", async () => {
    const made = await classroom.class(await classroom.teacher());
    const learner = await classroom.learner(made);
    const entry = (number: number) => ({
      timeMs: startMs + number,
      input: { kind: "terminal-input", terminal: "main", text: String(number) },
    });
    const entries = Array.from({ length: 10 }, (_, number) => entry(number));
    expect((await learner.put("/runs/pod-phases", part({ entries: entries.slice(0, 6) }))).json()).toEqual({ held: 6 });
    expect((await learner.put("/runs/pod-phases", part({ from: 6, entries: entries.slice(6, 8) }))).json()).toEqual({ held: 8 });
    const gap = await learner.put("/runs/pod-phases", part({ from: 9, entries: entries.slice(9) }));
    expect([gap.statusCode, gap.json()]).toEqual([409, { error: "gap", detail: "8" }]);
    await learner.put("/runs/pod-phases", part({ from: 3, entries: entries.slice(8), hints: { one: 2 } }));
    const held: HeldRun = (await learner.get("/runs/pod-phases")).json();
    expect(held.run.entries).toEqual([...entries.slice(0, 3), ...entries.slice(8)]);
    expect(held.run.hints).toEqual({ one: 2 });
    // Begun again: another run.
    expect((await learner.put("/runs/pod-phases", part({ seed: 8, from: 5, entries: [] }))).json()).toEqual({
      error: "gap",
      detail: "0",
    });
    expect((await learner.put("/runs/pod-phases", part({ seed: 8, entries: [] }))).json()).toEqual({ held: 0 });
    expect((await learner.get("/runs/pod-phases")).json().run).toMatchObject({ seed: 8, entries: [] });
  });

  test("many small parts are kept whole", async () => {
    const learner = await classroom.learner(await classroom.class(await classroom.teacher()));
    const inputs = Array.from({ length: 150 }, (_, number) => ({
      timeMs: startMs + number,
      input: { kind: "terminal-close", terminal: `t${number}` },
    }));
    for (const [from, entry] of inputs.entries()) await learner.put("/runs/pod-phases", part({ from, entries: [entry] }));
    expect((await learner.get("/runs/pod-phases")).json().run.entries).toEqual(inputs);
    const pieces = await classroom.services.database.selectFrom("run_pieces").select("first").execute();
    expect(pieces.length).toBeLessThan(70);
  });

  test("only what the server's own world reaches is a result; the hints are the run's", async () => {
    const learner = await classroom.learner(await classroom.class(await classroom.teacher()));
    const replayed: string[] = [];
    classroom.replay = (owner, lab, saved) => {
      replayed.push(`${lab} ${(saved as { readonly entries: readonly unknown[] }).entries.length} ${owner.length > 0}`);
      const one = { id: "one", points: 10, openedMs: startMs, passedMs: startMs + 5000 };
      return Promise.resolve({ ok: true, steps: [one, { id: "two", points: 0, openedMs: startMs + 5000, passedMs: undefined }] });
    };
    await learner.put("/runs/pod-phases", part({ claims: ["one", "two"], hints: { one: 1 } }));
    await classroom.services.results.settled();
    const results: readonly Result[] = (await learner.get("/results")).json();
    expect(results).toEqual([
      { lab: "pod-phases", steps: [{ id: "one", passedAt: startMs, hints: 1 }], points: 10, refusal: null },
    ]);
    // What is known is not looked at again.
    await learner.put("/runs/pod-phases", part({ from: 1, entries: [], claims: ["one"] }));
    await classroom.services.results.settled();
    expect(replayed).toEqual(["pod-phases 1 true"]);
  });

  test("a claim that nobody had time for, or that a server was ended on, is looked at later, once", async () => {
    const learner = await classroom.learner(await classroom.class(await classroom.teacher()));
    let asked = 0;
    const answer = (replayed: Replayed) => () => {
      asked += 1;
      return Promise.resolve(replayed);
    };
    classroom.replay = answer({ ok: false, reason: "busy" });
    await learner.put("/runs/pod-phases", part({ claims: ["one"] }));
    // Parts without a claim do not take it back.
    await learner.put("/runs/pod-phases", part({ from: 1, entries: [] }));
    await classroom.services.results.settled();
    expect((await learner.get("/results")).json()).toMatchObject([{ refusal: "busy" }]);
    classroom.replay = answer({ ok: true, steps: [{ id: "one", points: 5, openedMs: 0, passedMs: 7 }] });
    for (const _start of [1, 2]) {
      await classroom.services.results.resume();
      await classroom.services.results.settled();
    }
    expect(asked).toBe(2);
    expect((await learner.get("/results")).json()).toMatchObject([{ points: 5, refusal: null }]);
  });

  test("a run that cannot be replayed is refused with its reason, until one can", async () => {
    const learner = await classroom.learner(await classroom.class(await classroom.teacher()));
    classroom.replay = () => Promise.resolve({ ok: false, reason: "outdated" });
    await learner.put("/runs/pod-phases", part({ claims: ["one"] }));
    await classroom.services.results.settled();
    expect((await learner.get("/results")).json()).toEqual([{ lab: "pod-phases", steps: [], points: 0, refusal: "outdated" }]);
    classroom.replay = () => Promise.resolve({ ok: true, steps: [{ id: "one", points: 5, openedMs: 0, passedMs: 7 }] });
    await learner.put("/runs/pod-phases", part({ from: 1, entries: [], claims: ["one"] }));
    await classroom.services.results.settled();
    expect((await learner.get("/results")).json()).toMatchObject([{ points: 5, refusal: null }]);
  });
});

describe("the board", () => {
  let teacher: Browser;
  let learner: Browser;
  let classId: string;
  beforeEach(async () => {
    teacher = await classroom.teacher();
    const made = await classroom.class(teacher);
    classId = made.id;
    learner = await classroom.learner(made);
  });
  const row = async () => ((await teacher.get(`/classes/${classId}/board`)).json() as Board).rows[0];

  test("says where a learner is, since when, and how it goes", async () => {
    expect(await row()).toMatchObject({ name: "Léa", state: "new", presence: null, lessonsDone: 0, stepsPassed: 0 });
    await learner.put("/presence", here);
    expect(await row()).toMatchObject({ state: "working", presence: here, stepSince: startMs, seenAt: startMs });
    const tell = async (afterMs: number, over: object) => {
      classroom.nowMs = startMs + afterMs;
      await learner.put("/presence", { ...here, ...over });
      return row();
    };
    expect(await tell(9 * minuteMs, { attempts: 2 })).toMatchObject({ state: "working", stepSince: startMs });
    expect(await tell(9 * minuteMs, { attempts: 3 })).toMatchObject({ state: "stuck" });
    expect(await tell(16 * minuteMs, { attempts: 0 })).toMatchObject({ state: "stuck" });
    expect(await tell(16 * minuteMs, { active: false })).toMatchObject({ state: "idle" });
    expect(await tell(17 * minuteMs, { step: "two" })).toMatchObject({ state: "working", stepSince: startMs + 17 * minuteMs });
    classroom.nowMs += 91_000;
    expect(await row()).toMatchObject({ state: "away" });
  });

  test("figures sum up what a class spent at a step, and who went away at it", async () => {
    await learner.put("/presence", { ...here, attempts: 4, hints: 1 });
    await learner.put("/presence", { ...here, attempts: 1, hints: 0 });
    classroom.nowMs += 2 * 60 * minuteMs;
    const figures: readonly StepFigures[] = (await teacher.get(`/classes/${classId}/figures`)).json();
    const step = { lab: "pod-phases", step: "one", reached: 1, passed: 0, medianMs: null, attempts: 4, hints: 1, leftAt: 1 };
    expect(figures).toEqual([step]);
  });

  test("results go to a spreadsheet, where a name is no formula", async () => {
    const { code } = (await teacher.get(`/classes/${classId}`)).json();
    const other = classroom.browser();
    await other.post("/join", { code, name: '=HYPERLINK("x")', word: "jonquille", locale: "fr" });
    classroom.replay = () => Promise.resolve({ ok: true, steps: [{ id: "one", points: 5, openedMs: 0, passedMs: 7000 }] });
    await other.put("/runs/pod-phases", part({ claims: ["one"] }));
    await classroom.services.results.settled();
    const reply = await teacher.get(`/classes/${classId}/results.csv`);
    expect(reply.headers["content-disposition"]).toBe('attachment; filename="results.csv"');
    expect(reply.body).toBe(
      '\uFEFFlearner,lab,exam,step,points,hints,seconds,passed_at\r\n"\'=HYPERLINK(""x"")",pod-phases,,one,5,0,7,2026-09-01T08:00:00.000Z\r\n',
    );
  });

  test("a word to one and a word to all reach whom they are for", async () => {
    const other = await classroom.learner((await teacher.get(`/classes/${classId}`)).json(), "Tom");
    const { id } = (await learner.get("/me")).json();
    await teacher.post(`/classes/${classId}/messages`, { to: null, text: "Pause !" });
    classroom.nowMs += 1;
    await teacher.post(`/classes/${classId}/messages`, { to: id, text: "Regardez les événements." });
    const texts = async (browser: Browser) =>
      ((await browser.get("/messages")).json() as ReceivedMessage[]).map(({ text, from }) => `${from}: ${text}`);
    expect(await texts(learner)).toEqual(["Ada: Pause !", "Ada: Regardez les événements."]);
    expect(await texts(other)).toEqual(["Ada: Pause !"]);
  });

  test("a teacher opens a learner's run, and it is written down that they did", async () => {
    await learner.put("/runs/pod-phases", part());
    const { id } = (await learner.get("/me")).json();
    const detail: LearnerDetail = (await teacher.get(`/classes/${classId}/learners/${id}`)).json();
    expect(detail.runs).toEqual([{ lab: "pod-phases", savedAt: startMs, entries: 1 }]);
    const run: HeldRun = (await teacher.get(`/classes/${classId}/learners/${id}/runs/pod-phases`)).json();
    expect(run.run).toMatchObject({ seed: 7, entries: part().entries });
    const acts = await classroom.services.database
      .selectFrom("audit")
      .select(["what", "about"])
      .where("what", "=", "run-opened")
      .execute();
    expect(acts).toEqual([{ what: "run-opened", about: `${id} pod-phases` }]);
  });

  test("two teachers who change a class do not overwrite each other", async () => {
    const { revision, name, locale, plan, open } = (await teacher.get(`/classes/${classId}`)).json();
    const change = { revision, name, locale, plan, open };
    expect((await teacher.put(`/classes/${classId}`, { ...change, name: "A" })).json()).toMatchObject({ name: "A", revision: 2 });
    const late = await (await classroom.teacher("Grace")).put(`/classes/${classId}`, { ...change, name: "B" });
    expect([late.statusCode, late.json()]).toEqual([409, { error: "changed-meanwhile" }]);
  });

  test("a class that is removed takes its learners' work and sessions along", async () => {
    await learner.put("/runs/pod-phases", part());
    await learner.put("/presence", here);
    expect((await teacher.ask("DELETE", `/classes/${classId}`)).statusCode).toBe(204);
    expect((await learner.put("/presence", here)).json()).toEqual({ error: "not-signed-in" });
    for (const table of ["learners", "runs", "run_pieces", "presences", "efforts"] as const)
      expect(await classroom.services.database.selectFrom(table).selectAll().execute(), table).toEqual([]);
    expect((await teacher.get(`/classes/${classId}/board`)).json()).toEqual({ error: "not-found" });
  });

  /** What a stream tells, until it has told what is waited for. */
  async function heard<T>(browser: Browser, path: string, act: () => void, isEnd: (told: readonly T[]) => boolean): Promise<T[]> {
    await classroom.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = classroom.app.server.address() as AddressInfo;
    const cookie = Object.entries(browser.cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
    const told: T[] = [];
    await new Promise<void>((resolve, reject) => {
      const asked = request({ port, path: `/api${path}`, headers: { cookie } }, (reply) => {
        let text = "";
        reply.on("data", (piece: Buffer) => {
          text += piece.toString();
          const events = text.split("\n\n");
          text = events.pop() ?? "";
          for (const event of events) told.push(JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "null") as T);
          if (told.length === 1) act();
          if (isEnd(told)) {
            asked.destroy();
            resolve();
          }
        });
      });
      asked.on("error", reject).end();
    });
    return told;
  }

  test("an open board is told of what happens", async () => {
    const boards = await heard<Board>(
      teacher,
      `/classes/${classId}/board/events`,
      () => void learner.put("/presence", here),
      (told) => told.at(-1)?.rows[0]?.presence !== null,
    );
    expect(boards.map(({ rows }) => rows[0]?.state)).toEqual(["new", "working"]);
  });

  test("other pages of a teacher are told what happened, and to whom; the first word is only that they are heard", async () => {
    const { id } = (await learner.get("/me")).json();
    const act = async (): Promise<void> => {
      await learner.put("/presence", here);
      await learner.put("/presence", here);
      await teacher.post(`/classes/${classId}/messages`, { to: null, text: "Pause !" });
    };
    const told = await heard<readonly ClassHappening[]>(
      teacher,
      `/classes/${classId}/events`,
      () => void act(),
      (all) => all.flat().some(({ kind }) => kind === "message"),
    );
    expect(told[0]).toEqual([]);
    expect(new Set(told.flat().map(({ kind, learner: whose }) => `${kind} ${whose}`))).toEqual(
      new Set([`presence ${id}`, "message null"]),
    );
  });
});

describe("an exam", () => {
  let teacher: Browser;
  let learner: Browser;
  let classId: string;
  let examId: string;
  const exam = {
    title: "Examen de décembre",
    labs: ["pod-phases", "labels"],
    opensAt: startMs + 10 * minuteMs,
    closesAt: startMs + 100 * minuteMs,
    minutes: 60,
  };
  beforeEach(async () => {
    teacher = await classroom.teacher();
    const made = await classroom.class(teacher);
    classId = made.id;
    learner = await classroom.learner(made);
    examId = (await teacher.post(`/classes/${classId}/exams`, exam)).json().id;
  });
  const begin = async () => (await learner.post(`/exams/${examId}/sitting`)).json();
  const run = (over: object) => learner.put(`/exams/${examId}/runs/pod-phases`, part(over));

  test("opens at its time, ends for each so long after the beginning, and begins once", async () => {
    expect((await learner.get("/exams")).json()).toEqual([{ id: examId, ...exam, at: startMs, sitting: null, results: [] }]);
    expect(await begin()).toEqual({ error: "not-open" });
    classroom.nowMs = exam.opensAt;
    const { sitting } = await begin();
    expect(sitting).toMatchObject({ begunAt: exam.opensAt, endsAt: exam.opensAt + 60 * minuteMs });
    classroom.nowMs += 5 * minuteMs;
    expect((await begin()).sitting).toEqual(sitting);
    const late = await classroom.learner((await teacher.get(`/classes/${classId}`)).json(), "Tom");
    classroom.nowMs = exam.closesAt - 10 * minuteMs;
    expect((await late.post(`/exams/${examId}/sitting`)).json().sitting.endsAt).toBe(exam.closesAt);
    classroom.nowMs = exam.closesAt;
    const later = await classroom.learner((await teacher.get(`/classes/${classId}`)).json(), "Zoé");
    expect((await later.post(`/exams/${examId}/sitting`)).json()).toEqual({ error: "over" });
  });

  test("takes runs from its own seed, without help, until its end; what was reached stands apart from lessons", async () => {
    expect((await run({})).json()).toEqual({ error: "not-found" });
    classroom.nowMs = exam.opensAt;
    const { seeds } = (await begin()).sitting;
    expect(Object.keys(seeds)).toEqual(exam.labs);
    const seed = seeds["pod-phases"];
    expect((await run({ seed: (seed + 1) % 2 ** 32 })).json().error).toBe("forbidden");
    expect((await run({ seed, hints: { one: 1 } })).json().error).toBe("forbidden");
    expect((await run({ seed, solutions: ["one"] })).json().error).toBe("forbidden");
    classroom.replay = () =>
      Promise.resolve({ ok: true, steps: [{ id: "one", points: 7, openedMs: startMs, passedMs: startMs + 5 }] });
    classroom.nowMs = exam.opensAt + 60 * minuteMs + 29_999;
    expect((await run({ seed, claims: ["one"] })).json()).toEqual({ held: 1 });
    classroom.nowMs += 1;
    expect((await run({ seed, from: 1, entries: [] })).json()).toEqual({ error: "over" });
    await classroom.services.results.settled();
    expect((await learner.get("/results")).json()).toEqual([]);
    const reached = [{ lab: "pod-phases", points: 7, steps: [{ id: "one" }], refusal: null }];
    expect((await learner.get("/exams")).json()).toMatchObject([{ id: examId, results: reached }]);
    const runs = [{ lab: "pod-phases", savedAt: exam.opensAt + 60 * minuteMs + 29_999 }];
    expect((await teacher.get(`/classes/${classId}/exams/${examId}/results`)).json()).toMatchObject({
      exam: { id: examId, title: exam.title },
      rows: [{ name: "Léa", begunAt: exam.opensAt, results: reached, runs }],
      at: classroom.nowMs,
    });
    expect((await teacher.ask("DELETE", `/classes/${classId}/exams/${examId}`)).statusCode).toBe(204);
    expect(await classroom.services.database.selectFrom("results").selectAll().execute()).toEqual([]);
    expect(await classroom.services.database.selectFrom("runs").selectAll().execute()).toEqual([]);
  });

  test("gives a run back to its learner in another browser, and to the teacher, who is written down", async () => {
    classroom.nowMs = exam.opensAt;
    const seed = (await begin()).sitting.seeds["pod-phases"];
    expect((await learner.get(`/exams/${examId}/runs/pod-phases`)).json()).toEqual({ error: "not-found" });
    await run({ seed });
    await learner.put("/runs/pod-phases", part());
    const { code } = (await teacher.get(`/classes/${classId}`)).json();
    const home = classroom.browser();
    await home.post("/join", { code, name: "Léa", word: "jonquille", locale: "fr" });
    const other = await classroom.learner((await teacher.get(`/classes/${classId}`)).json(), "Tom");
    expect((await home.get(`/exams/${examId}/runs/pod-phases`)).json().run).toMatchObject({ seed, entries: part().entries });
    expect((await other.get(`/exams/${examId}/runs/pod-phases`)).json()).toEqual({ error: "not-found" });
    expect((await home.get("/runs/pod-phases")).json().run.seed).toBe(part().seed);
    const { id } = (await learner.get("/me")).json();
    const path = `/exams/${examId}/learners/${id}/runs/pod-phases`;
    expect((await teacher.get(`/classes/${classId}${path}`)).json().run).toMatchObject({ seed });
    const foreign = await classroom.class(teacher, "Première");
    expect((await teacher.get(`/classes/${foreign.id}${path}`)).json()).toEqual({ error: "not-found" });
    const acts = classroom.services.database.selectFrom("audit").select("about").where("what", "=", "run-opened");
    expect(await acts.execute()).toEqual([{ about: `${id} pod-phases ${examId}` }]);
  });

  test("says why a run of it was not taken", async () => {
    classroom.nowMs = exam.opensAt;
    const seed = (await begin()).sitting.seeds["pod-phases"];
    classroom.replay = () => Promise.resolve({ ok: false, reason: "outdated" });
    await run({ seed, claims: ["one"] });
    await classroom.services.results.settled();
    const refused = [{ lab: "pod-phases", steps: [], points: 0, refusal: "outdated" }];
    expect((await learner.get("/exams")).json()).toMatchObject([{ results: refused }]);
    expect((await teacher.get(`/classes/${classId}/exams/${examId}/results`)).json().rows).toMatchObject([{ results: refused }]);
    expect((await learner.get("/results")).json()).toEqual([]);
  });

  test("goes to a spreadsheet with a line for each learner, where a name is no formula", async () => {
    const { code } = (await teacher.get(`/classes/${classId}`)).json();
    await classroom.browser().post("/join", { code, name: "=1+1", word: "jonquille", locale: "fr" });
    classroom.nowMs = exam.opensAt;
    const seed = (await begin()).sitting.seeds["pod-phases"];
    classroom.replay = () => Promise.resolve({ ok: true, steps: [{ id: "one", points: 7, openedMs: 0, passedMs: 5 }] });
    await run({ seed, claims: ["one"] });
    await classroom.services.results.settled();
    const reply = await teacher.get(`/classes/${classId}/exams/${examId}/results.csv`);
    expect(reply.headers["content-disposition"]).toBe('attachment; filename="exam.csv"');
    expect(reply.body.split("\r\n")).toEqual([
      "\uFEFFlearner,begun_at,ends_at,pod-phases steps,pod-phases points,labels steps,labels points,points",
      "'=1+1,,,0,0,0,0,0",
      "Léa,2026-09-01T08:10:00.000Z,2026-09-01T09:10:00.000Z,1,7,0,0,7",
      "",
    ]);
  });

  test("is told of in the class: made, begun, worked in, reached, removed", async () => {
    const told: string[] = [];
    const { id } = (await learner.get("/me")).json();
    const end = classroom.services.bus.listen(classId, ({ kind, learner: whose }) => void told.push(`${kind} ${whose === id}`));
    classroom.nowMs = exam.opensAt;
    const seed = (await begin()).sitting.seeds["pod-phases"];
    await run({ seed });
    await run({ seed, from: 1, entries: [], claims: ["one"] });
    await classroom.services.results.settled();
    await teacher.ask("DELETE", `/classes/${classId}/exams/${examId}`);
    end();
    expect(told).toEqual(["exam true", "exam true", "exam true", "exam false"]);
  });

  test("one that closes before it opens is refused", async () => {
    const reply = await teacher.post(`/classes/${classId}/exams`, { ...exam, closesAt: exam.opensAt });
    expect(reply.json()).toEqual({ error: "bad-request", detail: "body/closesAt must be after opensAt" });
  });
});

describe("the site", () => {
  test("pages come with a policy that knows their own scripts and no others", async () => {
    const reply = await classroom.app.inject("/fr/");
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["content-security-policy"]).toBe(
      "default-src 'self';script-src 'self' 'sha256-yGs5oFnJ5IxDB2PvPH61iIAr6UglxNIzpZXFN2GcCIY=';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    );
    expect(reply.headers["x-content-type-options"]).toBe("nosniff");
  });

  test("a session's cookie is not for scripts nor for other sites", async () => {
    const reply = await classroom.browser().post("/join", {
      code: (await classroom.class(await classroom.teacher())).code,
      name: "Léa",
      word: "jonquille",
      locale: "fr",
    });
    expect(reply.headers["set-cookie"]).toMatch(
      /^pilothouse=[A-Za-z0-9_-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test("it says that it lives, and that its database does", async () => {
    expect((await classroom.browser().get("/live")).json()).toEqual({ ok: true });
    expect((await classroom.browser().get("/ready")).json()).toEqual({ ok: true });
    expect((await classroom.app.inject("/api/nothing")).json()).toEqual({ error: "not-found" });
  });
});
