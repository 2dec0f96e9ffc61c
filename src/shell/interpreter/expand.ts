// Word expansion: from the words of the syntax tree to the strings that commands get.

import { parse, type Word, type WordPart } from "unbash";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { expandEscapes } from "../text/escapes.ts";
import { evaluateArithmetic } from "./arithmetic.ts";
import { expandBraces, TooManyWords } from "./braces.ts";
import { type Field, FieldBuilder, fieldHasWildcard } from "./fields.ts";
import { expandPath } from "./glob.ts";
import { arithmeticScope, expandParameter, expandSimple } from "./parameter.ts";
import { isPlainInQuotes } from "./prompt.ts";
import { betweenQuotes } from "./quoting.ts";
import type { Shell } from "./shell.ts";

const namesByte = /\\(?:x[89a-f][0-9a-f]|[23][0-7]{2})/iu;

const reparsed = new Map<string, Word | undefined>();

/** The word that this source text is, alone on a line. */
export function parseWord(text: string): Word | undefined {
  if (!reparsed.has(text)) {
    if (reparsed.size > 1000) reparsed.clear();
    const command = parse(`: ${text}`).commands[0]?.command;
    const argument = command?.type === "Command" ? command.args[0] : undefined;
    reparsed.set(text, argument?.type === "Word" ? argument : undefined);
  }
  return reparsed.get(text);
}

/** Text as if between double quotes: PS1, arithmetic, ${…@P}. */
export function* expandAsQuoted(shell: Shell, text: string): Sys<string> {
  if (isPlainInQuotes(text)) return text;
  const word = parseWord(betweenQuotes(text));
  return word === undefined ? text : yield* expandSingle(shell, word);
}

/** Words of a command: braces, tilde, parameters, commands, arithmetic, splitting, globs. */
export function* expandWords(shell: Shell, words: readonly Word[]): Sys<string[]> {
  const result: string[] = [];
  for (const word of joinProcesses(words)) {
    const fields = yield* expandFields(shell, word);
    shell.memory.borrow(sizeOf(fields));
    for (const field of fields) {
      if (!shell.has("noglob") && fieldHasWildcard(field)) {
        const paths = expandPath(shell, field.pattern);
        if (paths.length > 0) for (const path of paths) result.push(path);
        else if (!shell.has("nullglob")) result.push(field.text);
      } else result.push(field.text);
    }
  }
  return result;
}

/** unbash ends a word before and behind `<(…)` and `>(…)`; to bash, what touches them is one word with them. */
function joinProcesses(words: readonly Word[]): readonly Word[] {
  const isProcess = (word: Word | undefined, at: number): boolean => word?.parts?.at(at)?.type === "ProcessSubstitution";
  if (!words.some((word) => isProcess(word, 0))) return words;
  const joined: Word[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    if (before?.end === word.pos && (isProcess(before, -1) || isProcess(word, 0))) joined[joined.length - 1] = join(before, word);
    else joined.push(word);
  }
  return joined;
}

function join(before: Word, behind: Word): Word {
  const text = before.text + behind.text;
  const parts = [...partsOf(before), ...partsOf(behind)];
  return { type: "Word", text, value: before.value + behind.value, pos: before.pos, end: behind.end, parts };
}

function partsOf({ parts, pos, end, text, value }: Word): readonly WordPart[] {
  return parts ?? [{ type: "Literal", pos, end, text, value }];
}

function* expandFields(shell: Shell, word: Word): Sys<Field[]> {
  if (shell.bash && word.text.includes("{") && word.parts?.some((part) => part.type === "BraceExpansion") === true) {
    const texts = yield* bracesOf(shell, word.text);
    if (texts.length !== 1 || texts[0] !== word.text) {
      const all: Field[] = [];
      for (const text of texts) {
        if (text === "") continue;
        shell.self.spend(1);
        if (all.length % 256 === 255) yield* shell.self.breathe();
        if (/^[\w./:%@,+-]+$/u.test(text)) {
          all.push({ text, pattern: text, present: true });
          continue;
        }
        const one = parseWord(text);
        if (one !== undefined)
          for (const field of yield* expandInto(shell, one, new FieldBuilder(shell.ifs(), true))) all.push(field);
      }
      return all;
    }
  }
  return yield* expandInto(shell, word, new FieldBuilder(shell.ifs(), true));
}

/** What a field takes beside its text. */
const fieldBytes = 32;

function sizeOf(fields: readonly Field[]): number {
  let bytes = 0;
  for (const { text } of fields) bytes += text.length + fieldBytes;
  return bytes;
}

