// Permission bits: `-rwxr-xr-x`, and the language of chmod and mkdir -m.

import { asciiUpperCase } from "#sim/ascii.ts";
import type { FileStat } from "#sim/files.ts";
import { ToolFailure } from "./tool.ts";

const typeLetters: { readonly [type: string]: string } = { directory: "d", symlink: "l", fifo: "p", socket: "s", character: "c" };

/** `drwxr-xr-x` */
export function modeText(stat: FileStat): string {
  const bits = stat.permissions;
  let text = typeLetters[stat.type] ?? "-";
  for (let shift = 6; shift >= 0; shift -= 3) {
    const part = (bits >> shift) & 7;
    const special = (bits & [0o1000, 0o2000, 0o4000][shift / 3]!) !== 0;
    const letter = shift === 0 ? "t" : "s";
    text += part & 4 ? "r" : "-";
    text += part & 2 ? "w" : "-";
    if (special) text += part & 1 ? letter : asciiUpperCase(letter);
    else text += part & 1 ? "x" : "-";
  }
  return text;
}

/** Applies `755` or `u+x,go-w` to permission bits. Throws ToolFailure. */
export function applyMode(mode: string, before: number, directory: boolean, mask: number): number {
  if (/^[0-7]{1,4}$/u.test(mode)) return Number.parseInt(mode, 8);
  let bits = before;
  for (const clause of mode.split(",")) {
    const match = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)$/u.exec(clause);
    if (match === null) throw new ToolFailure(`invalid mode: '${mode}'`);
    const who = match[1] === "" || match[1]?.includes("a") === true ? "ugo" : (match[1] as string);
    const allowed = match[1] === "" ? ~mask : ~0;
    for (const [, operator, letters] of (match[2] as string).matchAll(/([-+=])([rwxXstugo]*)/gu)) {
      let value = 0;
      for (const letter of letters as string) {
        if ("ugo".includes(letter)) value |= (before >> { u: 6, g: 3, o: 0 }[letter as "u" | "g" | "o"]) & 7;
        else if (letter === "r") value |= 4;
        else if (letter === "w") value |= 2;
        else if (letter === "x" || (letter === "X" && (directory || (before & 0o111) !== 0))) value |= 1;
      }
      let spread = 0;
      let field = 0;
      for (const [letter, shift] of [
        ["u", 6],
        ["g", 3],
        ["o", 0],
      ] as const) {
        if (!who.includes(letter)) continue;
        spread |= value << shift;
        field |= 7 << shift;
      }
      if (letters?.includes("s") === true) spread |= (who.includes("u") ? 0o4000 : 0) | (who.includes("g") ? 0o2000 : 0);
      if (letters?.includes("t") === true) spread |= 0o1000;
      spread &= allowed;
      if (operator === "+") bits |= spread;
      else if (operator === "-") bits &= ~spread;
      else bits = (bits & ~field) | spread;
    }
  }
  return bits & 0o7777;
}
