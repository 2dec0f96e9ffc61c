import { signal } from "@preact/signals";
import { beforeEach, describe, expect, it } from "vitest";
import type { ClockView, SessionState } from "#lab/session.ts";
import { listenForTimeKeys } from "./time-keys.ts";

describe("the keys of the clock", () => {
  let page: EventTarget;
  const done: string[] = [];
  const preferences = signal({ singleKeys: true });
  const clock: ClockView = { nowMs: 0, speed: 1, paused: false, eventsPerSecond: 0, context: "", namespace: "" };
  const state = signal<SessionState>({ kind: "ready", resumed: false, lost: undefined });
  const desk = {
    preferences,
    session: {
      state,
      clock: {
        view: signal(clock),
        step: (to: string) => void done.push(to),
        setPaused: (paused: boolean) => void done.push(`paused ${paused}`),
      },
    },
  };

  const press = (key: string, more: object = {}): void => {
    page.dispatchEvent(Object.assign(new Event("keydown", { cancelable: true }), { key, ...more }));
  };

  beforeEach(() => {
    page = new EventTarget();
    done.length = 0;
    preferences.value = { singleKeys: true };
    Object.assign(globalThis, { document: page, Element: class {} });
  });

  it("pause, step by an instant, run to the next write", () => {
    const stop = listenForTimeKeys(desk);
    for (const key of ["k", ".", "w", "x"]) press(key);
    expect(done).toEqual(["paused true", "instant", "write"]);
    stop();
    press("w");
    expect(done).toHaveLength(3);
  });

  it("leave other shortcuts alone, and all keys where the reader wants none", () => {
    listenForTimeKeys(desk);
    press("n", { ctrlKey: true });
    preferences.value = { singleKeys: false };
    press("w");
    expect(done).toEqual([]);
  });
});
