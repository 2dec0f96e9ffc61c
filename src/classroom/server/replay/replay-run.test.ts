// Real runs, made in a host as a browser has it, and what a replay makes of them and of what was done to them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { labFromSources } from "#lab/catalog.ts";
import type { StepState } from "#lab/lab-run.ts";
import type { LabJournalEntry, SavedLab } from "#lab/protocol.ts";
import { sources as labOfFour } from "#lab/session.test-kit.ts";
import { worldMark } from "#lab/world-mark.ts";
import type { WorldInput } from "#world/input.ts";
import { labFiles, recordRun, stepsInBrowser } from "./recorded-run.test-kit.ts";
import { ReplayPool } from "./replay-pool.ts";
import type { Replay } from "./replay-result.ts";
import { replayRun } from "./replay-run.ts";
import { readRun, type SubmittedRun } from "./submitted-run.ts";

/** Steps in order with a time, as either side tells them. */
const timesOf = (steps: readonly Pick<StepState, "id" | "openedMs" | "passedMs">[]) =>
  steps.map(({ id, openedMs, passedMs }) => ({ id, openedMs, passedMs }));
const stepsOf = (replay: Replay) => (replay.ok ? timesOf(replay.steps) : replay);
const passedOf = (replay: Replay) =>
  replay.ok ? replay.steps.flatMap(({ id, passedMs }) => (passedMs === undefined ? [] : [id])) : replay;

/** Of the course, and of tests; on the disk as labs are. */
const sources = {
  ...labFiles(["labels", "configmap-basics", "deployment-pause"]),
  ...labOfFour,
  "labs/broken/lab.yaml": `setup: "kubectl get widgets"\n${labOfFour["labs/four/lab.yaml"]}`,
};
const folder = mkdtempSync(join(tmpdir(), "replay-"));
let pool: ReplayPool;

beforeAll(() => {
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  pool = new ReplayPool({ processes: 1, labs: folder, wallLimitMs: 300_000, memoryMib: 512 });
});

afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

describe("a run of a lab", () => {
  it.each(["labels", "deployment-pause"])("of %s passes every step at the same virtual times as in the browser", async (id) => {
    const { saved, steps } = recordRun(labFromSources(sources, id));
    expect(steps.every(({ passed }) => passed)).toBe(true);
    expect(stepsOf(await pool.replay("ana", id, saved))).toEqual(timesOf(steps));
    // Taken up again after a reload, it comes to the same.
    expect(timesOf(stepsInBrowser(labFromSources(sources, id), saved))).toEqual(timesOf(steps));
  });

  it("of another lab is refused by its world, and passes nothing with a forged mark", async () => {
    const { saved } = recordRun(labFromSources(sources, "labels"), 1);
    expect(await pool.replay("ana", "configmap-basics", saved)).toMatchObject({ ok: false, reason: "otherLab", detail: /labels/ });
    expect(await pool.replay("ana", "labels", { ...saved, world: "00000000" })).toMatchObject({ ok: false, reason: "outdated" });
    expect(await pool.replay("ana", "../labels", saved)).toMatchObject({ ok: false, reason: "otherLab" });
    const forged = { ...saved, world: worldMark(labFromSources(sources, "configmap-basics")) };
    expect(passedOf(await pool.replay("ana", "configmap-basics", forged))).toEqual([]);
  });
});

const four = labFromSources(sources, "four");
const { saved: good, steps: goodSteps } = recordRun(four);
const submitted = (saved: SavedLab): SubmittedRun => {
  const read = readRun(saved);
  if (!read.ok) throw new Error(read.detail);
  return read.run;
};

