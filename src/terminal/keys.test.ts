import { describe, expect, it } from "vitest";
import { handleKey } from "./keys.ts";

interface Press {
  readonly key: string;
  readonly code?: string;
  readonly ctrlKey?: boolean;
  readonly shiftKey?: boolean;
  readonly atMs?: number;
}

function keyboard() {
  const left: string[] = [];
  const handler = handleKey({
    leave: () => left.push("left"),
    selection: () => "",
    clearSelection: () => {},
    clipboardDenied: () => {},
  });
  const press = ({ key, code = "", ctrlKey = false, shiftKey = false, atMs = 0 }: Press): boolean => {
    const event: Pick<
      KeyboardEvent,
      "type" | "isComposing" | "key" | "code" | "ctrlKey" | "shiftKey" | "timeStamp" | "preventDefault"
    > = {
      type: "keydown",
      isComposing: false,
      key,
      code,
      ctrlKey,
      shiftKey,
      timeStamp: atMs,
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
