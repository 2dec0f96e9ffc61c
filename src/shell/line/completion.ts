// Tab completion: commands, files, variables, and commands that complete themselves by cobra's protocol.

import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { textWidth } from "#sim/terminal/character-width.ts";
import { builtins } from "../interpreter/builtins/index.ts";
import { expandWords, homeDirectory, parseWord } from "../interpreter/expand.ts";
import type { Shell } from "../interpreter/shell.ts";

export interface Completion {
  /** Index of the first character of the word. */
  readonly start: number;
  /** Whole replacements for the word, unquoted, sorted; and how lists show them. */
  readonly candidates: readonly string[];
  readonly shown: readonly string[];
  /** Put after a single candidate. */
  readonly suffix: string;
  /** Candidates are file names: special characters are escaped. */
  readonly files: boolean;
}

interface WordAt {
  readonly start: number;
  readonly word: string;
  /** Words of the same command before it. */
  readonly before: readonly string[];
  readonly quote: string;
  readonly redirect: boolean;
}

/** Finds the word at the cursor and the words of its command before it. */
export function wordAt(text: string): WordAt {
  let before: string[] = [];
  let word = "";
  let start = 0;
  let inWord = false;
  let quote = "";
  let redirect = false;
  const end = () => {
    if (inWord && !redirect) before.push(word);
    if (inWord) redirect = false;
    word = "";
    inWord = false;
  };
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] as string;
    if (!inWord && !/[\s;|&()<>]/u.test(char)) {
      inWord = true;
      start = i;
    }
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"' && i + 1 < text.length) word += text[++i];
      else word += char;
    } else if (char === "'" || char === '"') quote = char;
    else if (char === "\\") word += text[++i] ?? "";
    else if (/\s/u.test(char)) end();
    else if (/[;|&(]/u.test(char)) {
      end();
      before = [];
    } else if (/[<>)]/u.test(char)) {
      end();
      redirect = char !== ")";
    } else word += char;
  }
  return { start: inWord ? start : text.length, word, before, quote, redirect };
}

