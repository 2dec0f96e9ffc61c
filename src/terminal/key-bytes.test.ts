import { describe, expect, it } from "vitest";
import { fittingFontPx } from "./font-fit.ts";
import { bytesOf, withCtrl } from "./key-bytes.ts";

const free = { ctrl: false, applicationCursor: false };

describe("the key row", () => {
  it("sends what the keys of a keyboard send", () => {
    expect((["escape", "tab", "up", "left", "pipe", "slash", "dash"] as const).map((key) => bytesOf(key, free))).toEqual([
      "\u001b",
      "\t",
      "\u001b[A",
      "\u001b[D",
      "|",
      "/",
      "-",
    ]);
    expect(bytesOf("down", { ...free, applicationCursor: true })).toBe("\u001bOB");
    expect(bytesOf("right", { ...free, ctrl: true })).toBe("\u001b[1;5C");
  });

  it("holds Ctrl for one typed character", () => {
    expect(["c", "C", "d", "[", "_", " ", "/"].map(withCtrl)).toEqual([
      "\u0003",
      "\u0003",
      "\u0004",
      "\u001b",
      "\u001f",
      "\0",
      "\u001f",
    ]);
    expect(["é", "集", "\r", "kubectl"].map(withCtrl)).toEqual(["é", "集", "\r", "kubectl"]);
  });
});

describe("letters on a narrow screen", () => {
  it("become as small as a table of kubectl asks for, and never unreadable", () => {
    expect(fittingFontPx(13, 46)).toBe(10.5);
    expect(fittingFontPx(13, 52)).toBe(11.5);
    expect(fittingFontPx(13, 30)).toBe(10.5);
    expect(fittingFontPx(13, 80)).toBe(13);
    expect(fittingFontPx(10, 30)).toBe(10);
  });
});
