// Points that go back to a platform's gradebook: each once, in order, whatever the platform does.

import type { JSONWebKeySet } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LtiState } from "../../wire.ts";
import { type Browser, part, startMs, TestClassroom } from "../app.test-kit.ts";
import { type Received, TestPlatform, visit } from "./platform.test-kit.ts";
import { ScoreSender, scoresAddress, waitAfter } from "./score-sender.ts";

let classroom: TestClassroom;
let platform: TestPlatform;
let teacher: Browser;
let learner: Browser;
let classId: string;
const minuteMs = 60_000;
const toolKeys = async (): Promise<JSONWebKeySet> => (await classroom.app.inject("/.well-known/jwks.json")).json();
const come = async (subject: string, role: string, lineItem: string | undefined, lab = "pod-phases"): Promise<Browser> => {
  const item = lineItem === undefined ? {} : { lineItem };
  return (await visit(classroom, platform, { subject, name: subject, role, lab, ...item })).browser;
};
beforeEach(async () => {
  classroom = new TestClassroom();
  platform = new TestPlatform(() => classroom.nowMs);
  platform.toolKeys = toolKeys;
  await platform.start();
  await classroom.start({ origin: "https://k.example", secure: true, platforms: [platform.settings] });
  teacher = await come("ada", "Instructor", undefined);
  classId = (await teacher.get("/classes")).json()[0].id;
  learner = await come("lea", "Learner", "col");
});
afterEach(async () => {
  await classroom.stop();
  await platform.stop();
});

const reach = async (who: Browser, ...points: readonly number[]): Promise<void> => {
  classroom.replay = () =>
    Promise.resolve({
      ok: true,
      steps: points.map((given, place) => ({ id: ["one", "two"][place] ?? "", points: given, openedMs: 0, passedMs: 1 })),
    });
  await who.put("/runs/pod-phases", part({ claims: [points.length === 1 ? "one" : "two"] }));
  await classroom.services.results.settled();
};
const tick = () => classroom.services.scores.tick();
const cell = (key = "col lea"): readonly Received[] => platform.gradebook.get(key) ?? [];
const given = (key?: string): readonly number[] => cell(key).map(({ scoreGiven }) => scoreGiven);
const state = async (): Promise<LtiState> => (await teacher.get(`/classes/${classId}/lti`)).json();

test("points that hold come into the learner's cell of the link's column", async () => {
  await tick();
  expect(platform.posts).toBe(0);
  await reach(learner, 9);
  classroom.nowMs += minuteMs;
  await tick();
  expect(cell()).toEqual([
    {
      timestamp: new Date(startMs + minuteMs).toISOString(),
      scoreGiven: 9,
      scoreMaximum: 20,
      activityProgress: "InProgress",
      gradingProgress: "FullyGraded",
      userId: "lea",
    },
  ]);
  classroom.nowMs += minuteMs;
  await reach(learner, 9, 10);
  await tick();
  // Nothing new, nothing sent.
  for (const _time of [1, 2]) await tick();
  expect(given()).toEqual([9, 19]);
  expect([platform.posts, platform.tokens]).toEqual([2, 1]);
  expect(await state()).toEqual({
    isOffered: true,
    courses: [{ platform: "Moodle", title: "Cours c1" }],
    sent: 1,
    waiting: 0,
    troubles: [],
  });
});

test("a learner's copy of their data says whether the platform has the newest score", async () => {
  const told = async () => {
    const rows: readonly { readonly given: number; readonly sent: boolean }[] = (await learner.get("/own")).json().lti_scores;
    return rows.map(({ given: points, sent }) => [points, sent]);
  };
  await reach(learner, 9);
  await tick();
  expect(await told()).toEqual([[9, true]]);
  platform.isDown = true;
  classroom.nowMs += minuteMs;
  await reach(learner, 9, 10);
  await tick();
  expect(await told()).toEqual([[19, false]]);
});

test("all points of a lab are its end", async () => {
  await reach(learner, 10, 10);
  await tick();
  expect(cell()).toMatchObject([{ scoreGiven: 20, activityProgress: "Completed" }]);
});

test("points from before a column came are in it; a column of the class counts all labs, one of another lab none of this", async () => {
  await reach(learner, 9);
  await come("lea", "Learner", "whole", "");
  await come("ada", "Instructor", "other", "labels");
  await tick();
  expect(cell("whole lea")).toMatchObject([{ scoreGiven: 9, scoreMaximum: 40 }]);
  expect([...platform.gradebook.keys()].sort()).toEqual(["col lea", "whole lea"]);
});

test("an exam's column has the exam's points", async () => {
  const exam = { title: "Examen", labs: ["pod-phases"], opensAt: startMs, closesAt: startMs + 90 * minuteMs, minutes: 60 };
  const { id } = (await teacher.post(`/classes/${classId}/exams`, exam)).json();
  const claims = { "https://purl.imsglobal.org/spec/lti/claim/custom": { pilothouse: `exam ${id}` } };
  const { browser } = await visit(classroom, platform, { subject: "lea", lineItem: "exam", claims });
  const { seeds } = (await browser.post(`/exams/${id}/sitting`)).json().sitting;
  classroom.replay = () => Promise.resolve({ ok: true, steps: [{ id: "one", points: 10, openedMs: 0, passedMs: 1 }] });
  await browser.put(`/exams/${id}/runs/pod-phases`, part({ seed: seeds["pod-phases"], claims: ["one"] }));
  await classroom.services.results.settled();
  await tick();
  expect([...platform.gradebook].map(([key, [score]]) => [key, score?.scoreGiven, score?.scoreMaximum])).toEqual([
    ["exam lea", 10, 20],
  ]);
});