/** What could stand at the cursor. `text`: the line up to the cursor. */
export function* complete(shell: Shell, text: string): Sys<Completion> {
  const at = wordAt(text);
  const variable = /\$\{?(\w*)$/u.exec(at.word);
  if (variable !== null && at.quote !== "'") return completeVariable(shell, at, variable);
  let command = at.before.find((word) => !/^\w+=/u.test(word));
  if (command === "sudo" || command === "time" || command === "watch" || command === "xargs")
    command = at.before[at.before.indexOf(command) + 1];
  if (at.redirect) return completeFiles(shell, at, false);
  if (command === undefined) return at.word.includes("/") ? completeFiles(shell, at, false) : completeCommand(shell, at);
  const programmed = yield* completeByProgram(shell, command, at);
  if (programmed !== undefined) return programmed;
  return completeFiles(shell, at, command === "cd" || command === "rmdir" || command === "pushd");
}

function completeVariable(shell: Shell, at: WordAt, match: RegExpExecArray): Completion {
  const prefix = match[0].startsWith("${") ? "${" : "$";
  const lead = at.word.slice(0, match.index);
  const names = shell.variables.names().filter((name) => name.startsWith(match[1] as string));
  return {
    start: at.start,
    candidates: names.map((name) => `${lead}${prefix}${name}`),
    shown: names.map((name) => prefix + name),
    suffix: prefix === "${" ? "}" : " ",
    files: false,
  };
}

function completeCommand(shell: Shell, at: WordAt): Completion {
  const names = new Set<string>([
    ...builtins.keys(),
    ...shell.functions.keys(),
    ...shell.aliases.keys(),
    "if",
    "for",
    "while",
    "until",
    "case",
    "do",
    "done",
    "then",
    "fi",
    "esac",
    "function",
  ]);
  for (const directory of (shell.variables.get("PATH") ?? "").split(":")) {
    for (const name of entries(shell, directory)) names.add(name);
  }
  const found = [...names].filter((name) => name.startsWith(at.word)).sort();
  return { start: at.start, candidates: found, shown: found, suffix: " ", files: true };
}

function entries(shell: Shell, directory: string): readonly string[] {
  try {
    return shell.self.readdir(directory === "" ? "." : directory);
  } catch (error) {
    if (error instanceof SysError) return [];
    throw error;
  }
}

function completeFiles(shell: Shell, at: WordAt, directoriesOnly: boolean): Completion {
  const slash = at.word.lastIndexOf("/");
  const typed = at.word.slice(0, slash + 1);
  const prefix = at.word.slice(slash + 1);
  const tilde = /^~([^/]*)\//u.exec(typed);
  const home = tilde === null ? undefined : homeDirectory(shell, tilde[1] as string);
  const directory = home === undefined ? typed : `${home}/${typed.slice((tilde as RegExpExecArray)[0].length)}`;
  const candidates: string[] = [];
  const shown: string[] = [];
  for (const name of entries(shell, directory)) {
    if (!name.startsWith(prefix) || (name.startsWith(".") && !prefix.startsWith("."))) continue;
    let isDirectory = false;
    try {
      isDirectory = shell.self.stat(`${directory}${name}`).type === "directory";
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
    if (directoriesOnly && !isDirectory) continue;
    candidates.push(`${typed}${name}${isDirectory ? "/" : ""}`);
    shown.push(`${name}${isDirectory ? "/" : ""}`);
  }
  return {
    start: at.start,
    candidates,
    shown,
    suffix: candidates.length === 1 && candidates[0]?.endsWith("/") === true ? "" : " ",
    files: true,
  };
}

const directives = { error: 1, noSpace: 2, noFiles: 4, filterExtensions: 8, filterDirectories: 16 } as const;

/** The program that completes a command: by `complete -F __start_x name`, or kubectl itself. */
function completer(shell: Shell, command: string): string | undefined {
  const specification = shell.completions.get(command);
  const named = specification === undefined ? undefined : /-F\s+__start_([\w-]+)/u.exec(specification)?.[1];
  if (named !== undefined) return named;
  return specification !== undefined && /-F\s+_complete_by_itself/u.test(specification) ? command : undefined;
}

/**
 * Runs `command __complete words…` and reads cobra's protocol: a candidate per line (a tab before its description),
 * then `:directive`. Undefined: the command does not complete itself, or failed.
 */
function* completeByProgram(shell: Shell, command: string, at: WordAt): Sys<Completion | undefined> {
  const specification = shell.completions.get(command);
  const words = specification === undefined ? undefined : /-W\s+(.+?)(?:\s-|$)/u.exec(specification)?.[1];
  if (words !== undefined) {
    const found = words
      .replace(/["']/gu, "")
      .split(/\s+/u)
      .filter((word) => word.startsWith(at.word));
    return { start: at.start, candidates: found, shown: found, suffix: " ", files: false };
  }
  const program = completer(shell, command);
  const path = program === undefined ? undefined : shell.findProgram(program);
  if (program === undefined || path === undefined) return undefined;
  const rest = at.before.slice(at.before.indexOf(command) + 1);
  const output = yield* capture(shell, path, [program, "__complete", ...(yield* expandEach(shell, rest)), at.word]);
  const lines = output.split("\n").filter((line) => line !== "");
  const directive = Number(/^:(\d+)$/u.exec(lines.findLast((line) => /^:\d+$/u.test(line)) ?? "")?.[1] ?? Number.NaN);
  if (Number.isNaN(directive) || (directive & directives.error) !== 0) return undefined;
  const typed = lines
    .filter((line) => !line.startsWith(":") && !line.startsWith("_activeHelp_"))
    .map((line) => line.split("\t")[0] as string);
  const found = typed.filter((candidate) => candidate.startsWith(at.word)).sort();
  if ((directive & directives.filterDirectories) !== 0) return completeFiles(shell, at, true);
  if (found.length === 0 && (directive & directives.noFiles) === 0) return undefined;
  return {
    start: at.start,
    candidates: found,
    shown: found,
    suffix: (directive & directives.noSpace) !== 0 ? "" : " ",
    files: false,
  };
}

function* expandEach(shell: Shell, words: readonly string[]): Sys<string[]> {
  const result: string[] = [];
  for (const text of words) {
    const word = /[$~]/u.test(text) ? parseWord(text) : undefined;
    result.push(...(word === undefined || text.includes("$(") ? [text] : yield* expandWords(shell, [word])));
  }
  return result;
}

/** Standard output of a program run aside: no input, no messages. */
function* capture(shell: Shell, path: string, argv: readonly string[]): Sys<string> {
  const { self } = shell;
  const [readEnd, writeEnd] = self.pipe();
  const nothing = self.open("/dev/null", { read: true, write: true });
  let pid: number;
  try {
    const fds = new Map([
      [0, nothing],
      [1, writeEnd],
      [2, nothing],
    ]);
    pid = self.spawn({ run: path, argv, env: shell.variables.environment(), fds });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    self.close(readEnd);
    return "";
  } finally {
    self.close(writeEnd);
    self.close(nothing);
  }
  let text = "";
  for (;;) {
    const bytes = yield* self.read(readEnd);
    if (bytes.length === 0) break;
    text += decodeUtf8(bytes);
  }
  self.close(readEnd);
  yield* self.wait(pid);
  return text;
}

/** The longest start that all have. */
export function commonPrefix(words: readonly string[]): string {
  let prefix = words[0] ?? "";
  for (const word of words) while (!word.startsWith(prefix)) prefix = prefix.slice(0, -1);
  return prefix;
}

/** Escapes what the shell would read as special in a file name. */
export function escapeName(name: string): string {
  return name.replace(/[\s\\'"`$&|;<>()*?[\]{}!#]/gu, "\\$&");
}

/** Candidates in columns of one width, filled downwards, as readline lists them. */
export function listColumns(shown: readonly string[], columns: number): string {
  const width = Math.max(...shown.map(textWidth)) + 2;
  const perRow = Math.max(1, Math.floor(columns / width));
  const rows = Math.ceil(shown.length / perRow);
  let text = "";
  for (let row = 0; row < rows; row += 1) {
    let line = "";
    for (let index = row; index < shown.length; index += rows) {
      const name = shown[index] as string;
      line += index + rows < shown.length ? name + " ".repeat(width - textWidth(name)) : name;
    }
    text += `${line}\n`;
  }
  return text;
}
