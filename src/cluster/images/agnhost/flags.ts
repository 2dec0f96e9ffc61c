// Command lines as agnhost reads them: cobra's flags, with those that component-base gives every command (component-base/cli/run.go).

import { readDuration } from "./go-words.ts";

export class UsageError extends Error {
  /** The command's usage comes before the message. */
  readonly isAboutFlags: boolean;

  constructor(message: string, isAboutFlags = false) {
    super(message);
    this.isAboutFlags = isAboutFlags;
  }
}

/** A flag whose value is a Go duration. */
export interface Duration {
  readonly ms: number;
}

/** Flags and their defaults, whose types the values have. */
export interface Defaults {
  readonly [name: string]: string | number | boolean | Duration;
}

type Widened<Value> = Value extends string ? string : Value extends number ? number : Value extends boolean ? boolean : Duration;
export type Flags<All extends Defaults> = { readonly [Name in keyof All]: Widened<All[Name]> };

/** What every command understands; only how much is logged changes. */
const shared: Defaults = { v: 0, vmodule: "", "log-flush-frequency": { ms: 5000 }, help: false };
const sharedLetters: { readonly [letter: string]: string } = { v: "v", h: "help" };

/**
 * Flags may stand before, between and behind words; "_" and "-" are one. `help` is true when the usage is asked for.
 * Throws UsageError.
 */
export function readFlags<All extends Defaults>(
  defaults: All,
  letters: { readonly [letter: string]: string },
  line: readonly string[],
): { readonly flags: Flags<All>; readonly words: readonly string[]; readonly help: boolean; readonly verbosity: number } {
  const known: Defaults = { ...shared, ...defaults };
  const byLetter = { ...sharedLetters, ...letters };
  const values: { [name: string]: string | number | boolean | Duration } = { ...known };
  const words: string[] = [];
  const rest = [...line];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      words.push(...rest);
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const isLong = word.startsWith("--");
    const [, given = "", text] = (isLong ? /^--([^=]*)(?:=(.*))?$/su : /^-(.)=?(.+)?$/su).exec(word) ?? [];
    const name = isLong ? given.replaceAll("_", "-") : byLetter[given];
    const usual = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
    if (name === undefined || usual === undefined)
      throw new UsageError(isLong ? `unknown flag: --${given}` : `unknown shorthand flag: '${given}' in ${word}`, true);
    const value = text ?? (usual === true || usual === false ? "true" : rest.shift());
    if (value === undefined)
      throw new UsageError(isLong ? `flag needs an argument: --${name}` : `flag needs an argument: '${given}' in ${word}`, true);
    const letter = Object.keys(byLetter).find((each) => byLetter[each] === name);
    values[name] = readValue(letter === undefined ? `--${name}` : `-${letter}, --${name}`, usual, value);
  }
  const { help, v, ...flags } = values;
  return { flags: flags as Flags<All>, words, help: help === true, verbosity: Number(v) };
}

function readValue(label: string, usual: Defaults[string], text: string): Defaults[string] {
  const refuse = (reason: string): never => {
    throw new UsageError(`invalid argument ${JSON.stringify(text)} for ${JSON.stringify(label)} flag: ${reason}`, true);
  };
  if (typeof usual === "string") return text;
  if (typeof usual === "number") {
    if (!/^[+-]?\d+$/u.test(text)) refuse(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
    return Number(text);
  }
  if (typeof usual === "boolean") {
    if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
    if (["0", "f", "F", "false", "FALSE", "False"].includes(text)) return false;
    return refuse(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const ms = readDuration(text);
  if (ms === undefined)
    return refuse(
      /\d$/u.test(text)
        ? `time: missing unit in duration ${JSON.stringify(text)}`
        : `time: invalid duration ${JSON.stringify(text)}`,
    );
  return { ms };
}

const typeNames: { readonly [type: string]: string } = { string: " string", number: " int", object: " duration" };

/** What `--help` tells of a command. */
export function usageOf(name: string, operands: string, defaults: Defaults): string {
  const width = Math.max(...Object.keys(defaults).map((each) => each.length), 4);
  const lines = Object.entries({ ...defaults, help: false }).map(([flag, usual]) => {
    const type = typeNames[typeof usual] ?? "";
    return `      --${flag.padEnd(width)}${type}\n`;
  });
  return `Usage:\n  app ${name}${operands} [flags]\n\nFlags:\n${lines.sort().join("")}\n`;
}
