import { describe, expect, it } from "vitest";
import { handleKey } from "./keys.ts";

interface Press {
  readonly key: string;
  readonly code?: string;
  readonly ctrlKey?: boolean;
  readonly shiftKey?: boolean;
  readonly atMs?: number;
  readonly repeat?: boolean;
}

function keyboard({ mayLeave = (): boolean => true, paused = false } = {}) {
  const left: string[] = [];
  const handler = handleKey({
    mayLeave,
    resume: () => {
      if (paused) left.push("resumed");
      return paused;
    },
    leave: () => left.push("left"),
    selection: () => "",
    clearSelection: () => {},
    clipboardDenied: () => {},
  });
  const press = ({ key, code = "", ctrlKey = false, shiftKey = false, atMs = 0, repeat = false }: Press): boolean => {
    const event: Pick<
      KeyboardEvent,
      "type" | "isComposing" | "key" | "code" | "ctrlKey" | "shiftKey" | "timeStamp" | "repeat" | "preventDefault"
    > = {
      type: "keydown",
      isComposing: false,
      key,
      code,
      ctrlKey,
      shiftKey,
      timeStamp: atMs,
      repeat,
      preventDefault: () => {},
    };
    return handler(event as KeyboardEvent);
  };
  return { press, left };
}

describe("keys in a terminal", () => {
  it("Esc goes to the shell; a second one soon after leaves the terminal", () => {
    const { press, left } = keyboard();
    expect(press({ key: "Escape", atMs: 1000 })).toBe(true);
    expect(press({ key: "Escape", atMs: 1400 })).toBe(false);
    expect(left).toEqual(["left"]);
  });

  it("two slow presses of Esc both go to the shell", () => {
    const { press, left } = keyboard();
    expect([press({ key: "Escape", atMs: 1000 }), press({ key: "Escape", atMs: 2000 })]).toEqual([true, true]);
    expect(left).toEqual([]);
  });

  it("no press of Esc leaves while a program takes the keys, and none from then counts later", () => {
    let inEditor = true;
    const { press, left } = keyboard({ mayLeave: () => !inEditor });
    expect([1000, 1200, 1400].map((atMs) => press({ key: "Escape", atMs }))).toEqual([true, true, true]);
    inEditor = false;
    expect(press({ key: "Escape", atMs: 1600 })).toBe(true);
    expect(left).toEqual([]);
  });

  it("Esc held down, or two with another key between them, are no wish to leave", () => {
    const { press, left } = keyboard();
    expect([false, true, true].map((repeat, turn) => press({ key: "Escape", atMs: 1000 + turn * 30, repeat }))).toEqual([
      true,
      true,
      true,
    ]);
    press({ key: "f", atMs: 1200 });
    expect(press({ key: "Escape", atMs: 1300 })).toBe(true);
    expect(left).toEqual([]);
  });

  it("Ctrl-Enter lets a paused cluster go on, and is the shell's while none is paused", () => {
    const paused = keyboard({ paused: true });
    expect(paused.press({ key: "Enter", ctrlKey: true })).toBe(false);
    expect(paused.left).toEqual(["resumed"]);
    expect(keyboard().press({ key: "Enter", ctrlKey: true })).toBe(true);
  });

  it("Ctrl-V pastes where a line is written, and is the program's where one takes the keys", () => {
    const press = { key: "v", code: "KeyV", ctrlKey: true };
    expect(keyboard().press(press)).toBe(false);
    expect(keyboard({ mayLeave: () => false }).press(press)).toBe(true);
  });

  it("a third press after leaving begins anew", () => {
    const { press } = keyboard();
    expect([1000, 1200, 1400].map((atMs) => press({ key: "Escape", atMs }))).toEqual([true, false, true]);
  });

  it.each([
    [{ key: "C", code: "KeyC", ctrlKey: true, shiftKey: true }, false],
    [{ key: "V", code: "KeyV", ctrlKey: true, shiftKey: true }, false],
    [{ key: "Insert", shiftKey: true }, false],
    [{ key: "Insert", ctrlKey: true }, false],
    [{ key: "`", ctrlKey: true }, false],
    [{ key: "c", code: "KeyC", ctrlKey: true }, true],
    [{ key: "Tab" }, true],
    [{ key: "a" }, true],
  ])("%o reaches the shell: %s", (key, reaches) => {
    expect(keyboard().press(key)).toBe(reaches);
  });
});
