// The arguments of openssl's commands: `-name` and `-name value`, in any order, with operands behind them.

import { OpensslFailure } from "./failure.ts";

export interface Arguments {
  has(name: string): boolean;
  /** The last value given. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
  /** Options in the order given. */
  readonly given: readonly string[];
  readonly operands: readonly string[];
}

/** `flags` and `valued` are names separated by blanks. Throws for a name that is neither. */
export function readArguments(command: string, words: readonly string[], flags: string, valued: string): Arguments {
  const plain = flags.split(" ");
  const withValue = valued.split(" ");
  const found: (readonly [string, string])[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    if (!word.startsWith("-") || word === "-") break;
    const name = word.replace(/^--?/, "");
    if (plain.includes(name)) found.push([name, ""]);
    else if (withValue.includes(name)) {
      at += 1;
      const value = words[at];
      if (value === undefined)
        throw new OpensslFailure(`${command}: Option -${name} needs a value\n${command}: Use -help for summary.`);
      found.push([name, value]);
    } else throw new OpensslFailure(`${command}: ${unknownOption(command, name)}\n${command}: Use -help for summary.`);
  }
  const values = (name: string): readonly string[] => found.filter(([each]) => each === name).map(([, value]) => value);
  return {
    has: (name) => found.some(([each]) => each === name),
    value: (name) => values(name).at(-1),
    values,
    given: found.map(([name]) => name),
    operands: words.slice(at),
  };
}

const withoutOwnNames: ReadonlySet<string> = new Set(["verify", "rand", "s_client"]);
const withCiphers: ReadonlySet<string> = new Set(["genrsa", "rsa", "pkey", "genpkey"]);

/** Commands that take ciphers or digests by their names take an unknown name for one of these. */
function unknownOption(command: string, name: string): string {
  if (withoutOwnNames.has(command)) return `Unknown option: -${name}`;
  if (command === "x509") return `Unknown option or cipher: ${name}`;
  return withCiphers.has(command) ? `Unknown cipher: ${name}` : `Unknown option or message digest: ${name}`;
}
