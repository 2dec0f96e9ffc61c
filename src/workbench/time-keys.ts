// Single keys for the world's clock, where no text is being typed; the reader may turn them off.

import type { ReadonlySignal } from "@preact/signals";
import type { ClockVerbs, LabSession } from "#lab/session.ts";
import type { Preferences } from "../course/preferences.ts";
import { takesLetters } from "./single-keys.ts";

export const timeKeys = { pause: "k", instant: ".", write: "w" } as const;

interface Clocked {
  readonly preferences: ReadonlySignal<Pick<Preferences, "singleKeys">>;
  readonly session: Pick<LabSession, "state"> & { readonly clock: Pick<ClockVerbs, "view" | "setPaused" | "step"> };
}

/** Listens until the returned function is called. */
export function listenForTimeKeys(desk: Clocked): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (!desk.preferences.value.singleKeys || takesLetters(event.target) || desk.session.state.value.kind !== "ready") return;
    const { session } = desk;
    if (event.key === timeKeys.pause) session.clock.setPaused(!session.clock.view.value.paused);
    else if (event.key === timeKeys.instant) session.clock.step("instant");
    else if (event.key === timeKeys.write) session.clock.step("write");
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
