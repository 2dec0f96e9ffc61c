import { describe, expect, it } from "vitest";
import { fragmentOf, type View, viewOf } from "./views.ts";

const token = "a".repeat(43);

describe("views in the address", () => {
  it.each<[string, View]>([
    ["#classes", { kind: "classes" }],
    ["#account", { kind: "account" }],
    ["#team", { kind: "team" }],
    [`#${token}`, { kind: "invited", token }],
    ["#class/k1", { kind: "class", id: "k1", tab: "board" }],
    ["#class/k1/figures", { kind: "class", id: "k1", tab: "figures" }],
    ["#class/k1/exams", { kind: "class", id: "k1", tab: "exams" }],
    ["#class/k1/exam/e-3", { kind: "exam", id: "k1", exam: "e-3" }],
    ["#class/k1/learner/l-2", { kind: "learner", id: "k1", learner: "l-2" }],
  ])("%s is read and written", (fragment, view) => {
    expect(viewOf(fragment)).toEqual(view);
    expect(fragmentOf(view)).toBe(fragment);
  });

  it.each([
    "",
    "#",
    "#nothing",
    "#class",
    "#class/k1/nothing",
    "#class/k1/learner",
    "#class/k1/learner/l/x",
    "#class/k1/exam",
    "#class/k1/exam/e/x",
    "#class/a b",
    "#account/x",
    "#team/x",
  ])("%s leads to the classes", (fragment) => {
    expect(viewOf(fragment)).toEqual({ kind: "classes" });
  });
});
