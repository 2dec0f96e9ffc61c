import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SavedLab } from "#lab/protocol.ts";
import type { HeldRun, RunPart } from "../../wire.ts";
import { ClassroomApi } from "./api.ts";
import { TestBrowser, TestRun } from "./classroom.test-kit.ts";
import { RunOutbox } from "./run-outbox.ts";

let browser: TestBrowser;
let server: TestRun;
let outbox: RunOutbox;
const makeOutbox = (): RunOutbox => new RunOutbox(new ClassroomApi("/api/"), "lea");
beforeEach(() => {
  browser = new TestBrowser();
  server = new TestRun();
  browser.answer = server.answer;
  outbox = makeOutbox();
});
afterEach(() => void vi.unstubAllGlobals());

const entry = (number: number) => ({
  timeMs: 1000 + number,
  input: { kind: "terminal-input", terminal: "main", text: `${number} é漢` } as const,
});
const entries = (count: number) => Array.from({ length: count }, (_, number) => entry(number));
const run = (over: Partial<SavedLab> = {}): SavedLab => ({
  ...{ format: 1, seed: 7, startMs: 1000, nowMs: 9000, world: "w", hints: {}, solutions: [] },
  entries: entries(4),
  ...over,
});
const parts = () =>
  browser.take("PUT").map(({ body }) => {
    const { from, entries: sent, claims } = body as RunPart;
    return [from, sent.length, claims];
  });