test("learners who joined with the code are nobody to the platform", async () => {
  const made = (await teacher.get(`/classes/${classId}`)).json();
  await reach(await classroom.learner(made, "Tom"), 9);
  await tick();
  expect(platform.posts).toBe(0);
});

describe("a platform", () => {
  test("that is away gets the newest score when it is back, with ever longer waits between", async () => {
    platform.isDown = true;
    await reach(learner, 9);
    await tick();
    expect(await state()).toMatchObject({
      sent: 0,
      waiting: 1,
      troubles: [{ name: "lea", target: "lab pod-phases", isGivenUp: false, trouble: "no token: no answer" }],
    });
    platform.isDown = false;
    classroom.nowMs += 29_999;
    await tick();
    expect(given()).toEqual([]);
    await reach(learner, 9, 10);
    classroom.nowMs += 1;
    await tick();
    expect(given()).toEqual([19]);
    expect(await state()).toMatchObject({ sent: 1, waiting: 0, troubles: [] });
    expect([1, 2, 3, 12, 40].map(waitAfter)).toEqual([30_000, 60_000, 120_000, 6 * 3_600_000, 6 * 3_600_000]);
  });

  test.each([500, 503, 429, 401])("that answers %s is asked again", async (status) => {
    platform.statuses.push(status);
    await reach(learner, 9);
    await tick();
    expect(given()).toEqual([]);
    classroom.nowMs += 30_000;
    await tick();
    expect(given()).toEqual([9]);
    // Its token was good no more.
    expect(platform.tokens).toBe(status === 401 ? 2 : 1);
  });

  test("whose answer got lost has the score once, and a later one after it", async () => {
    platform.losesAnswer = true;
    await reach(learner, 9);
    await tick();
    platform.losesAnswer = false;
    classroom.nowMs += 30_000;
    await tick();
    expect(given()).toEqual([9]);
    expect(platform.posts).toBe(2);
    expect(await state()).toMatchObject({ sent: 1, waiting: 0, troubles: [] });
    await reach(learner, 9, 10);
    await tick();
    expect(given()).toEqual([9, 19]);
  });

  test("that has no such column any more is not asked again, until the teacher says so or points come", async () => {
    platform.statuses.push(404);
    await reach(learner, 9);
    await tick();
    classroom.nowMs += 10 * 3_600_000;
    await tick();
    expect(platform.posts).toBe(1);
    teacher = await come("ada", "Instructor", undefined);
    expect((await state()).troubles).toEqual([{ name: "lea", target: "lab pod-phases", isGivenUp: true, trouble: "HTTP 404" }]);
    expect((await teacher.post(`/classes/${classId}/lti/retry`)).statusCode).toBe(204);
    await tick();
    expect(given()).toEqual([9]);
  });

  test("that does not know our key is asked again, with the new key once the old one is retired", async () => {
    platform.toolKeys = () => Promise.resolve({ keys: [] });
    await reach(learner, 9);
    await tick();
    expect((await state()).troubles).toMatchObject([{ isGivenUp: false, trouble: "no token: HTTP 401" }]);
    const before = (await toolKeys()).keys.length;
    expect(await classroom.services.keys.renew()).toBe(before);
    platform.toolKeys = toolKeys;
    classroom.nowMs += 30_000;
    await tick();
    expect(given()).toEqual([9]);
    expect((await toolKeys()).keys).toHaveLength(2 * before);
  });
});

test("two servers that look at the same moment send a score once", async () => {
  const { database, course, keys, platforms } = classroom.services;
  const other = new ScoreSender({ database, course, keys, platforms, now: () => classroom.nowMs });
  await reach(learner, 9);
  await Promise.all([tick(), other.tick()]);
  expect(platform.posts).toBe(1);
});

test("what a column's address has behind `?` stays behind it", () => {
  expect(scoresAddress("https://m.example/1/lineitems/2/lineitem?type_id=3")).toBe(
    "https://m.example/1/lineitems/2/lineitem/scores?type_id=3",
  );
  expect(scoresAddress("https://m.example/2/")).toBe("https://m.example/2/scores");
});

test("no key of ours that signs is ever given away", async () => {
  const { keys } = await toolKeys();
  expect(keys.map(({ alg, use }) => `${alg} ${use}`).sort()).toEqual(["ES256 sig", "RS256 sig"]);
  for (const key of keys) expect(Object.keys(key).filter((name) => ["d", "p", "q", "dp", "dq", "qi"].includes(name))).toEqual([]);
  const [first] = keys;
  expect((await classroom.app.inject(`/api/keys/${first?.kid}`)).json()).toEqual(first);
});
