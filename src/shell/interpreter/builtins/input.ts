// read, mapfile, getopts.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { assign } from "../parameter.ts";
import { type ReadText, readLine } from "../read-line.ts";
import type { Shell } from "../shell.ts";
import { handleSignals } from "../signals.ts";
import { type Builtin, readBuiltinOptions, refuseOption } from "./builtin.ts";

const readUsage = "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]";

/** Splits by IFS into at most `count` fields; the last takes the rest. Backslash-escaped characters are marked by \0 in front. */
function splitFields(text: string, ifs: string, count: number): string[] {
  const blanks = [...ifs].filter((char) => " \t\n".includes(char)).join("");
  const isBlank = (char: string | undefined) => char !== undefined && blanks.includes(char);
  const fields: string[] = [];
  let rest = text;
  const trimStart = () => {
    while (rest !== "" && isBlank(rest[0])) rest = rest.slice(1);
  };
  trimStart();
  while (rest !== "" && fields.length < count - 1) {
    let end = 0;
    while (end < rest.length && !ifs.includes(rest[end] as string)) end += rest[end] === "\0" ? 2 : 1;
    fields.push(rest.slice(0, end));
    rest = rest.slice(end);
    trimStart();
    if (rest !== "" && ifs.includes(rest[0] as string)) {
      if (!isBlank(rest[0])) rest = rest.slice(1);
      trimStart();
    }
  }
  if (rest !== "") {
    let end = rest.length;
    while (end > 0 && isBlank(rest[end - 1]) && rest[end - 2] !== "\0") end -= 1;
    let last = rest.slice(0, end);
    const final = last.at(-1);
    if (count !== Number.POSITIVE_INFINITY && final !== undefined && ifs.includes(final) && !isBlank(final)) {
      const inner = last.slice(0, -1);
      if (![...inner].some((char) => ifs.includes(char))) last = inner;
    }
    fields.push(last);
  }
  return fields.map((field) => field.replace(/\0/gu, ""));
}

const read: Builtin = function* (shell, args) {
  const { letters, operands, refused } = readBuiltinOptions(args, "a:d:ei:n:N:p:rst:u:");
  if (refused !== undefined) return yield* refuseOption(shell, "read", refused, readUsage);
  const fd = shell.descriptor(Number(letters.get("u") ?? 0));
  const prompt = letters.get("p");
  const tty = shell.self.isTty(fd);
  if (prompt !== undefined && tty) yield* shell.writeError(prompt);
  const timeout = letters.get("t");
  const count = letters.get("n") ?? letters.get("N");
  const options = {
    ...(letters.has("d") ? { delimiter: letters.get("d") === "" ? "\0" : (letters.get("d") as string) } : {}),
    ...(count === undefined ? {} : { maxCharacters: Number(count) }),
    ...(timeout === undefined ? {} : { timeoutMs: Number(timeout) * 1000 }),
  };
  const terminal = tty && (letters.has("s") || count !== undefined) ? shell.self.terminal(fd) : undefined;
  const modes = terminal?.modes;
  if (modes !== undefined) terminal?.setModes({ ...modes, echo: !letters.has("s") && modes.echo, canonical: count === undefined });
  let line: ReadText | undefined;
  let text = "";
  try {
    for (;;) {
      line = yield* interruptible(shell, () => readLine(shell, fd, options));
      const piece = line?.text ?? "";
      if (letters.has("r")) text += piece;
      else {
        text += piece.replace(/\\([\s\S])/gu, "\0$1");
        if (text.endsWith("\\") && line?.complete === true && count === undefined) {
          text = text.slice(0, -1);
          if (shell.interactive) yield* shell.writeError("> ");
          continue;
        }
      }
      break;
    }
  } finally {
    if (modes !== undefined) terminal?.setModes(modes);
  }
  store(shell, letters, operands, text);
  if (line?.timedOut === true) return 142;
  return line?.complete === true ? 0 : 1;
};

