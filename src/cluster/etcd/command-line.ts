// The command lines of etcdctl and etcdutl (cobra's): flags before and behind words, and from ETCDCTL_… in the environment.

import { asciiUpperCase } from "#sim/ascii.ts";

export class WrongUse extends Error {}

/** Flags with their defaults; a boolean one takes no value of its own. */
export interface FlagDefaults {
  readonly [name: string]: string | boolean;
}

export interface CommandLine {
  readonly words: readonly string[];
  text(name: string): string;
  has(name: string): boolean;
}

const letters: { readonly [letter: string]: string } = { w: "write-out", h: "help" };

/** Throws WrongUse. */
export function readCommandLine(
  argv: readonly string[],
  known: FlagDefaults,
  environment: ReadonlyMap<string, string> = new Map(),
): CommandLine {
  const values = new Map<string, string | boolean>(Object.entries(known));
  for (const [name, usual] of Object.entries(known)) {
    const given = environment.get(`ETCDCTL_${asciiUpperCase(name.replaceAll("-", "_"))}`);
    if (given !== undefined) values.set(name, typeof usual === "boolean" ? given === "true" : given);
  }
  const words: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      words.push(...rest);
      break;
    }
    const [, long, letter, text] = /^(?:--([^=]+)|-([a-zA-Z]))(?:=?(.+))?$/s.exec(word) ?? [];
    if (long === undefined && letter === undefined) words.push(word);
    else {
      const name = long ?? letters[letter ?? ""];
      const usual = name === undefined ? undefined : known[name];
      if (name === undefined || usual === undefined)
        throw new WrongUse(long === undefined ? `unknown shorthand flag: '${letter}' in ${word}` : `unknown flag: --${long}`);
      if (typeof usual === "boolean") values.set(name, text === undefined || text === "true");
      else {
        const value = text ?? rest.shift();
        if (value === undefined) throw new WrongUse(`flag needs an argument: ${word}`);
        values.set(name, value);
      }
    }
  }
  return {
    words,
    text: (name) => String(values.get(name) ?? ""),
    has: (name) => values.get(name) === true,
  };
}

/** Columns in a box, as tablewriter draws it: heads in the middle, texts on the left, numbers on the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => (row[column] ?? "").length)));
  const rule = `+${widths.map((width) => "-".repeat(width + 2)).join("+")}+\n`;
  const line = (cells: readonly string[], place: (cell: string, width: number) => string): string =>
    `|${widths.map((width, column) => ` ${place(cells[column] ?? "", width)} `).join("|")}|\n`;
  const centred = (cell: string, width: number): string => {
    const left = Math.floor((width - cell.length) / 2);
    return " ".repeat(left) + cell + " ".repeat(width - cell.length - left);
  };
  const sided = (cell: string, width: number): string => (/^\d+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width));
  return rule + line(heads.map(asciiUpperCase), centred) + rule + rows.map((row) => line(row, sided)).join("") + rule;
}

/** As go-humanize has it: three figures at most, by thousands. */
export function humanBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