describe("a run of a small lab", () => {
  it("that is cut gives the steps that it reaches", async () => {
    const cuts = goodSteps.map(({ passedMs }) => (passedMs as number) - 1);
    const replays = await Promise.all(
      cuts.map((nowMs, index) => {
        const entries = good.entries.filter(({ timeMs }) => timeMs <= nowMs);
        return pool.replay(`owner ${index}`, "four", { ...good, nowMs, entries });
      }),
    );
    expect(replays.map(passedOf)).toEqual([[], ["a"], ["a", "b"], ["a", "b", "c"]]);
  });

  it("counts no step that it says it has passed, and takes off the help that it says was asked for", async () => {
    const claims = { passed: ["a", "b", "c", "d"], steps: goodSteps, hints: { a: 1, b: 9, d: 2, e: 3 }, solutions: ["c", "z"] };
    const empty = await pool.replay("ana", "four", { ...good, ...claims, entries: [] });
    expect(passedOf(empty)).toEqual([]);
    const whole = await pool.replay("ana", "four", { ...good, ...claims });
    expect(whole.ok && whole.steps.map(({ points }) => points)).toEqual([9, 4, 2, 7]);
    const cut = await pool.replay("ana", "four", {
      ...good,
      ...claims,
      nowMs: good.startMs,
      entries: good.entries.slice(0, 40),
    });
    expect(cut.ok && cut.steps.map(({ points }) => points)).toEqual([9, 0, 0, 0]);
  });

  it("says so when the simulator is at fault, or the lab", async () => {
    const [first, ...others] = four.steps;
    if (first === undefined) throw new Error("there is no step");
    const checks = [{ id: "check", that: 'exists("widgets", "default", "web")', values: {} }];
    const replayed = replayRun({ ...four, steps: [{ ...first, checks }, ...others] }, submitted(good));
    expect(replayed).toMatchObject({ ok: false, reason: "failed", detail: expect.stringContaining('no resource "widgets"') });
    const broken = { ...good, world: worldMark(labFromSources(sources, "broken")) };
    expect(await pool.replay("ana", "broken", broken)).toMatchObject({
      ok: false,
      reason: "failed",
      detail: expect.stringContaining("the lab's set-up failed"),
    });
  });
});

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."kubectl create configmap abcd-\r\u0003\u0004\t\u001b[ADé世;|&'\"") }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom("kubectl delete configmap a\r", "exit\r", "kubectl create configmap b\r", "sleep 5\r", "watch date\r"),
);
const anyInput: fc.Arbitrary<WorldInput> = fc.oneof(
  anyText.map((text) => ({ kind: "terminal-input", terminal: "1", text }) as const),
  fc.record({
    kind: fc.constant("terminal-open" as const),
    terminal: fc.constantFrom("1", "2"),
    columns: fc.nat(300),
    rows: fc.nat(90),
  }),
  fc.record({ kind: fc.constant("terminal-resize" as const), terminal: fc.constant("1"), columns: fc.nat(300), rows: fc.nat(90) }),
  fc.record({ kind: fc.constant("terminal-close" as const), terminal: fc.constantFrom("1", "__proto__") }),
  fc.record({
    kind: fc.constant("file-write" as const),
    path: fc.constantFrom("a.yaml", "/etc/passwd", ".bashrc", ""),
    text: anyText,
  }),
  fc.record({
    kind: fc.constant("page-open" as const),
    page: fc.constant("1"),
    url: fc.constantFrom("http://localhost", "nonsense", ""),
  }),
);
type Change = (saved: SavedLab) => SavedLab;
const place = fc.nat(good.entries.length - 1);
const withEntries = (change: (entries: LabJournalEntry[]) => readonly LabJournalEntry[]): Change => {
  return (saved) => ({ ...saved, entries: change([...saved.entries]) });
};
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(place, fc.nat(20)).map(([at, count]) => withEntries((entries) => entries.toSpliced(at, count))),
  fc
    .tuple(place, anyInput)
    .map(([at, input]) =>
      withEntries((entries) => entries.toSpliced(at, 0, { timeMs: entries[at]?.timeMs ?? good.startMs, input })),
    ),
  fc
    .tuple(place, place)
    .map(([one, other]) =>
      withEntries((entries) =>
        entries.map((entry, at) => ({ ...entry, input: (at === one ? entries[other] : entry)?.input ?? entry.input })),
      ),
    ),
  fc
    .tuple(place, fc.integer({ min: -3000, max: 20_000 }))
    .map(([from, byMs]) =>
      withEntries((entries) => entries.map((entry, at) => (at < from ? entry : { ...entry, timeMs: entry.timeMs + byMs }))),
    ),
  place.map((at) => withEntries((entries) => entries.slice(0, at))),
  fc.nat(2 ** 32 - 1).map((seed) => (saved: SavedLab) => ({ ...saved, seed })),
  fc.nat(60_000).map((afterMs) => (saved: SavedLab) => ({ ...saved, nowMs: saved.startMs + afterMs })),
);

describe("a good run that was tampered with", () => {
  it("passes exactly what a browser finds passed that takes it up, or is refused", async () => {
    const changes = fc.array(anyChange, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const changed = all.reduce((saved, change) => change(saved), good);
        const replay = await pool.replay("ana", "four", changed);
        if (replay.ok) expect(stepsOf(replay)).toEqual(timesOf(stepsInBrowser(four, changed)));
        else expect(["unordered", "unreadable"]).toContain(replay.reason);
      }),
      { numRuns: 10 },
    );
    expect(stepsOf(await pool.replay("ana", "four", good))).toEqual(timesOf(goodSteps));
  });
});
