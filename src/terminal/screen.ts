// A terminal on the page: xterm bound to a port of the lab, sized to its place, coloured by the site's properties.

import { FitAddon } from "@xterm/addon-fit";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import type { TerminalPort } from "#lab/session.ts";
import { handleKey, type KeyActions } from "./keys.ts";
import { readFont, readTheme } from "./theme.ts";

export interface ScreenOptions {
  readonly fontSizePx: number;
  readonly screenReader: boolean;
}

export interface ScreenEvents {
  /** Esc was pressed twice: the keyboard goes back to the page. */
  readonly leave: () => void;
  readonly clipboardDenied: () => void;
}

/** One attached terminal. */
export interface Screen {
  /** False when it cannot take the keyboard now: it is hidden. */
  focus(): boolean;
  change(options: ScreenOptions): void;
  /** Takes the screen off the page; the port stays open. */
  detach(): void;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Before a screen could be measured. */
export const defaultSize: Size = { columns: 80, rows: 24 };

/** Draws a port's terminal into `place` and keeps both the same size. */
export function attachScreen(place: HTMLElement, port: TerminalPort, options: ScreenOptions, events: ScreenEvents): Screen {
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
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  terminal.open(place);
  const actions: KeyActions = {
    leave: () => {
      terminal.blur();
      events.leave();
    },
    selection: () => terminal.getSelection(),
    clearSelection: () => terminal.clearSelection(),
    clipboardDenied: events.clipboardDenied,
  };
  terminal.attachCustomKeyEventHandler(handleKey(actions));
  terminal.onData((data) => port.write(data));
  terminal.onBinary((data) => port.write(Uint8Array.from(data, (character) => character.charCodeAt(0))));
  terminal.onResize(({ cols, rows }) => port.resize({ columns: cols, rows }));
  const refit = (): void => {
    // A folded or hidden place has no size; a terminal of 2 × 1 would reflow the whole scrollback.
    if (place.clientWidth > 80 && place.clientHeight > 40) fit.fit();
  };
  const observer = new ResizeObserver(refit);
  observer.observe(place);
  refit();
  // The web font may arrive after the first measurement.
  void document.fonts.load(`${options.fontSizePx}px "Source Code Pro Variable"`).then(() => {
    terminal.options.fontFamily = `${readFont(place)}, monospace`;
    refit();
  });
  port.onOutput((data) => terminal.write(data));
  return {
    focus: () => {
      terminal.focus();
      return place.contains(document.activeElement);
    },
    change: (next) => {
      terminal.options.fontSize = next.fontSizePx;
      terminal.options.screenReaderMode = next.screenReader;
      refit();
    },
    detach: () => {
      observer.disconnect();
      terminal.dispose();
    },
  };
}
