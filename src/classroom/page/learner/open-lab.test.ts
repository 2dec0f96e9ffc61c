import { type Signal, signal } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SavedLab } from "#lab/protocol.ts";
import type { LabSession, Offer, SessionState, StepView } from "#lab/session.ts";
import type { RunPart } from "../../wire.ts";
import { ClassroomApi } from "./api.ts";
import { TestBrowser, TestRun } from "./classroom.test-kit.ts";
import { OpenLab } from "./open-lab.ts";
import { RunOutbox } from "./run-outbox.ts";

let browser: TestBrowser;
let server: TestRun;
/** What the server has of another browser. */
let other: { readonly run: Omit<SavedLab, "world"> & { readonly world: string | null } } | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  browser = new TestBrowser();
  server = new TestRun();
  other = undefined;
  browser.answer = (asked) => {
    if (asked.method === "PUT") return server.answer(asked);
    return other === undefined ? { status: 404, body: { error: "not-found" } } : { status: 200, body: other };
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const key = (text: string, timeMs: number) => ({ timeMs, input: { kind: "terminal-input", terminal: "main", text } as const });
const opened = { timeMs: 1000, input: { kind: "terminal-open", terminal: "main", columns: 80, rows: 24 } as const };
const elsewhere = {
  run: { format: 1, seed: 9, startMs: 500, nowMs: 9000, world: null, entries: [key("ls\r", 600)], hints: {}, solutions: [] },
};

/** A lab's session as far as it is looked at. */
class TestSession {
  readonly state: Signal<SessionState> = signal({ kind: "starting", phase: "booting" });
  readonly steps: Signal<readonly StepView[]> = signal([]);
  readonly keeping = signal("kept");
  readonly offer: Signal<Offer | undefined> = signal(undefined);
  readonly labId = "pods";
  run: SavedLab = { format: 1, seed: 7, startMs: 1000, nowMs: 2000, entries: [opened], hints: {}, solutions: [] };
  readonly journal = {
    offer: this.offer,
    current: () => this.run,
    offerRun: () => {
      this.offer.value = { kind: "run", from: "class" };
    },
    answerOffer: (_take: boolean) => {
      this.offer.value = undefined;
    },
  };

  ready(): void {
    this.state.value = { kind: "ready", resumed: false, lost: undefined };
  }

  type(text: string): void {
    this.run = { ...this.run, entries: [...this.run.entries, key(text, 3000 + this.run.entries.length)] };
  }

  pass(...ids: readonly string[]): void {
    this.steps.value = ids.map((id) => ({ id, status: "passed" }) as StepView);
  }
}

const lessons = { kept: "runs", path: "runs/" };

function open(session = new TestSession(), place = lessons, isSettled = false): TestSession {
  const api = new ClassroomApi("/api/");
  new OpenLab(session as unknown as LabSession, api, new RunOutbox(api, "lea", place), () => {}, isSettled);
  return session;
}

const sent = () =>
  browser.take("PUT").map(({ body }) => {
    const { from, entries, claims } = body as RunPart;
    return [from, entries.length, claims];
  });

describe("an open lab's run", () => {
  test("goes to the server every five seconds, and at once when a step passes", async () => {
    const session = open();
    session.ready();
    await vi.advanceTimersByTimeAsync(20_000);
    // A terminal that opened by itself is nothing done.
    expect(sent()).toEqual([]);
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent()).toEqual([[0, 2, []]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toEqual([]);
    session.type("kubectl get pods\r");
    session.pass("one");
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()).toEqual([[2, 1, ["one"]]]);
  });

  test("waits where the server has one of another browser, until the learner has chosen", async () => {
    other = elsewhere;
    const session = open();
    session.ready();
    await vi.advanceTimersByTimeAsync(0);
    expect(session.offer.value).toEqual({ kind: "run", from: "class" });
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toEqual([]);
    session.journal.answerOffer(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent()).toEqual([[0, 2, []]]);
    expect(server.seed).toBe(7);
  });

  test("takes the other one's place when a step passes in it", async () => {
    other = elsewhere;
    const session = open();
    session.ready();
    await vi.advanceTimersByTimeAsync(0);
    session.type("ls\r");
    session.pass("one");
    await vi.advanceTimersByTimeAsync(0);
    expect(session.offer.value).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent()).toEqual([[0, 2, ["one"]]]);
  });

  test("that the server does not have yet is sent without a question", async () => {
    other = elsewhere;
    const session = new TestSession();
    session.type("ls\r");
    open(session).ready();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value, sent()]).toEqual([undefined, [[0, 2, []]]]);
  });

  test("that another tab keeps is sent by that one", async () => {
    const session = open();
    session.keeping.value = "elsewhere";
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toEqual([]);
  });

  test("is not sent before it is known whether there is another one", async () => {
    other = elsewhere;
    browser.isOnline = false;
    const session = open();
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(30_000);
    browser.isOnline = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([session.offer.value?.kind, sent()]).toEqual(["run", []]);
  });

  test("of a simulator that cannot replay it is not offered", async () => {
    other = { run: { ...elsewhere.run, format: 0 } };
    const session = open();
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value, sent()]).toEqual([undefined, [[0, 2, []]]]);
  });

  test("of an exam goes to the exam, without a question about another one", async () => {
    other = elsewhere;
    const session = open(new TestSession(), { kept: "exam.e1", path: "exams/e1/runs/" }, true);
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.offer.value).toBeUndefined();
    expect(browser.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["PUT exams/e1/runs/pods"]);
    // The run of the lesson's lab is another one.
    expect(new RunOutbox(new ClassroomApi("/api/"), "lea").has("pods", session.run, [])).toBe(false);
  });
});
