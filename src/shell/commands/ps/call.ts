// The words of ps: flags with a hyphen and without, long options, and the lists that some of them take.

import { ToolFailure } from "../../toolkit/tool.ts";

/** What a call asks for. */
export interface Call {
  /** Letters of any style that take no word. */
  flags: string;
  format: string | undefined;
  sort: string | undefined;
  hasTitles: boolean;
  /** Processes are shown that one of these lists has; undefined: no such list was given. */
  pids: readonly string[] | undefined;
  names: readonly string[] | undefined;
  users: readonly string[] | undefined;
}

export const failure = (what: string): ToolFailure => new ToolFailure(`error: ${what}\n\nUsage:\n ps [options]`);

/** What follows these letters, in the same word or as the next one. */
const missingWords: { readonly [letter: string]: string } = {
  o: "format specification must follow -o",
  p: "list of process IDs must follow -p",
  C: "list of command names must follow -C",
  u: "list of users must follow -u",
  U: "list of real users must follow -U",
  k: "long sort specification must follow 'k'",
};
const known = /^[aAcdeFfHhjlLMmnrsSTuvwxXyZ]$/u;

export function readWords(words: readonly string[]): Call {
  const call: Call = {
    flags: "",
    format: undefined,
    sort: undefined,
    hasTitles: true,
    pids: undefined,
    names: undefined,
    users: undefined,
  };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (/^\d[\d,]*$/u.test(word)) call.pids = [...(call.pids ?? []), ...listOf(word)];
    else if (word.startsWith("--")) readLong(call, word, rest);
    else readLetters(call, word, rest);
  }
  return call;
}

export const listOf = (text: string): readonly string[] => text.split(/[\s,]+/u).filter((entry) => entry !== "");

function readLong(call: Call, word: string, rest: string[]): void {
  const [, name = "", attached] = /^--([^=]*)(?:=(.*))?$/su.exec(word) ?? [];
  if (name === "no-headers" || name === "no-heading") call.hasTitles = false;
  else if (name === "sort") call.sort = attached ?? rest.shift();
  else if (name === "format") call.format = attached ?? rest.shift();
  else if (name === "pid") take(call, "p", attached ?? rest.shift() ?? "");
  else if (name === "user" || name === "User") take(call, "u", attached ?? rest.shift() ?? "");
  else if (name !== "forest" && name !== "headers" && name !== "cumulative") throw failure("unknown gnu long option");
}

/** `-ef`, `aux`, `-eo pid,args`: with a hyphen u, C and others take a list; -aux is aux, as procps reads it. */
function readLetters(call: Call, word: string, rest: string[]): void {
  const isHyphened = word.startsWith("-") && !/^-a?ux/u.test(word);
  const letters = word.replace(/^-/u, "");
  const taking = isHyphened ? "opCuU" : "opUk";
  for (const [index, letter] of [...letters].entries()) {
    if (taking.includes(letter)) {
      const value = letters.slice(index + 1) || rest.shift();
      if (value === undefined) throw failure(missingWords[letter] as string);
      take(call, letter, value);
      return;
    }
    if (!known.test(letter)) throw failure(isHyphened ? "unsupported SysV option" : "unsupported option (BSD syntax)");
    if (letter === "h" && !isHyphened) call.hasTitles = false;
    call.flags += letter;
  }
}

function take(call: Call, letter: string, value: string): void {
  if (letter === "o") call.format = call.format === undefined ? value : `${call.format},${value}`;
  else if (letter === "k") call.sort = value;
  else if (letter === "p") call.pids = [...(call.pids ?? []), ...listOf(value)];
  else if (letter === "C") call.names = [...(call.names ?? []), ...listOf(value)];
  else call.users = [...(call.users ?? []), ...listOf(value)];
}