function* bracesOf(shell: Shell, text: string): Sys<readonly string[]> {
  try {
    return expandBraces(text);
  } catch (error) {
    if (!(error instanceof TooManyWords)) throw error;
    yield* shell.complain(error.message);
    return [text];
  }
}

function* expandInto(shell: Shell, word: Word, builder: FieldBuilder, assignment = false): Sys<Field[]> {
  yield* expandParts(shell, word, builder, assignment);
  return builder.finish();
}

/** Where only the text counts. */
const noPattern = (): string => "";

/** One string, not split: assignments, redirection targets, case words. */
export function* expandSingle(shell: Shell, word: Word, assignment = false): Sys<string> {
  if (word.parts === undefined && !/[\\~'"]/u.test(word.text)) return word.text;
  const fields = yield* expandInto(shell, word, new FieldBuilder(shell.ifs(), false, noPattern), assignment);
  const text = fields.map((field) => field.text).join(" ");
  shell.memory.borrow(text.length);
  return text;
}

/** A pattern in which what was quoted is escaped. */
export function* expandPattern(shell: Shell, word: Word): Sys<string> {
  const fields = yield* expandInto(shell, word, new FieldBuilder(shell.ifs(), false));
  return fields.map((field) => field.pattern).join(" ");
}

/** A regular expression in which what was quoted stands for itself. */
export function* expandRegex(shell: Shell, word: Word): Sys<string> {
  const builder = new FieldBuilder(shell.ifs(), false, (text) => text.replace(/[\\^$.*+?()[\]{}|]/gu, "\\$&"));
  const fields = yield* expandInto(shell, word, builder);
  return fields.map((field) => field.pattern).join(" ");
}

function* expandParts(shell: Shell, word: Word, builder: FieldBuilder, assignment: boolean): Sys<void> {
  if (word.parts === undefined) {
    addLiteral(shell, word.text, builder, true, assignment);
    return;
  }
  let first = true;
  for (const part of word.parts) {
    yield* expandPart(shell, part, builder, first, assignment);
    first = false;
  }
}

function* expandPart(shell: Shell, part: WordPart, builder: FieldBuilder, first: boolean, assignment: boolean): Sys<void> {
  switch (part.type) {
    case "Literal":
      addLiteral(shell, part.text, builder, first, assignment);
      return;
    case "SingleQuoted":
      builder.quoted(part.value);
      return;
    case "AnsiCQuoted":
      // The parser takes a byte for a character's code.
      builder.quoted(namesByte.test(part.text) ? expandEscapes(part.text.slice(2, -1), false).text : part.value);
      return;
    case "DoubleQuoted":
    case "LocaleString":
      yield* expandQuoted(shell, part.parts, builder);
      return;
    case "Glob":
      if (part.kind === "bracket" && part.parts.some((inner) => inner.type !== "Literal")) {
        builder.literal("[");
        for (const inner of part.parts) yield* expandPart(shell, inner, builder, false, false);
        builder.literal("]");
      } else builder.literal(part.text);
      return;
    case "ExtendedGlob":
      if (part.parts === undefined) builder.literal(part.text);
      else {
        builder.literal(`${part.operator}(`);
        for (const inner of part.parts) yield* expandPart(shell, inner, builder, false, false);
        builder.literal(")");
      }
      return;
    case "BraceExpansion":
      if (part.parts === undefined) builder.literal(part.text);
      else for (const inner of part.parts) yield* expandPart(shell, inner, builder, false, false);
      return;
    case "ProcessSubstitution":
      builder.quoted(yield* substituteProcess(shell, part.operator, part.script));
      return;
    case "SimpleExpansion":
      expandSimple(shell, part.text.slice(1), builder, false);
      return;
    case "ParameterExpansion":
      yield* expandParameter(shell, part, builder, false, expansions);
      return;
    case "CommandExpansion":
      builder.expanded(yield* shell.engine.substitute(shell, part.script));
      return;
    case "ArithmeticExpansion":
      builder.expanded(yield* expandArithmetic(shell, arithmeticBody(part.text)));
  }
}

/** The parts of a double-quoted string or a here-document. */
export function* expandQuoted(shell: Shell, parts: readonly WordPart[], builder: FieldBuilder): Sys<void> {
  let onlyEmptyList = parts.length > 0;
  for (const part of parts) {
    switch (part.type) {
      case "Literal":
        builder.quoted(part.value);
        onlyEmptyList = false;
        break;
      case "SimpleExpansion":
        if (!expandSimple(shell, part.text.slice(1), builder, true)) onlyEmptyList = false;
        break;
      case "ParameterExpansion":
        if (!(yield* expandParameter(shell, part, builder, true, expansions))) onlyEmptyList = false;
        break;
      case "CommandExpansion":
        builder.quoted(yield* shell.engine.substitute(shell, part.script));
        onlyEmptyList = false;
        break;
      case "ArithmeticExpansion":
        builder.quoted(yield* expandArithmetic(shell, arithmeticBody(part.text)));
        onlyEmptyList = false;
        break;
      default:
        yield* expandPart(shell, part, builder, false, false);
        onlyEmptyList = false;
    }
  }
  if (!onlyEmptyList) builder.markPresent();
}

const expansions = { expandSingle, expandPattern, expandWordInto, expandArithmetic };

/** Expands a word into a builder that is already in use; in quotes, single quotes are ordinary characters. */
function* expandWordInto(shell: Shell, word: Word, builder: FieldBuilder, inQuotes: boolean): Sys<void> {
  if (!inQuotes) {
    yield* expandParts(shell, word, builder, false);
    return;
  }
  for (const part of word.parts ?? []) {
    if (part.type === "DoubleQuoted") yield* expandQuoted(shell, part.parts, builder);
    else if (part.type === "SingleQuoted") builder.quoted(part.text);
    else if (part.type === "Literal" || part.type === "Glob" || part.type === "BraceExpansion" || part.type === "ExtendedGlob") {
      builder.quoted(part.text.replace(/\\([$`"\\}])/gu, "$1"));
    } else yield* expandQuoted(shell, [part], builder);
  }
  if (word.parts === undefined) builder.quoted(word.text.replace(/\\([$`"\\}])/gu, "$1"));
}

function addLiteral(shell: Shell, source: string, builder: FieldBuilder, first: boolean, assignment: boolean): void {
  let text = source;
  if (first && text.startsWith("~")) text = addTilde(shell, text, builder);
  let plain = "";
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] as string;
    if (char === "\\") {
      builder.literal(plain);
      plain = "";
      i += 1;
      if (i >= text.length) builder.quoted("\\");
      else if (text[i] !== "\n") builder.quoted(text[i] as string);
    } else if (assignment && char === ":" && text[i + 1] === "~") {
      builder.literal(`${plain}:`);
      plain = "";
      text = addTilde(shell, text.slice(i + 1), builder);
      i = -1;
    } else plain += char;
  }
  builder.literal(plain);
}

/** Adds the home directory that a leading ~ names and returns the rest of the text. */
function addTilde(shell: Shell, text: string, builder: FieldBuilder): string {
  const match = /^~([\w.+-]*)(?=[/:]|$)/u.exec(text);
  if (match === null) return text;
  const name = match[1] as string;
  const home = homeDirectory(shell, name);
  if (home === undefined) return text;
  builder.quoted(home);
  return text.slice(match[0].length);
}

export function homeDirectory(shell: Shell, name: string): string | undefined {
  if (name === "") return shell.variables.get("HOME") ?? passwordEntry(shell, String(shell.self.uid))?.[5];
  if (name === "+") return shell.variables.get("PWD");
  if (name === "-") return shell.variables.get("OLDPWD");
  return passwordEntry(shell, name)?.[5];
}

function passwordEntry(shell: Shell, nameOrUid: string): string[] | undefined {
  try {
    const lines = shell.self.readText("/etc/passwd").split("\n");
    return lines.map((line) => line.split(":")).find((fields) => fields[0] === nameOrUid || fields[2] === nameOrUid);
  } catch (error) {
    if (error instanceof SysError) return undefined;
    throw error;
  }
}

function arithmeticBody(text: string): string {
  return text.startsWith("$((") ? text.slice(3, -2) : text.slice(2, -1);
}

/** The decimal text of an arithmetic expression that may hold `$` expansions. */
export function* expandArithmetic(shell: Shell, text: string): Sys<string> {
  const prepared = (yield* expandAsQuoted(shell, text)).replace(/"/gu, "");
  return evaluateArithmetic(prepared, arithmeticScope(shell)).toString();
}

/** `<(…)`: runs to its end into a file under /tmp, whose name is the word. The file goes when the shell's command is done. */
function* substituteProcess(shell: Shell, operator: "<" | ">", script: Parameters<Shell["engine"]["substitute"]>[1]): Sys<string> {
  if (operator === ">") throw new SysError("ENOTTY");
  const output = yield* shell.engine.capture(shell, script);
  const path = shell.temporaryPath();
  shell.self.writeFile(path, output);
  return path;
}
