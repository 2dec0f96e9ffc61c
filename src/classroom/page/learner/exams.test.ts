import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OwnExam } from "../../wire.ts";
import { ClassroomApi } from "./api.ts";
import { TestBrowser } from "./classroom.test-kit.ts";
import { confirmedIn, Exams, examState } from "./exams.ts";

const minuteMs = 60_000;
/** The server's clock is an hour ahead. */
const at = 100 * minuteMs;
const hereMs = 40 * minuteMs;
const exam: OwnExam = {
  id: "e1",
  title: "Décembre",
  labs: ["pods", "labels"],
  opensAt: at - minuteMs,
  closesAt: at + 60 * minuteMs,
  minutes: 10,
  at,
  sitting: null,
  results: [],
};
const sitting = { begunAt: at, endsAt: at + 10 * minuteMs, seeds: {} };

let browser: TestBrowser;
let exams: Exams;
beforeEach(() => {
  vi.useFakeTimers({ now: hereMs });
  browser = new TestBrowser();
  vi.stubGlobal("document", new EventTarget());
  exams = new Exams(new ClassroomApi("/api/"), "lea");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the class's exams", () => {
  it("are kept for a page without a connection, with the server's clock", async () => {
    expect([exams.kept, exams.nowMs()]).toEqual([undefined, hereMs]);
    browser.answer = () => ({ status: 200, body: [exam] });
    expect(await exams.ask()).toBe("done");
    expect(exams.nowMs()).toBe(at);
    browser.isOnline = false;
    const later = new Exams(new ClassroomApi("/api/"), "lea");
    expect(await later.ask()).toBe("later");
    vi.setSystemTime(hereMs + minuteMs);
    expect([later.find("e1"), later.nowMs()]).toEqual([exam, at + minuteMs]);
    expect(new Exams(new ClassroomApi("/api/"), "tom").kept).toBeUndefined();
  });

  it("are told to other parts of the page", () => {
    const other = new Exams(new ClassroomApi("/api/"), "lea");
    exams.put({ ...exam, sitting });
    expect([other.nowMs(), other.find("e1")?.sitting]).toEqual([at, sitting]);
  });

  it("take runs as long as the server does", () => {
    exams.put(exam);
    expect(exams.taken).toEqual([]);
    exams.put({ ...exam, sitting });
    vi.setSystemTime(hereMs + 10 * minuteMs + 29_999);
    expect(exams.taken.map(({ id }) => id)).toEqual(["e1"]);
    vi.setSystemTime(hereMs + 10 * minuteMs + 30_000);
    expect(exams.taken).toEqual([]);
  });
});

it.each([
  ["before", null, exam.opensAt - 1],
  ["open", null, exam.opensAt],
  ["open", null, exam.closesAt - 1],
  ["missed", null, exam.closesAt],
  ["running", sitting, sitting.endsAt - 1],
  ["over", sitting, sitting.endsAt],
] as const)("an exam is %s with the sitting %j at %i", (state, own, nowMs) => {
  expect(examState({ ...exam, sitting: own }, nowMs)).toBe(state);
});

it("what the server has confirmed is counted by lab and in all", () => {
  const step = (id: string) => ({ id, passedAt: 0, hints: 0 });
  const results = [
    { lab: "pods", steps: [step("a"), step("b")], points: 20, refusal: null },
    { lab: "labels", steps: [], points: 0, refusal: "outdated" },
  ];
  expect(confirmedIn({ ...exam, results }, "pods")).toEqual({ steps: 2, points: 20 });
  expect(confirmedIn({ ...exam, results }, "labels")).toEqual({ steps: 0, points: 0 });
  expect(confirmedIn({ ...exam, results })).toEqual({ steps: 2, points: 20 });
});
