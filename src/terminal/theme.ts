// Colours and typeface of terminals, read from the site's CSS properties.

import type { ITheme } from "@xterm/xterm";

export function readTheme(place: Element): ITheme {
  const style = getComputedStyle(place);
  const colour = (name: string): string => style.getPropertyValue(`--terminal-${name}`).trim();
  return {
    background: colour("paper"),
    foreground: colour("ink"),
    cursor: colour("cursor"),
    cursorAccent: colour("paper"),
    selectionBackground: colour("selection"),
    scrollbarSliderBackground: colour("black"),
    scrollbarSliderHoverBackground: colour("selection"),
    scrollbarSliderActiveBackground: colour("selection"),
    overviewRulerBorder: colour("paper"),
    black: colour("black"),
    red: colour("red"),
    green: colour("green"),
    yellow: colour("yellow"),
    blue: colour("blue"),
    magenta: colour("magenta"),
    cyan: colour("cyan"),
    white: colour("white"),
    brightBlack: colour("bright-black"),
    brightRed: colour("red"),
    brightGreen: colour("green"),
    brightYellow: colour("yellow"),
    brightBlue: colour("blue"),
    brightMagenta: colour("magenta"),
    brightCyan: colour("cyan"),
    brightWhite: colour("white"),
  };
}

export function readFont(place: Element): string {
  return getComputedStyle(place).getPropertyValue("--mono").trim();
}
