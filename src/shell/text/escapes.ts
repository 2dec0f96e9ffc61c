// Backslash escapes as echo -e, printf and $'…' read them.

import { byteText, joinedBytes } from "./raw-bytes.ts";

const simple: { readonly [char: string]: string } = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

export interface Unescaped {
  readonly text: string;
  /** A `\c` ended the text: nothing more is to be printed. */
  readonly stopped: boolean;
}

/** `octalZero`: octal needs a leading 0, as in echo -e and %b; otherwise \NNN, as in printf formats. */
export function expandEscapes(text: string, octalZero: boolean): Unescaped {
  let stopped = false;
  const pattern = octalZero
    ? /\\(?:0([0-7]{0,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(c)[\s\S]*|([abeEfnrtv\\]))/gu
    : /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(c)[\s\S]*|([abeEfnrtv\\"']))/gu;
  const result = text.replace(pattern, (_all, ...found) => {
    const [octal, hex, u4, u8, stop, one] = found;
    if (octal !== undefined) return byteText(Number.parseInt(octal === "" ? "0" : octal, 8) & 0xff);
    if (hex !== undefined) return byteText(Number.parseInt(hex, 16));
    const code = u4 ?? u8;
    if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
    if (stop !== undefined) {
      stopped = true;
      return "";
    }
    return simple[one] ?? one;
  });
  return { text: joinedBytes(result), stopped };
}
