// The command lines of the control plane's components, as pflag reads them (k8s.io/component-base/cli): which flags were given,
// and what is wrong with them. What a flag does is its component's matter.

import { once } from "#sim/late.ts";

/** A command line that the process ends with; `logged` when upstream says it in its log rather than plainly. */
export class WrongCommandLine extends Error {
  readonly logged: boolean;

  constructor(message: string, logged: boolean) {
    super(message);
    this.logged = logged;
  }
}

/** One with a name that the component does not know. */
export class UnknownFlag extends WrongCommandLine {
  readonly flag: string;

  constructor(flag: string) {
    super(`unknown flag: --${flag}`, false);
    this.flag = flag;
  }
}

/** The values of each flag that was given, in their order. */
export type GivenFlags = ReadonlyMap<string, readonly string[]>;

export interface KnownFlags {
  /** A wrong name is refused. */
  readonly names: readonly string[];
  /** Those of them that stand alone; all others take the next word where they have no `=`. */
  readonly boolean: readonly string[];
  /** Throws WrongCommandLine for values that are refused. */
  check?(given: GivenFlags): void;
}

export function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

const noWords: ReadonlySet<string> = new Set();

/**
 * Those of a command line; `argv` with the program's name first. `known` is asked about words that are not among the `usual` ones, of the
 * form `--name=value`. Throws WrongCommandLine.
 */
export function flagValues(
  argv: readonly string[],
  known: () => readonly KnownFlags[],
  usual: ReadonlySet<string> = noWords,
): GivenFlags {
  const names = once(() => new Set(known().flatMap((flags) => flags.names)));
  const boolean = once(() => new Set(known().flatMap((flags) => flags.boolean)));
  const values = new Map<string, string[]>();
  let isUsual = true;
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    const [, written = "", equals, text = ""] = /^--?([^=]*)(=?)(.*)$/s.exec(word) ?? [];
    if (!word.startsWith("-")) continue;
    // Underscores are taken for hyphens.
    const name = written.replaceAll("_", "-");
    if (!usual.has(word)) {
      if (!names().has(name)) throw new UnknownFlag(written);
      isUsual = false;
    }
    let value = text;
    if (equals === "" && boolean().has(name)) value = "true";
    else if (equals === "") {
      index += 1;
      const next = argv[index];
      if (next === undefined) throw new WrongCommandLine(`flag needs an argument: --${name}`, false);
      value = next;
    }
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  if (!isUsual) for (const flags of known()) flags.check?.(values);
  return values;
}

/** Flags that were given and do nothing here, as `--name=value`, but for `usual` ones: those that kubeadm writes, which say what is so anyway. */
export function idleFlags(given: GivenFlags, acting: readonly string[], usual: ReadonlySet<string>): readonly string[] {
  return [...given].flatMap(([name, values]) => {
    if (acting.includes(name)) return [];
    return values.map((value) => `--${name}=${value}`).filter((flag) => !usual.has(flag));
  });
}

/** A flag that stands alone, as strconv.ParseBool reads what it is given; `usual` where it is not. Throws WrongCommandLine. */
export function isTrue(given: GivenFlags, name: string, usual: boolean): boolean {
  const text = given.get(name)?.at(-1);
  if (text === undefined) return usual;
  if (/^(1|[tT]|true|True|TRUE)$/.test(text)) return true;
  if (/^(0|[fF]|false|False|FALSE)$/.test(text)) return false;
  const problem = `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw new WrongCommandLine(`invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${problem}`, false);
}
