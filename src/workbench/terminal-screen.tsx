// One terminal: what must be known before typing into it, a row of keys where there is no keyboard, and its screen.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { defaultPreferences } from "../course/preferences.ts";
import { attachScreen, type Screen, type ScreenOptions } from "../terminal/screen.ts";
import type { Desk, TerminalTab } from "./desk.ts";
import { KeyRow } from "./key-row.tsx";
import { TerminalNotice } from "./terminal-notice.tsx";

interface TerminalScreenProps {
  readonly desk: Desk;
  readonly tab: TerminalTab;
  /** Its tab is the chosen one. */
  readonly active: boolean;
  /** The zone is not folded. */
  readonly shown: boolean;
}

export function TerminalScreen({ desk, tab, active, shown }: TerminalScreenProps) {
  const { session } = desk;
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | undefined>(undefined);
  const ctrlHeld = useSignal(false);
  const atPrompt = useSignal(true);
  /** Something was typed since the cluster was paused. */
  const typedWhilePaused = useSignal(false);
  const { paused } = session.clock.view.value;
  const waits = paused && session.state.value.kind === "ready" && (typedWhilePaused.value || !atPrompt.value);
  const options = screenOptions(desk);
  const id = tab.port.id;
  useEffect(() => {
    if (place.current === null) return;
    const attached = attachScreen(place.current, tab.port, options, {
      leave: () => leave(desk, id),
      clipboardDenied: () => desk.announce(desk.t("workbench.terminal.clipboardDenied")),
      typed: () => {
        typedWhilePaused.value = session.clock.view.value.paused;
      },
      atPrompt: (now) => {
        atPrompt.value = now;
      },
      resume: () => {
        const { paused } = session.clock.view.value;
        if (paused) session.clock.setPaused(false);
        return paused;
      },
      ctrlHeld: (held) => {
        ctrlHeld.value = held;
      },
    });
    screen.current = attached;
    desk.setTerminalFocus(id, attached.focus);
    return () => {
      desk.setTerminalFocus(id, undefined);
      attached.detach();
    };
    // The screen lives as long as its tab; later changes of size and mode go through `change`.
  }, [desk, tab]);
  useEffect(() => {
    if (active && shown) desk.terminalShown(id);
  }, [desk, id, active, shown]);
  useEffect(() => {
    if (!paused) typedWhilePaused.value = false;
  }, [paused, typedWhilePaused]);
  useEffect(() => screen.current?.change(options), [options.fontSizePx, options.screenReader]);
  return (
    <div
      class="screen"
      role="tabpanel"
      id={`screen-${id}`}
      aria-labelledby={`tab-${id}`}
      data-place={desk.placeOf(id)}
      hidden={!active}
    >
      <TerminalNotice desk={desk} waits={waits} />
      <KeyRow desk={desk} ctrlHeld={ctrlHeld.value} press={(key) => screen.current?.press(key)} />
      <div class="screen-place" ref={place} />
    </div>
  );
}

function screenOptions(desk: Desk): ScreenOptions {
  const { terminalFontSizePx, screenReader } = desk.preferences.value;
  return {
    fontSizePx: terminalFontSizePx,
    fitsFont: terminalFontSizePx === defaultPreferences.terminalFontSizePx,
    screenReader,
  };
}

/** The keyboard goes to the terminal's tab; until it goes on from there, letters are no shortcuts (`single-keys.ts`). */
function leave(desk: Desk, id: string): void {
  const tab = document.getElementById(`tab-${id}`);
  if (tab === null) return;
  tab.dataset["besideTerminal"] = "";
  tab.addEventListener("blur", () => delete tab.dataset["besideTerminal"], { once: true });
  tab.focus();
  desk.announce(desk.t("workbench.terminal.left"));
}
