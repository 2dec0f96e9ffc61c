// Command lines as Go's flag package reads them: `-name value`, `-name=value`, one dash or two, up to the first operand.

export class CfsslFailure extends Error {
  readonly status: number;

  constructor(text: string, status = 1) {
    super(text);
    this.status = status;
  }
}

export interface GoFlags {
  has(name: string): boolean;
  /** "" when it was not given. */
  value(name: string): string;
  readonly operands: readonly string[];
}

export interface FlagNames {
  /** Names without a value, separated by blanks. */
  readonly switches: string;
  readonly valued: string;
  /** What the real program knows and this one does not act on. */
  readonly unsupported: string;
  /** Told behind a flag that does not exist. */
  readonly usage: string;
}

/** Throws CfsslFailure for what is none of the names. */
export function readGoFlags(program: string, words: readonly string[], names: FlagNames): GoFlags {
  const [switches, valued, unsupported] = [names.switches, names.valued, names.unsupported].map((list) => list.split(" "));
  const found = new Map<string, string>();
  let at = 0;
  for (; at < words.length; at += 1) {
    const match = /^--?([^-=][^=]*)(?:=(.*))?$/su.exec(words[at] as string);
    if (match === null) break;
    const [, name = "", given] = match;
    if (name === "h" || name === "help") throw new CfsslFailure(names.usage, 0);
    if (unsupported?.includes(name) === true) throw new CfsslFailure(`${program}: -${name} is not simulated`);
    if (switches?.includes(name) === true) {
      if (given !== undefined && given !== "true" && given !== "false")
        throw new CfsslFailure(`invalid boolean value ${JSON.stringify(given)} for -${name}: parse error\n${names.usage}`, 2);
      if (given !== "false") found.set(name, "true");
      continue;
    }
    if (valued?.includes(name) !== true) throw new CfsslFailure(`flag provided but not defined: -${name}\n${names.usage}`, 2);
    if (given === undefined) at += 1;
    const value = given ?? words[at];
    if (value === undefined) throw new CfsslFailure(`flag needs an argument: -${name}\n${names.usage}`, 2);
    found.set(name, value);
  }
  if (words[at] === "--") at += 1;
  return { has: (name) => found.has(name), value: (name) => found.get(name) ?? "", operands: words.slice(at) };
}
