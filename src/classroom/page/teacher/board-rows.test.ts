import { describe, expect, it } from "vitest";
import { stringsFor } from "../../../i18n/build.ts";
import type { BoardRow } from "../../wire.ts";
import { countStates, dotsOf, inOrder, Numbers } from "./board-rows.ts";
import { lastingText, tookText } from "./durations.ts";

const presence = { place: "pods/pod-phases", lab: "pod-phases", step: "two", attempts: 0, hints: 0, active: true };
const row = (name: string, over: Partial<BoardRow> = {}): BoardRow => {
  const counts = { lessonsDone: 0, stepsPassed: 0, passedHere: [], points: 0 };
  return { learner: name, name, presence, seenAt: 0, stepSince: 0, state: "working", ...counts, ...over };
};
const names = (rows: readonly BoardRow[]): string => rows.map(({ name }) => name).join(" ");

describe("the board's order", () => {
  const rows = [
    row("Zoé", { state: "away" }),
    row("Émile", { state: "stuck", stepSince: 20 }),
    row("Anna", { state: "working" }),
    row("Tom", { state: "stuck", stepSince: 10 }),
    row("Noé", { state: "new" }),
    row("Léa", { state: "idle" }),
  ];

  it("has who is stuck longest first, who is away last", () => {
    expect(names(inOrder(rows, "stuck", "fr"))).toBe("Tom Émile Léa Anna Noé Zoé");
  });

  it("is the language's own by name", () => {
    expect(names(inOrder(rows, "name", "fr"))).toBe("Anna Émile Léa Noé Tom Zoé");
    expect(names(inOrder([row("组 10"), row("组 9")], "name", "zh"))).toBe("组 9 组 10");
  });

  it("leaves the server's list as it is", () => {
    inOrder(rows, "name", "fr");
    expect(names(rows)).toBe("Zoé Émile Anna Tom Noé Léa");
  });
});

it("counts states, those that nobody is in left out", () => {
  const rows = [row("a"), row("b", { state: "stuck" }), row("c")];
  expect([...countStates(rows)]).toEqual([
    ["stuck", 1],
    ["working", 2],
  ]);
});

it("a number in the place of a name stays the same when others come", () => {
  const numbers = new Numbers();
  expect([numbers.of("b"), numbers.of("c"), numbers.of("a"), numbers.of("b")]).toEqual([1, 2, 3, 1]);
});

describe("dots", () => {
  const steps = ["one", "two", "three"].map((id) => ({ id, title: id, most: 10 }));
  const outline = { parts: [], labs: { "pod-phases": { title: "Pods", steps } } };

  it("are the lab's steps: passed, here, open", () => {
    expect(dotsOf(row("Léa", { passedHere: ["one"] }), outline)).toEqual(["passed", "here", "open"]);
  });

  it("are not there without a lab", () => {
    expect(dotsOf(row("Léa", { presence: null }), outline)).toEqual([]);
    expect(dotsOf(row("Léa", { presence: { ...presence, lab: "gone" } }), outline)).toEqual([]);
  });
});

describe("durations", () => {
  const t = stringsFor("fr");

  it("are told in whole minutes, hours, days", () => {
    expect(lastingText(t, -5)).toBe("à l’instant");
    expect(lastingText(t, 59_999)).toBe("à l’instant");
    expect(lastingText(t, 12 * 60_000)).toBe("12\u202fmin");
    expect(lastingText(t, 65 * 60_000)).toBe("1\u202fh\u202f05");
    expect(lastingText(t, 50 * 3_600_000)).toBe("2 jours");
  });

  it("of a step are told in seconds while they are short", () => {
    expect(tookText(t, 41_600)).toBe("42\u202fs");
    expect(tookText(t, 60_000)).toBe("1\u202fmin");
  });
});
