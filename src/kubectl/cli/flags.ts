// Command line flags with the rules of Go's pflag: shorthands, combined shorthands, `--flag value`, `--flag=value`, flags that need no
// value, `--`. Errors are worded as pflag words them.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { type Int64, int64 } from "#cluster/api/wire.ts";
import { type FlagInfo, helpFlag } from "../help/catalog-reader.ts";

/** A mistake on the command line; the caller adds where to find help. */
export class FlagError extends Error {}

export interface ParsedLine {
  readonly flags: Flags;
  /** Arguments that are not flags, those after `--` included. */
  readonly args: readonly string[];
  /** How many of `args` stood before `--`; undefined without `--`. */
  readonly argsBeforeDash: number | undefined;
  readonly helpWanted: boolean;
  /** Deprecated flags that were used, with what to say. */
  readonly notices: readonly string[];
}

function goQuote(text: string): string {
  return JSON.stringify(text);
}

function checkInteger(value: string, bits: 32 | 64, parser: string): void {
  if (!/^[+-]?(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][0-9_]*)$/.test(value)) {
    throw new FlagError(`strconv.${parser}: parsing ${goQuote(value)}: invalid syntax`);
  }
  const limit = 2n ** BigInt(bits - 1);
  const magnitude = BigInt(
    value
      .replace(/^[+-]/, "")
      .replaceAll("_", "")
      .replace(/^0([0-7]+)$/, "0o$1"),
  );
  const outside = value.startsWith("-") ? magnitude > limit : magnitude >= limit;
  if (outside) throw new FlagError(`strconv.${parser}: parsing ${goQuote(value)}: value out of range`);
}

const boolTexts = new Map<string, string>([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, "true"] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, "false"] as const),
]);

/** One line of comma-separated values, with CSV quoting. */
export function splitCsv(text: string): readonly string[] {
  if (text === "") return [];
  const result: string[] = [];
  let rest = text;
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(,|$)/.exec(rest);
    if (quoted !== null) {
      result.push((quoted[1] as string).replaceAll('""', '"'));
      rest = rest.slice(quoted[0].length);
      if (quoted[2] === "") return result;
      continue;
    }
    if (rest.startsWith('"')) throw new FlagError('parse error on line 1, column 1: extraneous or missing " in quoted-field');
    const comma = rest.indexOf(",");
    const field = comma < 0 ? rest : rest.slice(0, comma);
    if (field.includes('"'))
      throw new FlagError(`parse error on line 1, column ${field.indexOf('"') + 1}: bare " in non-quoted-field`);
    result.push(field);
    if (comma < 0) return result;
    rest = rest.slice(comma + 1);
  }
}

/** Checks a value and returns it as it is kept. */
function accept(flag: FlagInfo, value: string): string {
  switch (flag.type) {
    case "bool": {
      const known = boolTexts.get(value);
      if (known === undefined) throw new FlagError(`strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`);
      return known;
    }
    case "tristate": {
      const known = boolTexts.get(value);
      if (known === undefined) throw new FlagError(`strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`);
      return known;
    }
    case "int":
    case "int64":
      checkInteger(value, 64, "ParseInt");
      return value;
    case "int32":
      checkInteger(value, 32, "ParseInt");
      return value;
    case "Level":
      checkInteger(value, 32, "ParseInt");
      return value;
    case "duration": {
      const parsed = parseGoDuration(value);
      if ("error" in parsed) throw new FlagError(parsed.error);
      return value;
    }
    default:
      return value;
  }
}

/** The values of a command's flags. Asking for a flag that the command does not have is a programmer's error. */
export class Flags {
  readonly #infos: ReadonlyMap<string, FlagInfo>;
  readonly #values = new Map<string, string[]>();

  constructor(infos: readonly FlagInfo[]) {
    this.#infos = new Map([...infos].reverse().map((info) => [info.name, info]));
  }

  find(name: string): FlagInfo | undefined {
    return this.#infos.get(name.replaceAll("_", "-"));
  }

