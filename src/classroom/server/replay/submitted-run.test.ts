// What is handed in may hold anything.

import { describe, expect, it } from "vitest";
import type { SavedLab } from "#lab/protocol.ts";
import { readRun } from "./submitted-run.ts";

const startMs = Date.UTC(2026, 0, 15, 9);
const open = { kind: "terminal-open", terminal: "1", columns: 80, rows: 24 } as const;
const key = (text: string) => ({ kind: "terminal-input", terminal: "1", text }) as const;
const good: SavedLab = {
  format: 1,
  seed: 7,
  startMs,
  nowMs: startMs + 5000,
  entries: [
    { timeMs: startMs + 10, input: open },
    { timeMs: startMs + 10, input: key("l") },
    { timeMs: startMs + 900, input: key("\r") },
  ],
  hints: { one: 2 },
  solutions: ["two"],
  world: "0123abcd",
};
/** With a change, as it comes over the wire. */
const changed = (change: object): unknown => JSON.parse(JSON.stringify({ ...good, ...change }));
const withEntry = (entry: unknown): unknown => changed({ entries: [entry] });
const withInput = (input: unknown): unknown => withEntry({ timeMs: startMs, input });
const limits = { entries: 5, characters: 50, virtualMs: 86_400_000 };
const reasonOf = (value: unknown): string => {
  const read = readRun(value, limits);
  return read.ok ? "ok" : read.reason;
};

describe("a run that was handed in", () => {
  it("is read into what a replay needs", () => {
    expect(readRun(changed({ passed: ["one"], exam: { startedMs: 0, minutes: 5, pass: 66, passedSteps: 9 } }), limits)).toEqual({
      ok: true,
      run: {
        seed: 7,
        startMs,
        untilMs: startMs + 5000,
        entries: good.entries,
        world: "0123abcd",
        hints: [["one", 2]],
        solutions: ["two"],
      },
    });
  });

  it("loses fields that inputs do not have, and reaches to its last input", () => {
    const read = readRun(
      changed({
        nowMs: startMs,
        entries: [
          { timeMs: startMs + 7, by: "me", input: { ...open, columns: 9, sudo: true } },
          { timeMs: startMs + 8, input: { kind: "page-open", page: "1", url: "http://a", text: "x" } },
        ],
      }),
    );
    expect(read.ok && read.run.untilMs).toBe(startMs + 8);
    expect(read.ok && read.run.entries).toEqual([
      { timeMs: startMs + 7, input: { kind: "terminal-open", terminal: "1", columns: 9, rows: 24 } },
      { timeMs: startMs + 8, input: { kind: "page-open", page: "1", url: "http://a" } },
    ]);
  });

  it.each<[reason: string, what: string, value: unknown]>([
    ["unreadable", "nothing", undefined],
    ["unreadable", "null", null],
    ["unreadable", "a text", "{}"],
    ["unreadable", "a number", 7],
    ["unreadable", "a list", [good]],
    ["unreadable", "an empty object", {}],
    ["outdated", "another format", changed({ format: 2 })],
    ["unreadable", "a format that is no number", changed({ format: "1" })],
    ["unreadable", "a seed below those that there are", changed({ seed: -1 })],
    ["unreadable", "a seed beyond those that there are", changed({ seed: 2 ** 32 })],
    ["unreadable", "a broken seed", changed({ seed: 1.5 })],
    ["unreadable", "no seed", changed({ seed: undefined })],
    ["unreadable", "a start before there were labs", changed({ startMs: 0 })],
    ["unreadable", "a start in the far future", changed({ startMs: 2 ** 52, nowMs: 2 ** 52, entries: [] })],
    ["unreadable", "a start that is no number", { ...good, startMs: Number.NaN }],
    ["unreadable", "an end that is no number", { ...good, nowMs: Number.NaN }],
    ["unreadable", "an infinite end", { ...good, nowMs: Number.POSITIVE_INFINITY }],
    ["tooLong", "an end in the far future", changed({ nowMs: Number.MAX_SAFE_INTEGER })],
    ["tooLong", "a last input in the far future", withEntry({ timeMs: startMs + 2 ** 45, input: open })],
    ["unordered", "an end before the start", changed({ nowMs: startMs - 1 })],
    ["unordered", "an input before the start", withEntry({ timeMs: startMs - 1, input: open })],
    ["unordered", "a negative time", withEntry({ timeMs: -5, input: open })],
    ["unordered", "inputs out of order", changed({ entries: [...good.entries].reverse() })],
    ["unreadable", "a time that is no number", withEntry({ timeMs: Number.NaN, input: open })],
    ["unreadable", "a time as a text", withEntry({ timeMs: `${startMs}`, input: open })],
    ["unreadable", "no inputs", changed({ entries: undefined })],
    ["unreadable", "inputs that are no list", changed({ entries: { length: 0 } })],
    ["unreadable", "an entry that is null", withEntry(null)],
    ["unreadable", "an entry that is a list", withEntry([startMs, open])],
    ["unreadable", "an entry without an input", withEntry({ timeMs: startMs })],
    ["unreadable", "an input of no known kind", withInput({ kind: "kubectl", text: "delete" })],
    ["unreadable", "an input of a kind that every object has", withInput({ kind: "constructor" })],
    ["unreadable", "a kind that is the prototype", withInput({ kind: "__proto__" })],
    ["unreadable", "a kind in a list", withInput({ ...open, kind: ["terminal-open"] })],
    ["unreadable", "an input without its field", withInput({ kind: "terminal-input", terminal: "1" })],
    ["unreadable", "a field of another type", withInput({ ...open, rows: "24" })],
    ["unreadable", "fields of its prototype's", JSON.parse('{"__proto__": {"format": 1, "seed": 7}}')],
    ["unreadable", "a terminal without columns", withInput({ ...open, columns: 0 })],
    ["unreadable", "a terminal of half a row", withInput({ ...open, rows: 0.5 })],
    ["unreadable", "a terminal of a thousand million columns", withInput({ ...open, kind: "terminal-resize", columns: 1e9 })],
    ["unreadable", "hints below zero", changed({ hints: { one: -3 } })],
    ["unreadable", "hints that are no number", changed({ hints: { one: "all" } })],
    ["unreadable", "hints that are null", changed({ hints: null })],
    ["unreadable", "hints of the prototype's", JSON.parse(JSON.stringify(good).replace('{"one":2}', '{"__proto__":{"one":0}}'))],
    ["unreadable", "solutions that are no texts", changed({ solutions: [{ id: "two" }] })],
    ["unreadable", "an exam that is none", changed({ exam: { minutes: "all" } })],
    ["unreadable", "a mark that is no text", changed({ world: 7 })],
    ["outdated", "no mark", changed({ world: undefined })],
    ["tooMany", "more inputs than are replayed", changed({ entries: Array(6).fill(good.entries[0]) })],
    ["tooMany", "more text than is replayed", withInput(key("x".repeat(50)))],
    ["tooMany", "a longer path than is replayed", withInput({ kind: "file-write", path: "x".repeat(60), text: "" })],
    ["ok", "an end before the last input", changed({ nowMs: startMs })],
    ["ok", "no input at all", changed({ entries: [] })],
    ["ok", "the largest seed", changed({ seed: 2 ** 32 - 1 })],
  ])("is %s with %s", (reason, _what, value) => {
    expect(reasonOf(value)).toBe(reason);
    expect({}).not.toHaveProperty("one");
  });
});
