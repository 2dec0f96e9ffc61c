import { describe, expect, it } from "vitest";
import { createMarks } from "./owner-marks.ts";

const owner = (name: string, namespace = "default", kind = "Deployment") => ({ namespace, kind, name });

describe("marks of owners", () => {
  it("are a hue and letters in the order of first sight, and stay", () => {
    const markOf = createMarks();
    const marks = [owner("web"), owner("api"), owner("web")].map(markOf);
    expect(marks).toEqual([
      { hue: 1, tag: "web" },
      { hue: 2, tag: "api" },
      { hue: 1, tag: "web" },
    ]);
  });

  it("have letters of their own where hues begin again or names are alike", () => {
    const markOf = createMarks();
    const owners = [...Array.from({ length: 30 }, (_, index) => owner(`service-number-${index}`)), owner("web"), owner("web", "b")];
    expect(new Set(owners.map((one) => markOf(one).tag)).size).toBe(owners.length);
    expect(markOf(owner("web", "b"))).toMatchObject({ tag: "web2" });
    expect(markOf(owner("web", "default", "StatefulSet"))).toMatchObject({ tag: "web3" });
  });

  it("shorten long names to the first letters of their words", () => {
    const markOf = createMarks();
    expect(["nginx-deployment", "backend-api-v2", "counterparty"].map((name) => markOf(owner(name)).tag)).toEqual([
      "nd",
      "bav",
      "coun",
    ]);
  });

  it("leave hues to the learner's owners", () => {
    const markOf = createMarks();
    expect(markOf(owner("coredns", "kube-system")).hue).toBe(0);
    expect(markOf(owner("client", "default", "Pod"))).toEqual({ hue: 0, tag: "client" });
    expect(markOf(owner("web")).hue).toBe(1);
  });
});
