import { type Signal, signal } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SavedLab } from "#lab/protocol.ts";
import type { LabSession, Offer, SessionState, StepView } from "#lab/session.ts";
import type { RunPart } from "../../wire.ts";
import { ClassroomApi } from "./api.ts";
import { type Asked, TestBrowser, TestRun } from "./classroom.test-kit.ts";
import { OpenLab } from "./open-lab.ts";
import { RunOutbox } from "./run-outbox.ts";

let browser: TestBrowser;
let server: TestRun;
/** How the server answers about the run. */
let answer: TestRun["answer"];
beforeEach(() => {
  vi.useFakeTimers();
  browser = new TestBrowser();
  server = new TestRun();
  answer = server.answer;
  browser.answer = (asked) => answer(asked);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const key = (text: string, timeMs: number) => ({ timeMs, input: { kind: "terminal-input", terminal: "main", text } as const });
const opened = { timeMs: 1000, input: { kind: "terminal-open", terminal: "main", columns: 80, rows: 24 } as const };
/** Another browser has begun the lab. */
const beginElsewhere = (seed = 9): void => server.put("other", seed, [opened, key("ls\r", 1600)]);

/** A lab's session as far as it is looked at. */
class TestSession {
  readonly state: Signal<SessionState> = signal({ kind: "starting", phase: "booting" });
  readonly steps: Signal<readonly StepView[]> = signal([]);
  readonly keeping = signal("kept");
  readonly offer: Signal<Offer | undefined> = signal(undefined);
  readonly labId = "pods";
  run: SavedLab = { format: 1, seed: 7, startMs: 1000, nowMs: 2000, entries: [opened], hints: {}, solutions: [] };
  #offered: SavedLab | undefined;
  readonly journal = {
    offer: this.offer,
    current: () => this.run,
    offerRun: ({ saved }: { readonly saved: SavedLab }) => {
      this.#offered = saved;
      this.offer.value = { kind: "run", from: "class" };
    },
    answerOffer: (take: boolean) => {
      this.offer.value = undefined;
      if (!take || this.#offered === undefined) return;
      this.run = this.#offered;
      this.state.value = { kind: "starting", phase: "booting" };
      setTimeout(() => this.ready(), 100);
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

function openLab(session = new TestSession(), place = lessons, isSettled = false) {
  const outbox = new RunOutbox(new ClassroomApi("/api/"), "lea", place);
  return { session, outbox, page: new OpenLab(session as unknown as LabSession, outbox, () => {}, isSettled) };
}
const open = (...by: Parameters<typeof openLab>): TestSession => openLab(...by).session;

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
    beginElsewhere();
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
    expect([server.seed, server.writer === "other"]).toEqual([7, false]);
  });

  test("of which a step passes meanwhile waits too: that is no answer, and takes nothing from the other browser", async () => {
    beginElsewhere();
    const session = open();
    session.ready();
    await vi.advanceTimersByTimeAsync(0);
    session.type("ls\r");
    session.pass("one");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([session.offer.value?.kind, sent(), server.writer]).toEqual(["run", [], "other"]);
    session.journal.answerOffer(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent()).toEqual([[0, 2, ["one"]]]);
  });

  test("goes on here as the other browser has left it, and is this one's at once, with nothing sent twice", async () => {
    beginElsewhere();
    const session = open();
    session.ready();
    await vi.advanceTimersByTimeAsync(0);
    session.journal.answerOffer(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent()).toEqual([[2, 0, []]]);
    expect([server.seed, server.writer === "other"]).toEqual([9, false]);
    session.type("pwd\r");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent()).toEqual([[2, 1, []]]);
  });

  test("that was done without a connection is offered the other one, and takes nothing from it", async () => {
    const before = new TestSession();
    before.type("ls\r");
    open(before).ready();
    await vi.advanceTimersByTimeAsync(10_000);
    vi.clearAllTimers();
    const theirs = [...server.entries, key("kubectl get pods\r", 5000)];
    server.put("other", 7, theirs as RunPart["entries"]);
    browser.take("PUT");
    const session = new TestSession();
    session.run = before.run;
    session.type("kubectl delete pods --all\r");
    open(session).ready();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(session.offer.value?.kind).toBe("run");
    expect(server.entries).toEqual(theirs);
    // Here it goes on, from where they parted.
    session.journal.answerOffer(false);
    browser.take("PUT");
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent()).toEqual([[2, 1, []]]);
    expect(server.entries).toEqual(session.run.entries);
  });

  test("that holds all of the other one's goes on without a question", async () => {
    const session = new TestSession();
    session.type("ls\r");
    session.type("pwd\r");
    server.put("other", 7, session.run.entries.slice(0, 2) as RunPart["entries"]);
    open(session).ready();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value, server.entries, server.writer === "other"]).toEqual([undefined, session.run.entries, false]);
  });

  test.each(["types on", "is told of it by the server"])(
    "that was overtaken is offered the other one once it %s, in turn",
    async (how) => {
      const { session, page, outbox } = openLab();
      session.ready();
      session.type("ls\r");
      await vi.advanceTimersByTimeAsync(10_000);
      const ours = server.writer;
      // The other browser goes on with it, and has done nothing yet.
      server.put("other", 7, server.entries);
      if (how === "types on") session.type("pwd\r");
      else page.hear();
      await vi.advanceTimersByTimeAsync(10_000);
      expect([session.offer.value?.kind, server.writer, server.entries.length]).toEqual(["run", "other", 2]);
      // What is done here stays here; nothing is asked again, and nothing sent.
      browser.take("PUT");
      session.type("id\r");
      page.hear();
      page.part();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(sent()).toEqual([]);
      // It is told of, here and on the pages that follow.
      expect([outbox.waiting, outbox.underWay, outbox.refused.get("pods")]).toEqual([["pods"], 0, "elsewhere"]);
      session.journal.answerOffer(false);
      await vi.advanceTimersByTimeAsync(1000);
      expect([session.offer.value, server.writer, server.entries]).toEqual([undefined, ours, session.run.entries]);
      expect([outbox.waiting, outbox.refused.get("pods")]).toEqual([[], undefined]);
    },
  );

  test("of which the other browser has sent more since it was offered is offered once more, and not cut", async () => {
    beginElsewhere();
    const session = open();
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(0);
    const more = [...server.entries, key("kubectl get pods\r", 5000)] as RunPart["entries"];
    server.put("other", 9, more);
    session.journal.answerOffer(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value?.kind, server.entries, server.writer]).toEqual(["run", more, "other"]);
    session.journal.answerOffer(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value, server.entries, server.writer === "other"]).toEqual([undefined, more, false]);
  });

  test("that the learner has opened here is opened as it is by then, without a second question", async () => {
    beginElsewhere();
    const session = open();
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(0);
    const more = [...server.entries, key("kubectl get pods\r", 5000)] as RunPart["entries"];
    server.put("other", 9, more);
    session.journal.answerOffer(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value, server.entries, session.run.entries]).toEqual([undefined, more, more]);
    expect(server.writer).not.toBe("other");
    // From here on another one is asked about again.
    server.put("other", 9, [...more, key("pwd\r", 6000)] as RunPart["entries"]);
    session.type("id\r");
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value?.kind, server.writer]).toEqual(["run", "other"]);
  });

  test("is this browser's still in a page that is loaded anew, with what the one before sent at parting", async () => {
    const { session, page } = openLab();
    session.ready();
    session.type("ls\r");
    page.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.entries).toEqual([]);
    const again = openLab();
    again.session.ready();
    await vi.advanceTimersByTimeAsync(0);
    again.session.type("ls\r");
    again.page.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.entries).toHaveLength(2);
    const last = new TestSession();
    last.run = again.session.run;
    open(last).ready();
    last.type("pwd\r");
    await vi.advanceTimersByTimeAsync(10_000);
    expect([last.offer.value, server.entries.length]).toEqual([undefined, 3]);
  });

  test("that was begun again here is not offered back", async () => {
    const session = open();
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(10_000);
    session.run = { ...session.run, seed: 8, entries: [opened, key("pwd\r", 1700)] };
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value, server.seed]).toEqual([undefined, 8]);
  });

  test("that another tab keeps is sent by that one, and nothing is offered here", async () => {
    beginElsewhere();
    const session = open();
    session.keeping.value = "elsewhere";
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([session.offer.value, browser.asked]).toEqual([undefined, []]);
  });

  test("is not sent before it is known whether there is another one", async () => {
    beginElsewhere();
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
    beginElsewhere();
    answer = (asked: Asked) => {
      const { status, body } = server.answer(asked);
      const held = body as { readonly run?: object };
      return { status, body: held.run === undefined ? body : { ...held, run: { ...held.run, format: 0 } } };
    };
    const session = open();
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value, server.seed, server.entries.length]).toEqual([undefined, 7, 2]);
  });

  test("of an exam goes to the exam; it is offered only when another browser has taken it over", async () => {
    const session = open(new TestSession(), { kept: "exam.e1", path: "exams/e1/runs/" }, true);
    session.ready();
    session.type("ls\r");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(browser.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["PUT exams/e1/runs/pods"]);
    // The run of the lesson's lab is another one.
    expect(new RunOutbox(new ClassroomApi("/api/"), "lea").has("pods", session.run, [])).toBe(false);
    server.put("other", 7, server.entries);
    session.type("pwd\r");
    await vi.advanceTimersByTimeAsync(10_000);
    expect([session.offer.value?.kind, server.entries.length, server.writer]).toEqual(["run", 2, "other"]);
    expect(browser.asked.at(-1)).toMatchObject({ method: "GET", path: "exams/e1/runs/pods" });
  });
});