describe("a run", () => {
  test("grows at the server by what was added, and its steps are claimed once", async () => {
    expect(await outbox.send("pods", run(), [])).toBe("done");
    expect(await outbox.send("pods", run({ entries: entries(6) }), ["one"])).toBe("done");
    expect(await outbox.send("pods", run({ entries: entries(7) }), ["one", "two"])).toBe("done");
    expect(parts()).toEqual([
      [0, 4, []],
      [4, 2, ["one"]],
      [6, 1, ["two"]],
    ]);
    expect(server.entries).toEqual(entries(7));
  });

  test("goes on after a reload where it was; the next page claims its steps once more", async () => {
    await outbox.send("pods", run(), ["one"]);
    expect(makeOutbox().has("pods", run(), ["one"])).toBe(true);
    await makeOutbox().send("pods", run({ entries: entries(5) }), ["one"]);
    expect(parts()).toEqual([
      [0, 4, ["one"]],
      [4, 1, ["one"]],
    ]);
  });

  test("is sent from where the server says that it has a gap", async () => {
    await outbox.send("pods", run({ entries: entries(6) }), []);
    server.entries = server.entries.slice(0, 2);
    await outbox.send("pods", run({ entries: entries(7) }), []);
    expect(parts().slice(1)).toEqual([
      [6, 1, []],
      [2, 5, []],
    ]);
    expect(server.entries).toEqual(entries(7));
  });

  test("that was cut is cut at the server, and goes on another way", async () => {
    await outbox.send("pods", run({ entries: entries(6) }), []);
    await outbox.send("pods", run({ entries: entries(3) }), []);
    expect(server.entries).toEqual(entries(3));
    const other = [...entries(2), entry(20), entry(21)];
    await outbox.send("pods", run({ entries: other }), []);
    expect(server.entries).toEqual(other);
    expect(parts().slice(1)).toEqual([
      [3, 0, []],
      [2, 2, []],
    ]);
  });

  test("that was begun again takes the old one's place", async () => {
    await outbox.send("pods", run(), ["one"]);
    await outbox.send("pods", run({ seed: 8, entries: entries(1) }), ["one"]);
    expect([server.seed, server.entries.length, server.claims]).toEqual([8, 1, ["one", "one"]]);
  });

  test("that is long goes in parts, its claims with the last", async () => {
    await outbox.send("pods", run({ entries: entries(4500) }), ["one"]);
    expect(parts()).toEqual([
      [0, 2000, []],
      [2000, 2000, []],
      [4000, 500, ["one"]],
    ]);
  });

  test("waits while there is no connection, and is known to wait by the next page", async () => {
    browser.isOnline = false;
    outbox.note("pods", run(), ["one"]);
    expect(await outbox.send("pods", run(), ["one"])).toBe("later");
    const next = makeOutbox();
    expect([next.waiting, next.claims("pods")]).toEqual([["pods"], ["one"]]);
    browser.isOnline = true;
    expect(await next.send("pods", run(), next.claims("pods"))).toBe("done");
    expect([next.waiting, server.claims]).toEqual([[], ["one"]]);
  });

  test("hints alone are sent, and of a run that has not changed nothing", async () => {
    await outbox.send("pods", run(), []);
    expect(outbox.note("pods", run(), [])).toBe(false);
    expect(outbox.note("pods", run({ hints: { one: 1 } }), [])).toBe(true);
    await outbox.send("pods", run({ hints: { one: 1 } }), []);
    expect(outbox.waiting).toEqual([]);
  });

  test("of a page that goes away is sent without waiting for an answer, and counts as sent once a page has heard of it", async () => {
    outbox.part("pods", run(), []);
    await vi.waitFor(() => expect(server.entries).toHaveLength(4));
    expect(makeOutbox().waiting).toEqual(["pods"]);
  });

  test("says which browser sends it: the same after a reload and for each lab and exam, another one for another learner", () => {
    const of = (learner: string, kept = "runs"): string =>
      new RunOutbox(new ClassroomApi("/api/"), learner, { kept, path: "" }).writer;
    expect(outbox.writer).toMatch(/^[0-9a-f]{32}$/);
    expect([of("lea"), of("lea", "exam.e1")]).toEqual([outbox.writer, outbox.writer]);
    expect(of("tom")).not.toBe(outbox.writer);
    browser.kept.clear();
    expect(of("lea")).not.toBe(outbox.writer);
  });

  test("that another browser goes on with is not taken, and stays to be sent; it is none of those on their way", async () => {
    server.put("other", 7, entries(2) as RunPart["entries"]);
    outbox.note("pods", run(), ["one"]);
    expect(outbox.underWay).toBe(1);
    expect(await outbox.send("pods", run(), ["one"])).toBe("elsewhere");
    expect([outbox.waiting, outbox.underWay, outbox.refused.get("pods")]).toEqual([["pods"], 0, "elsewhere"]);
    expect([server.entries, server.claims]).toEqual([entries(2), []]);
  });

  test("takes the place of the other browser's as it was seen: by what that one lacks, with its steps, and once", async () => {
    await outbox.send("pods", run(), ["one"]);
    server.put("other", 7, [...entries(2), entry(20)] as RunPart["entries"]);
    const seen = (await outbox.ask("pods")) as { readonly value: HeldRun };
    outbox.takeOver("pods", seen.value, { isAtOnce: true });
    expect(outbox.has("pods", run(), ["one"])).toBe(false);
    browser.take("PUT");
    expect(await outbox.send("pods", run(), ["one"])).toBe("done");
    expect(parts()).toEqual([[2, 2, ["one"]]]);
    expect([server.entries, server.writer]).toEqual([entries(4), outbox.writer]);
    // Nothing is left of it: whoever takes over next is not overtaken by it.
    server.put("other", 7, server.entries);
    expect(await outbox.send("pods", run({ entries: entries(5) }), ["one"])).toBe("elsewhere");
    expect(outbox.refused.get("pods")).toBe("elsewhere");
  });

  test("does not take the place of what the other browser has sent since; a page that goes away says it too", async () => {
    server.put("other", 7, entries(2) as RunPart["entries"]);
    const seen = (await outbox.ask("pods")) as { readonly value: HeldRun };
    outbox.takeOver("pods", seen.value, { isAtOnce: true });
    server.put("other", 7, entries(3) as RunPart["entries"]);
    expect(await outbox.send("pods", run(), [])).toBe("elsewhere");
    expect(server.writer).toBe("other");
    const now = (await outbox.ask("pods")) as { readonly value: HeldRun };
    outbox.takeOver("pods", now.value, { isAtOnce: true });
    outbox.part("pods", run(), []);
    await vi.waitFor(() => expect(server.writer).toBe(outbox.writer));
    expect(server.entries).toEqual(entries(4));
  });

  test("of another learner in the same browser is not sent", () => {
    outbox.note("pods", run(), []);
    expect(new RunOutbox(new ClassroomApi("/api/"), "tom").waiting).toEqual([]);
  });
});
