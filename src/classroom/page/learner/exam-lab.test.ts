// Which browser goes on with an exam's lab: the one that was opened last.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SavedLab } from "#lab/protocol.ts";
import type { RunPart } from "../../wire.ts";
import { ClassroomApi } from "./api.ts";
import { type Asked, TestBrowser, TestRun } from "./classroom.test-kit.ts";
import { goOnHere } from "./exam-lab.ts";
import { outboxPlace } from "./exam-run.ts";
import { RunOutbox } from "./run-outbox.ts";

const fresh: SavedLab = { format: 1, seed: 7, startMs: 1000, nowMs: 1000, entries: [], hints: {}, solutions: [] };
const typed = (...texts: readonly string[]): SavedLab["entries"] =>
  texts.map((text, index) => ({ timeMs: 1000 + index, input: { kind: "terminal-input", terminal: "1", text } }));
const run = (...texts: readonly string[]): SavedLab => ({ ...fresh, entries: typed(...texts) });

let browser: TestBrowser;
let server: TestRun;
let outbox: RunOutbox;
beforeEach(() => {
  browser = new TestBrowser();
  server = new TestRun();
  browser.answer = server.answer;
  outbox = new RunOutbox(new ClassroomApi("/api/"), "lea", outboxPlace("e1"));
});
afterEach(() => void vi.unstubAllGlobals());

const putElsewhere = (...texts: readonly string[]): void => server.put("other", 7, [...typed(...texts)]);
const goOn = (own: SavedLab | undefined, isUnsent = false) => goOnHere(outbox, "pods", { fresh, own, isUnsent });

describe("an exam's run that is opened here", () => {
  test("goes on from what the other browser has sent, which is refused from then on", async () => {
    putElsewhere("a", "b");
    expect((await goOn(undefined)).entries).toEqual(typed("a", "b"));
    expect([server.writer, server.entries]).toEqual([outbox.writer, typed("a", "b")]);
    const late = { writer: "other", seed: 7, from: 2, entries: typed("c"), claims: [], takesOver: null };
    expect(server.answer({ method: "PUT", path: "", body: late })).toMatchObject({ body: { error: "elsewhere" } });
    // What is added here is all that goes from here.
    browser.take("PUT");
    expect(await outbox.send("pods", run("a", "b", "c"), [])).toBe("done");
    expect(browser.take("PUT").map(({ body }) => [(body as RunPart).from, (body as RunPart).takesOver])).toEqual([[2, null]]);
  });

  test("has all that was sent until the moment in which it was taken over", async () => {
    putElsewhere("a");
    let asked = 0;
    browser.answer = (one: Asked) => {
      const reply = server.answer(one);
      // The other browser sends once more while this one reads.
      if (one.method === "GET" && ++asked === 1) putElsewhere("a", "b");
      return reply;
    };
    expect((await goOn(undefined)).entries).toEqual(typed("a", "b"));
    expect([asked, server.writer, server.entries]).toEqual([2, outbox.writer, typed("a", "b")]);
  });

  test("keeps what was never sent from here, and leaves the other's as it is until the learner has chosen", async () => {
    putElsewhere("a", "b");
    expect((await goOn(run("a", "x"), true)).entries).toEqual(typed("a", "x"));
    expect([server.writer, server.entries]).toEqual(["other", typed("a", "b")]);
  });

  test("is the longer one of here, where the server has how it began", async () => {
    putElsewhere("a");
    expect((await goOn(run("a", "b"), true)).entries).toEqual(typed("a", "b"));
    expect([server.writer, server.entries]).toEqual([outbox.writer, typed("a")]);
  });

  test("is asked for and no more where it is this browser's, nobody's or out of reach", async () => {
    server.put(outbox.writer, 7, [...typed("a")]);
    expect((await goOn(run("a", "b"))).entries).toEqual(typed("a", "b"));
    browser.isOnline = false;
    expect((await goOn(run("a", "b"))).entries).toEqual(typed("a", "b"));
    browser.isOnline = true;
    Object.assign(server, { revision: 0, writer: null, entries: [] });
    expect(await goOn(undefined)).toEqual(fresh);
    expect(browser.take("PUT")).toEqual([]);
  });

  test("is opened all the same where another browser never stops sending", async () => {
    putElsewhere("a");
    browser.answer = (one: Asked) => {
      const reply = server.answer(one);
      if (one.method === "GET") putElsewhere("a");
      return reply;
    };
    expect((await goOn(undefined)).entries).toEqual(typed("a"));
    expect([browser.take("GET").length, server.writer]).toEqual([3, "other"]);
  });
});