function store(shell: Shell, letters: ReadonlyMap<string, string>, names: readonly string[], text: string): void {
  const array = letters.get("a");
  if (array !== undefined) {
    shell.variables.setArray(array, splitFields(text, shell.ifs(), Number.POSITIVE_INFINITY));
    return;
  }
  if (names.length === 0 || letters.has("N")) {
    assign(shell, names[0] ?? "REPLY", undefined, text.replace(/\0/gu, ""));
    return;
  }
  const fields = splitFields(text, shell.ifs(), names.length);
  for (const [index, name] of names.entries()) assign(shell, name, undefined, fields[index] ?? "");
}

/** Reads again after a caught signal, with its trap run. */
function* interruptible<T>(shell: Shell, run: () => Sys<T>): Sys<T> {
  for (;;) {
    try {
      return yield* run();
    } catch (error) {
      if (!(error instanceof SysError && error.code === "EINTR")) throw error;
      yield* handleSignals(shell);
    }
  }
}

const mapfile: Builtin = function* (shell, args) {
  const { letters, operands } = readBuiltinOptions(args, "d:n:O:s:tu:C:c:");
  const fd = shell.descriptor(Number(letters.get("u") ?? 0));
  const limit = Number(letters.get("n") ?? 0);
  const lines: string[] = [];
  let skip = Number(letters.get("s") ?? 0);
  for (;;) {
    if (limit > 0 && lines.length >= limit) break;
    const line = yield* readLine(
      shell,
      fd,
      letters.has("d") ? { delimiter: letters.get("d") === "" ? "\0" : (letters.get("d") as string) } : {},
    );
    if (line === undefined) break;
    if (skip > 0) skip -= 1;
    else lines.push(line.text + (letters.has("t") || !line.complete ? "" : "\n"));
  }
  shell.variables.setArray(operands[0] ?? "MAPFILE", lines);
  return 0;
};

const getopts: Builtin = function* (shell, args) {
  const [spec, name] = args;
  if (spec === undefined || name === undefined) {
    yield* shell.complain("getopts: usage: getopts optstring name [arg ...]");
    return 2;
  }
  const words = args.length > 2 ? args.slice(2) : shell.positional;
  const silent = spec.startsWith(":");
  let index = Number(shell.variables.get("OPTIND") ?? 1);
  let offset = Number(shell.variables.get("_OPTOFFSET") ?? 1);
  const word = words[index - 1];
  const finish = (value: string, status: number, argument?: string) => {
    assign(shell, name, undefined, value);
    assign(shell, "OPTIND", undefined, String(index));
    assign(shell, "_OPTOFFSET", undefined, String(offset));
    if (argument === undefined) shell.variables.unset("OPTARG");
    else assign(shell, "OPTARG", undefined, argument);
    return status;
  };
  if (word === undefined || !/^-./u.test(word) || word === "--") {
    if (word === "--") index += 1;
    offset = 1;
    return finish("?", 1);
  }
  const letter = word[offset] as string;
  offset += 1;
  const at = letter === ":" ? -1 : spec.indexOf(letter);
  const takesArgument = at >= 0 && spec[at + 1] === ":";
  let argument: string | undefined;
  if (takesArgument && offset < word.length) {
    argument = word.slice(offset);
    offset = word.length;
  } else if (takesArgument) {
    index += 1;
    argument = words[index - 1];
  }
  if (offset >= word.length) {
    index += 1;
    offset = 1;
  }
  if (at < 0) {
    if (!silent) yield* shell.writeError(`${shell.errorName}: illegal option -- ${letter}\n`);
    return finish("?", 0, silent ? letter : undefined);
  }
  if (takesArgument && argument === undefined) {
    if (!silent) yield* shell.writeError(`${shell.errorName}: option requires an argument -- ${letter}\n`);
    return finish(silent ? ":" : "?", 0, silent ? letter : undefined);
  }
  return finish(letter, 0, argument);
};

export const inputBuiltins: { readonly [name: string]: Builtin } = { read, mapfile, readarray: mapfile, getopts };
