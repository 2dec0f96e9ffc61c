// A terminal on the page: xterm bound to a port of the lab, sized to its place, coloured by the site's properties.

import { FitAddon } from "@xterm/addon-fit";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import type { TerminalPort } from "#lab/session.ts";
import { fittingFontPx } from "./font-fit.ts";
import { bytesOf, type RowKey, withCtrl } from "./key-bytes.ts";
import { handleKey, type KeyActions } from "./keys.ts";
import { Reading } from "./reading.ts";
import { readFont, readTheme } from "./theme.ts";
import { followFinger } from "./touch-scroll.ts";

export interface ScreenOptions {
  readonly fontSizePx: number;
  /** The reader has not chosen the size: letters may be smaller where the screen is narrow. */
  readonly fitsFont: boolean;
  readonly screenReader: boolean;
}

export interface ScreenEvents {
  /** Esc was pressed twice: the keyboard goes back to the page. */
  readonly leave: () => void;
  readonly clipboardDenied: () => void;
  /** Keys or a paste leave for the shell. */
  readonly typed: () => void;
  /** The shell's prompt waits for a command, or something runs. */
  readonly atPrompt: (atPrompt: boolean) => void;
  /** `KeyActions.resume` */
  readonly resume: () => boolean;
  /** The key row's Ctrl was used up, or set. */
  readonly ctrlHeld: (held: boolean) => void;
}

/** One attached terminal. */
export interface Screen {
  /** False when it cannot take the keyboard now: it is hidden. */
  focus(): boolean;
  change(options: ScreenOptions): void;
  /** A key of the key row. Ctrl holds for the next key, pressed or typed. */
  press(key: RowKey): void;
  /** Takes the screen off the page; the port stays open. */
  detach(): void;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Before a screen could be measured. */
export const defaultSize: Size = { columns: 80, rows: 24 };

function openTerminal(place: HTMLElement, options: ScreenOptions): Terminal {
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: false,
    fontFamily: readFont(place),
    fontSize: options.fontSizePx,
    lineHeight: 1.2,
    minimumContrastRatio: 4.5,
    screenReaderMode: options.screenReader,
    // The width of the scroll bar, for want of a better name in xterm.
    overviewRuler: { width: 10 },
    scrollback: 5_000,
    theme: readTheme(place),
  });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  terminal.open(place);
  return terminal;
}

function readingOf(terminal: Terminal, port: TerminalPort, atPrompt: ScreenEvents["atPrompt"]): Reading {
  const reading = new Reading({
    isAlternate: () => terminal.buffer.active.type === "alternate",
    isCanonical: () => port.canonical.value,
  });
  reading.onPrompt = atPrompt;
  const bracketed = (on: boolean) => (modes: readonly (number | number[])[]) => {
    if (modes.includes(2004)) reading.bracketed(on);
    // xterm acts on it too.
    return false;
  };
  terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, bracketed(true));
  terminal.parser.registerCsiHandler({ prefix: "?", final: "l" }, bracketed(false));
  return reading;
}

/** Keeps the terminal as large as its place. */
function keepFitting(place: HTMLElement, terminal: Terminal, options: ScreenOptions) {
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  let { fontSizePx, fitsFont } = options;
  const refit = (): void => {
    // A folded or hidden place has no size; a terminal of 2 × 1 would reflow the whole scrollback.
    if (place.clientWidth <= 80 || place.clientHeight <= 40) return;
    const columns = ((fit.proposeDimensions()?.cols ?? 0) * (terminal.options.fontSize ?? fontSizePx)) / fontSizePx;
    terminal.options.fontSize = fitsFont ? fittingFontPx(fontSizePx, Math.floor(columns)) : fontSizePx;
    fit.fit();
  };
  const observer = new ResizeObserver(refit);
  observer.observe(place);
  refit();
  // The web font may arrive after the first measurement.
  void document.fonts.load(`${options.fontSizePx}px "Source Code Pro Variable"`).then(() => {
    terminal.options.fontFamily = `${readFont(place)}, monospace`;
    refit();
  });
  return {
    change: (next: ScreenOptions): void => {
      ({ fontSizePx, fitsFont } = next);
      refit();
    },
    stop: (): void => observer.disconnect(),
  };
}

function keyActions(terminal: Terminal, reading: Reading, events: ScreenEvents): KeyActions {
  return {
    mayLeave: () => reading.isByLines,
    resume: events.resume,
    leave: () => {
      terminal.blur();
      events.leave();
    },
    selection: () => terminal.getSelection(),
    clearSelection: () => terminal.clearSelection(),
    clipboardDenied: events.clipboardDenied,
  };
}

/** Draws a port's terminal into `place` and keeps both the same size. */
export function attachScreen(place: HTMLElement, port: TerminalPort, options: ScreenOptions, events: ScreenEvents): Screen {
  const terminal = openTerminal(place, options);
  const reading = readingOf(terminal, port, events.atPrompt);
  const send = (data: string): void => {
    reading.sent(data);
    port.write(data);
    events.typed();
  };
  let ctrl = false;
  const holdCtrl = (held: boolean): void => {
    if (ctrl === held) return;
    ctrl = held;
    events.ctrlHeld(held);
  };
  terminal.attachCustomKeyEventHandler(handleKey(keyActions(terminal, reading, events)));
  terminal.onData((data) => {
    send(ctrl ? withCtrl(data) : data);
    holdCtrl(false);
  });
  terminal.onBinary((data) => port.write(Uint8Array.from(data, (character) => character.charCodeAt(0))));
  terminal.onResize(({ cols, rows }) => port.resize({ columns: cols, rows }));
  const fitting = keepFitting(place, terminal, options);
  const arrow = (key: "up" | "down"): string =>
    bytesOf(key, { ctrl: false, applicationCursor: terminal.modes.applicationCursorKeysMode });
  const stopFollowing = followFinger(
    place,
    () => Math.max(1, place.clientHeight / terminal.rows),
    (rowsBack) => {
      // On the alternate screen nothing lies above: pagers and editors move by arrows, as by a wheel.
      if (terminal.buffer.active.type === "alternate") send(arrow(rowsBack > 0 ? "up" : "down").repeat(Math.abs(rowsBack)));
      else terminal.scrollLines(-rowsBack);
    },
  );
  port.onOutput((data) => terminal.write(data));
  return {
    focus: () => {
      terminal.focus();
      return place.contains(document.activeElement);
    },
    change: (next) => {
      terminal.options.screenReaderMode = next.screenReader;
      fitting.change(next);
    },
    press: (key) => {
      if (key === "ctrl") return holdCtrl(!ctrl);
      const held = { ctrl, applicationCursor: terminal.modes.applicationCursorKeysMode };
      terminal.scrollToBottom();
      send(bytesOf(key, held));
      holdCtrl(false);
    },
    detach: () => {
      fitting.stop();
      stopFollowing();
      terminal.dispose();
    },
  };
}