  findShort(letter: string): FlagInfo | undefined {
    for (const info of this.#infos.values()) if (info.shorthand === letter) return info;
    return letter === helpFlag.shorthand ? helpFlag : undefined;
  }

  all(): readonly FlagInfo[] {
    return [...this.#infos.values()];
  }

  set(flag: FlagInfo, value: string): void {
    const label = flag.shorthand === "" ? `--${flag.name}` : `-${flag.shorthand}, --${flag.name}`;
    try {
      const values = flag.type === "stringSlice" ? splitCsv(value) : [accept(flag, value)];
      const repeats = flag.type === "stringSlice" || flag.type === "stringArray" || flag.type === "stringToString";
      this.#values.set(flag.name, repeats ? [...(this.#values.get(flag.name) ?? []), ...values] : [...values]);
    } catch (error) {
      if (!(error instanceof FlagError)) throw error;
      throw new FlagError(`invalid argument ${goQuote(value)} for ${goQuote(label)} flag: ${error.message}`);
    }
  }

  #info(name: string): FlagInfo {
    const info = this.#infos.get(name);
    if (info === undefined) throw new Error(`flag accessed but not defined: ${name}`);
    return info;
  }

  has(name: string): boolean {
    return this.#infos.has(name);
  }

  /** Whether it takes several values: `--user` of some commands names subjects, not the kubeconfig's user. */
  isList(name: string): boolean {
    const { type } = this.#info(name);
    return type === "stringArray" || type === "stringSlice";
  }

  /** Was it given on the command line? */
  changed(name: string): boolean {
    return this.#values.has(this.#info(name).name);
  }

  /** What was given on the command line, in its order. */
  given(): readonly (readonly [name: string, value: string])[] {
    return [...this.#values].flatMap(([name, values]) => values.map((value) => [name, value] as const));
  }

  text(name: string): string {
    const info = this.#info(name);
    return this.#values.get(name)?.at(-1) ?? info.defaultText;
  }

  bool(name: string): boolean {
    return this.text(name) === "true";
  }

  number(name: string): number {
    return Number(
      this.text(name)
        .replaceAll("_", "")
        .replace(/^([+-]?)0([0-7]+)$/, "$10o$2"),
    );
  }

  /** A flag of 64 bits. */
  int64(name: string): Int64 {
    const text = this.text(name).replaceAll("_", "");
    const magnitude = BigInt(text.replace(/^[+-]/, "").replace(/^0([0-7]+)$/, "0o$1"));
    return int64(text.startsWith("-") ? -magnitude : magnitude);
  }

  durationMs(name: string): number {
    const parsed = parseGoDuration(this.text(name));
    return "ms" in parsed ? parsed.ms : 0;
  }

  list(name: string): readonly string[] {
    const info = this.#info(name);
    const given = this.#values.get(name);
    if (given !== undefined) return given;
    const inner = info.defaultText.replace(/^\[|\]$/g, "");
    return inner === "" ? [] : inner.split(",");
  }
}

/** Reads `argv` (without the words that name the command). Throws FlagError. */
export function parseFlags(infos: readonly FlagInfo[], argv: readonly string[]): ParsedLine {
  const flags = new Flags(infos);
  const args: string[] = [];
  const notices: string[] = [];
  let argsBeforeDash: number | undefined;
  let helpWanted = false;

  const apply = (flag: FlagInfo, value: string) => {
    if (flag === helpFlag) {
      helpWanted = true;
      return;
    }
    if (flag.deprecation !== "") notices.push(`Flag --${flag.name} has been deprecated, ${flag.deprecation}\n`);
    flags.set(flag, value);
  };

  let index = 0;
  const next = (missing: string): string => {
    index += 1;
    const value = argv[index];
    if (value === undefined) throw new FlagError(`flag needs an argument: ${missing}`);
    return value;
  };

  const readLong = (word: string) => {
    const body = word.slice(2);
    const equals = body.indexOf("=");
    const name = equals < 0 ? body : body.slice(0, equals);
    if (name === "" || name.startsWith("-") || name.startsWith("=")) throw new FlagError(`bad flag syntax: ${word}`);
    const flag = name === "help" ? helpFlag : flags.find(name);
    if (flag === undefined) throw new FlagError(`unknown flag: --${name}`);
    if (equals >= 0) apply(flag, body.slice(equals + 1));
    else apply(flag, flag.bareValue ?? next(word));
  };

  const readShort = (word: string) => {
    let rest = word.slice(1);
    while (rest !== "") {
      const letter = rest[0] as string;
      const flag = flags.findShort(letter);
      if (flag === undefined) throw new FlagError(`unknown shorthand flag: '${letter}' in ${word}`);
      if (rest.length > 2 && rest[1] === "=") return apply(flag, rest.slice(2));
      if (flag.bareValue !== undefined) apply(flag, flag.bareValue);
      else if (rest.length > 1) return apply(flag, rest.slice(1));
      else return apply(flag, next(`'${letter}' in ${word}`));
      rest = rest.slice(1);
    }
  };

  for (; index < argv.length; index += 1) {
    const word = argv[index] as string;
    if (word === "--") {
      argsBeforeDash = args.length;
      args.push(...argv.slice(index + 1));
      break;
    }
    if (word.startsWith("--")) readLong(word);
    else if (word.startsWith("-") && word.length > 1) readShort(word);
    else args.push(word);
    if (helpWanted) break;
  }
  return { flags, args, argsBeforeDash, helpWanted, notices };
}
