import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { changeLesson, lessonProgress, markDone, readProgress, rememberLast } from "../../../course/progress.ts";
import type { LessonWork, Work } from "../../wire.ts";
import { ClassroomApi } from "./api.ts";
import { TestBrowser, TestWork } from "./classroom.test-kit.ts";
import { Sender } from "./sender.ts";
import { WorkSync } from "./work-sync.ts";

let browser: TestBrowser;
let server: TestWork;
beforeEach(() => {
  vi.useFakeTimers();
  browser = new TestBrowser();
  server = new TestWork();
  browser.answer = server.answer;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const lesson: LessonWork = { steps: [], questions: [], done: false, doneDay: null, recalls: [] };
const freely = <T>(act: () => Promise<T>): Promise<T> => act();

/** As a page has it: told of each change, beginning with a look at the server. */
function page(lock: <T>(act: () => Promise<T>) => Promise<T> = freely): { sync: WorkSync; sender: Sender } {
  const sync = new WorkSync(new ClassroomApi("/api/"), "lea", lock);
  const sender = new Sender({ gatherMs: 2000, send: () => sync.send() });
  browser.onProgress(() => sender.soon());
  sender.now();
  return { sync, sender };
}

const pass = (slug: string, step: string): void => changeLesson(slug, (before) => ({ ...before, steps: [...before.steps, step] }));
const sentLessons = (): readonly (readonly string[])[] =>
  browser.take("PUT").map(({ body }) => Object.keys((body as Work).lessons));

describe("a learner's progress", () => {
  test("goes to the server, gathered for two seconds, and only what changed", async () => {
    const { sync } = page();
    await vi.advanceTimersByTimeAsync(0);
    pass("pods", "one");
    pass("pods", "two");
    pass("jobs", "one");
    expect(sync.waiting).toBe(2);
    await vi.advanceTimersByTimeAsync(1999);
    expect(browser.take("PUT")).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sentLessons()).toEqual([["pods", "jobs"]]);
    expect(sync.waiting).toBe(0);
    pass("jobs", "two");
    await vi.advanceTimersByTimeAsync(2000);
    expect(sentLessons()).toEqual([["jobs"]]);
    expect(server.lessons["jobs"]?.steps).toEqual(["one", "two"]);
  });

  test("of a browser that had some before its reader joined comes together with what the server has", async () => {
    pass("pods", "one");
    markDone("pods", true, 20_601);
    server.lessons = {
      pods: { ...lesson, steps: ["two"], done: true, doneDay: 20_600, recalls: [{ question: 1, box: 2, day: 20_605 }] },
      jobs: { ...lesson, done: true, doneDay: 20_602 },
    };
    page();
    await vi.advanceTimersByTimeAsync(2000);
    expect(lessonProgress("pods")).toEqual({
      steps: ["one", "two"],
      questions: [],
      done: true,
      doneDay: 20_600,
      recalls: { 1: { box: 2, day: 20_605 } },
    });
    expect(lessonProgress("jobs").done).toBe(true);
    expect(server.lessons["pods"]?.steps.toSorted()).toEqual(["one", "two"]);
  });

  test("waits without a connection, two seconds to a minute, and goes at once when it is back", async () => {
    const { sync, sender } = page();
    await vi.advanceTimersByTimeAsync(0);
    browser.isOnline = false;
    pass("pods", "one");
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sync.waiting).toBe(1);
    browser.isOnline = true;
    browser.take("PUT");
    await vi.advanceTimersByTimeAsync(0);
    expect(browser.take("PUT")).toEqual([]);
    sender.again();
    await vi.advanceTimersByTimeAsync(0);
    expect(sentLessons()).toEqual([["pods"]]);
    browser.isOnline = false;
    pass("pods", "two");
    // Tried after 2, then 4 seconds more, 8 …
    await vi.advanceTimersByTimeAsync(2000 + 2000 + 4000);
    browser.isOnline = true;
    await vi.advanceTimersByTimeAsync(7999);
    expect(browser.take("PUT")).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sentLessons()).toEqual([["pods"]]);
  });

  test("what a page could not send goes from the next one", async () => {
    const { sender } = page();
    await vi.advanceTimersByTimeAsync(0);
    browser.isOnline = false;
    pass("pods", "one");
    await vi.advanceTimersByTimeAsync(2000);
    sender.end();
    browser.isOnline = true;
    page();
    await vi.advanceTimersByTimeAsync(0);
    expect(sentLessons()).toEqual([["pods"]]);
  });

  test("two pages of one browser send a change once", async () => {
    let turn: Promise<unknown> = Promise.resolve();
    const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
      const acted = turn.then(act);
      turn = acted;
      return acted;
    };
    page(inTurn);
    page(inTurn);
    await vi.advanceTimersByTimeAsync(0);
    pass("pods", "one");
    await vi.advanceTimersByTimeAsync(2000);
    expect(sentLessons()).toEqual([["pods"]]);
  });

  test("a lesson that was finished elsewhere stays finished, one that was taken back here is taken back", async () => {
    pass("pods", "one");
    markDone("jobs", true, 20_600);
    const { sync, sender } = page();
    await vi.advanceTimersByTimeAsync(0);
    // At home the learner finishes the lesson; here a step passes meanwhile.
    server.lessons["pods"] = { ...lesson, steps: ["one", "two"], done: true, doneDay: 20_601 };
    pass("pods", "three");
    markDone("jobs", false, 20_602);
    sync.expire();
    sender.now();
    await vi.advanceTimersByTimeAsync(2000);
    expect(lessonProgress("pods")).toMatchObject({ steps: ["one", "three", "two"], done: true, doneDay: 20_601 });
    expect(server.lessons["pods"]).toMatchObject({ done: true });
    expect(server.lessons["jobs"]).toMatchObject({ done: false, doneDay: null });
    expect(lessonProgress("jobs")).toMatchObject({ done: false, doneDay: undefined });
  });

  test("the place read last is the later one", async () => {
    server.last = "pods/pod-phases";
    const { sync, sender } = page();
    await vi.advanceTimersByTimeAsync(0);
    expect(readProgress().last).toBe("pods/pod-phases");
    rememberLast("jobs/job-create");
    await vi.advanceTimersByTimeAsync(2000);
    expect(server.last).toBe("jobs/job-create");
    server.last = "storage/volumes";
    sync.expire();
    sender.now();
    await vi.advanceTimersByTimeAsync(2000);
    expect([readProgress().last, server.last]).toEqual(["storage/volumes", "storage/volumes"]);
  });

  test("nothing is asked any more once the session has ended", async () => {
    const { sender } = page();
    await vi.advanceTimersByTimeAsync(0);
    browser.answer = () => ({ status: 401, body: { error: "not-signed-in" } });
    pass("pods", "one");
    await vi.advanceTimersByTimeAsync(2000);
    browser.take("PUT");
    pass("pods", "two");
    sender.again();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(browser.asked).toEqual([]);
  });

  test("what no server takes stays here and holds nothing up", async () => {
    changeLesson("pods", (before) => ({ ...before, steps: ["one", "<b>"], questions: [1, -1, 1.5] }));
    changeLesson("Not a lesson", (before) => ({ ...before, done: true }));
    const { sync } = page();
    await vi.advanceTimersByTimeAsync(2000);
    expect(server.lessons).toEqual({ pods: { ...lesson, steps: ["one"], questions: [1] } });
    expect(sync.waiting).toBe(0);
    expect(lessonProgress("pods").steps).toEqual(["one", "<b>"]);
  });
});
