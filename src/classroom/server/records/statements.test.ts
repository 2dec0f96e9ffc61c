// A class's records as statements of xAPI.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Class } from "../../wire.ts";
import { type Browser, part, startMs, TestClassroom } from "../app.test-kit.ts";
import { breaches } from "./statement-rules.test-kit.ts";
import type { Statement } from "./statements.ts";
import { uuidOf } from "./uuid.ts";

let classroom: TestClassroom;
let teacher: Browser;
let made: Class;
beforeEach(async () => {
  classroom = new TestClassroom();
  await classroom.start({ origin: "https://k.example" });
  teacher = await classroom.teacher();
  made = await classroom.class(teacher);
});
afterEach(() => classroom.stop());

const minuteMs = 60_000;
const root = "https://k.example/";
const lesson = { steps: [], questions: [], done: false, doneDay: null, recalls: [] };
const here = { place: "pods/pod-phases", lab: "pod-phases", step: "one", attempts: 0, hints: 0, active: true };
const exported = async (query = ""): Promise<readonly Statement[]> =>
  (await teacher.get(`/classes/${made.id}/statements.json${query}`)).json();
const idOf = async (learner: Browser): Promise<string> => (await learner.get("/me")).json().id;
/** What replays of any run come to. */
const reached = (...steps: readonly string[]): void => {
  classroom.replay = () =>
    Promise.resolve({
      ok: true,
      steps: steps.map((id, place) => ({ id, points: 10 - place, openedMs: startMs, passedMs: startMs + 12_345 })),
    });
};
const handIn = async (learner: Browser, path: string, over: object): Promise<void> => {
  await learner.put(path, part(over));
  await classroom.services.results.settled();
};
const brief = ({ verb, object, result, timestamp }: Statement): string =>
  [
    (Date.parse(timestamp) - startMs) / minuteMs,
    verb.id.split("/").at(-1),
    object.id.slice(root.length),
    JSON.stringify(result ?? {}),
  ].join(" ");

test("what a learner did is told in order, each statement as the standard has it", async () => {
  const learner = await classroom.learner(made);
  await learner.put("/presence", here);
  classroom.nowMs += minuteMs;
  reached("one");
  await handIn(learner, "/runs/pod-phases", { claims: ["one"] });
  classroom.nowMs += minuteMs;
  reached("one", "two");
  await handIn(learner, "/runs/pod-phases", { from: 1, entries: [], claims: ["two"] });
  classroom.nowMs += minuteMs;
  const done = { ...lesson, questions: [0, 2], done: true, doneDay: 20_697 };
  await learner.put("/work", { lessons: { "pod-phases": done }, last: null });
  const statements = await exported();
  expect(statements.flatMap(breaches)).toEqual([]);
  expect(statements.map(brief).sort()).toEqual([
    "0 attempted labs/pod-phases {}",
    '1 passed labs/pod-phases#one {"score":{"scaled":1,"raw":10,"min":0,"max":10},"success":true,"duration":"PT12.35S"}',
    '1 progressed labs/pod-phases {"score":{"scaled":0.5,"raw":10,"min":0,"max":20}}',
    '2 completed labs/pod-phases {"score":{"scaled":0.95,"raw":19,"min":0,"max":20},"completion":true,"duration":"PT24.69S"}',
    '2 passed labs/pod-phases#two {"score":{"scaled":0.9,"raw":9,"min":0,"max":10},"success":true,"duration":"PT12.35S"}',
    '3 answered lessons/pod-phases#question-1 {"success":true}',
    '3 answered lessons/pod-phases#question-3 {"success":true}',
    '3 completed lessons/pod-phases {"completion":true}',
  ]);
  const times = statements.map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort());
});

