import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import type { SessionState, StepView } from "#lab/session.ts";
import { createPassMoments } from "./pass-moment.ts";

const ready: SessionState = { kind: "ready", resumed: false, lost: undefined };

function step(id: string, more: Partial<StepView>): StepView {
  const plain = {
    id,
    title: id,
    taskHtml: "",
    status: "open",
    current: false,
    openedMs: undefined,
    missing: [],
    lastsMs: undefined,
    fault: undefined,
    met: [],
    why: undefined,
  } as const;
  return { ...plain, hintsShown: [], hintsLeft: 0, open: true, worth: 10, most: 10, hintCost: 1, solution: undefined, ...more };
}

const missing = (...checks: string[]) => checks.map((check) => ({ check, text: `${check} is missing` }));

function lab(calm = false) {
  const steps = signal<readonly StepView[]>([step("a", { current: true, missing: missing("x", "y", "z") }), step("b", {})]);
  const state = signal<SessionState>(ready);
  const waiting: { readonly act: () => void; readonly delayMs: number }[] = [];
  const moments = createPassMoments(
    { steps, state },
    { calm: () => calm, schedule: (act, delayMs) => waiting.push({ act, delayMs }) },
  );
  const next = () => {
    waiting.shift()?.act();
    return moments.moment.value;
  };
  const pass = () => {
    steps.value = [step("a", { status: "passed", met: ["x", "y", "z"] }), step("b", { current: true, missing: missing("v") })];
  };
  return { steps, state, moments, next, pass, waiting };
}

describe("a step that passes", () => {
  it("has its open checks ticked one by one, then the next step opens", () => {
    const { steps, moments, next, pass } = lab();
    steps.value = [step("a", { current: true, missing: missing("y", "z"), met: ["x"] }), step("b", {})];
    expect(moments.seen("a").map(({ check, met }) => [check, met])).toEqual([
      ["x", true],
      ["y", false],
      ["z", false],
    ]);
    expect(moments.moment.value).toBeUndefined();
    pass();
    expect(moments.moment.value).toEqual({ step: "a", ticked: 1, over: false });
    expect(next()).toEqual({ step: "a", ticked: 2, over: false });
    expect(next()).toEqual({ step: "a", ticked: 3, over: false });
    expect(next()).toEqual({ step: "a", ticked: 3, over: true });
    expect(moments.seen("a").map(({ text }) => text)).toEqual(["x is missing", "y is missing", "z is missing"]);
  });

  it("is over at once for whoever wants no motion", () => {
    const { moments, pass, waiting } = lab(true);
    pass();
    expect(moments.moment.value).toEqual({ step: "a", ticked: 3, over: true });
    expect(waiting).toEqual([]);
  });

  it("is not celebrated again after a reload, and ends with the world", () => {
    const { state, moments, pass, next } = lab();
    state.value = { kind: "starting", phase: "replaying" };
    pass();
    state.value = ready;
    expect(moments.moment.value).toBeUndefined();
    const other = lab();
    other.pass();
    other.state.value = { kind: "starting", phase: "loading" };
    expect(other.next()).toBeUndefined();
    expect(next()).toBeUndefined();
  });

  it("gives way to the next one that passes", () => {
    const { steps, moments, next, pass } = lab();
    pass();
    steps.value = [step("a", { status: "passed" }), step("b", { status: "passed", met: ["v"] })];
    expect(moments.moment.value).toEqual({ step: "b", ticked: 0, over: false });
    expect(next()).toEqual({ step: "b", ticked: 0, over: false });
    expect(next()).toEqual({ step: "b", ticked: 1, over: false });
  });
});