test("one statement whole", async () => {
  const learner = await classroom.learner(made);
  reached("one");
  await handIn(learner, "/runs/pod-phases", { claims: ["one"] });
  const passed = (await exported("?names=true")).find(({ verb }) => verb.id.endsWith("passed"));
  expect(passed).toEqual({
    id: passed?.id,
    version: "2.0.0",
    actor: { objectType: "Agent", name: "Léa", account: { homePage: root, name: await idOf(learner) } },
    verb: { id: "http://adlnet.gov/expapi/verbs/passed", display: { "en-US": "passed" } },
    object: {
      objectType: "Activity",
      id: `${root}labs/pod-phases#one`,
      definition: {
        type: "http://adlnet.gov/expapi/activities/objective",
        name: { fr: "Un (fr)" },
        moreInfo: `${root}fr/pods/pod-phases/`,
      },
    },
    result: { score: { scaled: 1, raw: 10, min: 0, max: 10 }, success: true, duration: "PT12.35S" },
    context: {
      platform: "Pilothouse",
      language: "fr",
      contextActivities: {
        parent: [
          {
            objectType: "Activity",
            id: `${root}labs/pod-phases`,
            definition: {
              type: "http://adlnet.gov/expapi/activities/simulation",
              name: { fr: "pod-phases, TP (fr)" },
              moreInfo: `${root}fr/pods/pod-phases/`,
            },
          },
        ],
        grouping: [
          {
            objectType: "Activity",
            id: `${root}classes/${made.id}`,
            definition: { type: "http://id.tincanapi.com/activitytype/school-class", name: { fr: "Terminale" } },
          },
        ],
      },
    },
    timestamp: new Date(startMs).toISOString(),
  });
});

test("an exam is one registration, and is completed when nothing can come any more", async () => {
  const learner = await classroom.learner(made);
  const exam = { title: "Examen", labs: ["pod-phases"], opensAt: startMs, closesAt: startMs + 90 * minuteMs, minutes: 60 };
  const { id } = (await teacher.post(`/classes/${made.id}/exams`, exam)).json();
  const { seeds } = (await learner.post(`/exams/${id}/sitting`)).json().sitting;
  classroom.nowMs += 5 * minuteMs;
  reached("one");
  await handIn(learner, `/exams/${id}/runs/pod-phases`, { seed: seeds["pod-phases"], claims: ["one"] });
  const during = await exported();
  expect(during.map((statement) => brief(statement).split(" {")[0]).sort()).toEqual([
    `0 attempted exams/${id}`,
    "5 passed labs/pod-phases#one",
    "5 progressed labs/pod-phases",
  ]);
  classroom.nowMs = startMs + 70 * minuteMs;
  const after = await exported();
  expect(after.flatMap(breaches)).toEqual([]);
  expect(after.map(brief).at(-1)).toBe(
    `60 completed exams/${id} {"score":{"scaled":0.5,"raw":10,"min":0,"max":20},"completion":true,"duration":"PT3600S"}`,
  );
  expect(new Set(after.map(({ context }) => context.registration)).size).toBe(1);
  expect(after.slice(0, 3)).toEqual(during);
});

describe("ids", () => {
  test("are the same in a second export, with names or without, and of another learner others", async () => {
    const [lea, tom] = [await classroom.learner(made), await classroom.learner(made, "Tom")];
    reached("one", "two");
    for (const learner of [lea, tom]) await handIn(learner, "/runs/pod-phases", { claims: ["one"] });
    const first = await exported();
    classroom.nowMs += 180 * minuteMs;
    // What is said again later was said before.
    await lea.put("/work", { lessons: { labels: lesson }, last: null });
    const ids = (statements: readonly Statement[]) => statements.map(({ id }) => id).sort();
    expect(ids(await exported("?names=true"))).toEqual(ids(first));
    expect(first).toHaveLength(6);
    expect(new Set(ids(first)).size).toBe(6);
    expect(JSON.stringify(first)).not.toMatch(/Léa|Tom/);
  });

  test("are those of RFC 9562", () => {
    // As Python's `uuid.uuid5(uuid.NAMESPACE_URL, …)` has it.
    expect(uuidOf("https://www.example.com/")).toBe("3d3ed9d2-aa3d-5fa6-90e8-ed662e90f559");
  });
});

test("more learners than are read at once are all there", async () => {
  const { database } = classroom.services;
  const ids = Array.from({ length: 120 }, (_, number) => `l${String(number).padStart(3, "0")}`);
  for (const id of ids) {
    const row = { id, class_id: made.id, name: id, name_key: id, word: "w", joined_at: 1, seen_at: 1 };
    await database.insertInto("learners").values(row).execute();
    await database.insertInto("milestones").values({ learner_id: id, lesson: "labels", what: "done", at: startMs }).execute();
  }
  expect((await exported()).map(({ actor }) => actor.account.name)).toEqual(ids);
});

test("a class in which nothing happened has no statements; what is asked for otherwise is refused", async () => {
  expect(await exported()).toEqual([]);
  const reply = await teacher.get(`/classes/${made.id}/statements.json?name=true`);
  expect([reply.statusCode, reply.json().error]).toEqual([400, "bad-request"]);
  expect((await teacher.get("/classes/none/statements.json")).statusCode).toBe(404);
});
