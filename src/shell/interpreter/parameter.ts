// Parameters: $x, ${x…} with every operator, the special parameters, arrays.

import type { ParameterExpansionPart, ParameterOperation, Word } from "unbash";
import { lateUnicode } from "#sim/late-unicode.ts";
import type { Sys } from "#sim/program.ts";
import { BoundedRegExp } from "../text/bounded-regex.ts";
import { expandEscapes } from "../text/escapes.ts";
import { patternRegex, patternSource } from "../text/pattern.ts";
import { doubleQuote, quoteWord, singleQuote } from "../text/quote.ts";
import { type ArithmeticScope, evaluateArithmetic } from "./arithmetic.ts";
import { ExpansionError } from "./control.ts";
import type { FieldBuilder } from "./fields.ts";
import { expandPrompt } from "./prompt.ts";
import type { Shell } from "./shell.ts";
import { arrayKeys, isName, newVariable, noteElement, scalarValue, type Variable } from "./variables.ts";

/** A parameter's value: one text, or a list as of `$@` and `${a[*]}`. */
interface Value {
  /** Undefined: unset. */
  readonly text: string | undefined;
  readonly list: readonly string[] | undefined;
  /** `*`: joins to one word in quotes. */
  readonly star: boolean;
}

/** What parameter expansion needs of word expansion. */
export interface Expansions {
  expandSingle(shell: Shell, word: Word): Sys<string>;
  expandPattern(shell: Shell, word: Word): Sys<string>;
  expandWordInto(shell: Shell, word: Word, builder: FieldBuilder, inQuotes: boolean): Sys<void>;
  expandArithmetic(shell: Shell, text: string): Sys<string>;
}

/** By name. `$0` and the other numbers are not among them. */
const specialValues: ReadonlyMap<string, (shell: Shell) => string | undefined> = new Map([
  ["?", (shell: Shell) => String(shell.status)],
  ["$", (shell: Shell) => String(shell.mainPid)],
  ["#", (shell: Shell) => String(shell.positional.length)],
  ["!", (shell: Shell) => (shell.lastBackgroundPid === undefined ? undefined : String(shell.lastBackgroundPid))],
  ["-", (shell: Shell) => optionLetters(shell)],
  ["_", (shell: Shell) => shell.variables.get("_")],
  ["BASHPID", (shell: Shell) => String(shell.self.pid)],
  ["LINENO", (shell: Shell) => String(shell.line)],
  ["RANDOM", (shell: Shell) => String(Math.floor(shell.self.random.fraction() * 32_768))],
  ["SECONDS", (shell: Shell) => String(Math.floor((shell.self.nowMs - shell.startedMs) / 1000))],
  ["EPOCHSECONDS", (shell: Shell) => String(Math.floor(shell.self.nowMs / 1000))],
  ["EPOCHREALTIME", (shell: Shell) => (shell.self.nowMs / 1000).toFixed(6)],
  ["FUNCNAME", (shell: Shell) => shell.functionNames.at(-1)],
]);

/** The value of a parameter that the shell itself keeps; undefined for other names, and for what is unset. */
export function specialValue(shell: Shell, name: string): string | undefined {
  if (/^\d+$/u.test(name)) return name === "0" ? shell.name : shell.positional[Number(name) - 1];
  return specialValues.get(name)?.(shell);
}

function optionLetters(shell: Shell): string {
  let letters = "";
  for (const [letter, name] of [
    ["e", "errexit"],
    ["f", "noglob"],
    ["h", "hashall"],
    ["u", "nounset"],
    ["v", "verbose"],
    ["x", "xtrace"],
  ] as const) {
    if (shell.has(name)) letters += letter;
  }
  return `${letters}${shell.interactive ? "im" : ""}${shell.has("braceexpand") ? "B" : ""}${shell.interactive ? "H" : ""}`;
}

const shellOnly = /^(?:\d+|[?$#!_-]|BASHPID|LINENO|RANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|FUNCNAME)$/u;

function lookup(shell: Shell, name: string, index: string | undefined): Value {
  if (name === "@" || name === "*") return { text: undefined, list: shell.positional, star: name === "*" };
  const variable = shellArray(shell, name) ?? shell.variables.lookup(name);
  if (index === undefined) {
    const text =
      shellOnly.test(name) && !(variable !== undefined && name !== "_" && scalarValue(variable) !== undefined)
        ? specialValue(shell, name)
        : undefined;
    return { text: text ?? (variable === undefined ? undefined : scalarValue(variable)), list: undefined, star: false };
  }
  if (index === "@" || index === "*") {
    const list = variable === undefined ? [] : elementsOf(variable);
    return { text: undefined, list, star: index === "*" };
  }
  return { text: readElement(shell, name, variable, index), list: undefined, star: false };
}

/** What `"${name[@]}"` stands for: a scalar that is set is its own only element. */
function elementsOf(variable: Variable): readonly string[] {
  if (variable.kind !== "scalar") return arrayKeys(variable).map((key) => variable.elements.get(key) ?? "");
  return variable.value === undefined ? [] : [variable.value];
}

function keysOf(variable: Variable): readonly string[] {
  return variable.kind === "scalar" ? ["0"] : arrayKeys(variable);
}

/** The arrays that the shell itself keeps. */
function shellArray(shell: Shell, name: string): Variable | undefined {
  if (name === "PIPESTATUS") return arrayOf(shell.pipeStatus.map(String));
  if (name === "FUNCNAME") return arrayOf([...shell.functionNames].reverse());
  return undefined;
}

function arrayOf(values: readonly string[]): Variable {
  return { ...newVariable("indexed"), elements: new Map(values.map((value, index) => [String(index), value])) };
}

function readElement(shell: Shell, name: string, variable: Variable | undefined, index: string): string | undefined {
  if (variable === undefined) return undefined;
  if (variable.kind === "associative") return variable.elements.get(index);
  const key = indexKey(shell, name, variable, index);
  if (variable.kind !== "scalar") return variable.elements.get(key);
  return key === "0" ? variable.value : undefined;
}

/** The key of an indexed array that an index text names; negative counts from the end. Throws ExpansionError. */
export function indexKey(shell: Shell, name: string, variable: Variable, index: string): string {
  if (variable.kind === "associative") return index;
  const number = evaluateArithmetic(index, arithmeticScope(shell));
  if (number >= 0n) return number.toString();
  const last = variable.kind === "scalar" ? 0 : Number(arrayKeys(variable).at(-1) ?? -1);
  const key = BigInt(last) + 1n + number;
  if (key < 0n) throw new ExpansionError(`${name}[${index}]: bad array subscript`);
  return key.toString();
}

/** Assigns to a variable or an element, with its attributes. Throws ExpansionError for a readonly one. */
export function assign(shell: Shell, name: string, index: string | undefined, value: string, append = false): void {
  const variable = shell.variables.ensure(name);
  if (variable.readonly) throw new ExpansionError(`${name}: readonly variable`, true, shell.bash ? 1 : 2);
  const usualKey = variable.kind === "scalar" ? undefined : "0";
  const key = index === undefined ? usualKey : indexKey(shell, name, variable, index);
  const before = key === undefined ? variable.value : variable.elements.get(key);
  let text = value;
  if (variable.integer) {
    const number = evaluateArithmetic(value, arithmeticScope(shell));
    text = (append && before !== undefined ? evaluateArithmetic(before, arithmeticScope(shell)) + number : number).toString();
  } else if (append) text = (before ?? "") + value;
  if (variable.letters !== undefined)
    text = variable.letters === "upper" ? lateUnicode.code.upperCase(text) : lateUnicode.code.lowerCase(text);
  if (name === "SECONDS") shell.startedMs = shell.self.nowMs - Number(text) * 1000;
  if (name === "SECONDS" || name === "RANDOM" || name === "LINENO") return;
  if (key === undefined) {
    variable.value = text;
    if (shell.has("allexport")) variable.exported = true;
    return;
  }
  if (variable.kind === "scalar") {
    variable.kind = "indexed";
    if (variable.value !== undefined) variable.elements.set("0", variable.value);
  }
  variable.elements.set(key, text);
  noteElement(variable);
}

export function arithmeticScope(shell: Shell): ArithmeticScope {
  return {
    read(name, index) {
      const text = lookup(shell, name, index).text;
      if (text === undefined && shell.has("nounset")) throw unbound(shell, name);
      return text ?? "";
    },
    write(name, index, value) {
      assign(shell, name, index, value);
    },
  };
}

function unbound(shell: Shell, name: string): ExpansionError {
  return new ExpansionError(shell.bash ? `${name}: unbound variable` : `${name}: parameter not set`, true, shell.bash ? 127 : 2);
}

/** `$name`. Returns true when it was an empty list, which leaves no field even in quotes. */
export function expandSimple(shell: Shell, name: string, builder: FieldBuilder, inQuotes: boolean): boolean {
  const value = lookup(shell, name, undefined);
  if (value.list === undefined && value.text === undefined && shell.has("nounset")) {
    throw unbound(shell, /^\d+$/u.test(name) ? `$${name}` : name);
  }
  return emit(shell, value, builder, inQuotes);
}

function emit(shell: Shell, value: Value, builder: FieldBuilder, inQuotes: boolean): boolean {
  if (value.list === undefined) {
    if (inQuotes) builder.quoted(value.text ?? "");
    else builder.expanded(value.text ?? "");
    return false;
  }
  if (value.star && (inQuotes || !builder.splitting)) {
    const joined = value.list.join(shell.ifs().slice(0, 1));
    if (inQuotes) builder.quoted(joined);
    else builder.literal(joined);
    return false;
  }
  for (const [index, item] of value.list.entries()) {
    if (index > 0) builder.breakField();
    if (inQuotes) builder.quoted(item);
    else builder.expanded(item);
  }
  return value.list.length === 0;
}

/** `${…}`. Returns true when it was an empty list. Throws ExpansionError. */
export function* expandParameter(
  shell: Shell,
  part: ParameterExpansionPart,
  builder: FieldBuilder,
  inQuotes: boolean,
  expansions: Expansions,
): Sys<boolean> {
  const bad = () => new ExpansionError(`${part.text}: bad substitution`, true, shell.bash ? 1 : 2);
  let name = part.parameter;
  const operation = part.operation;
  if (operation?.type === "Unknown" || name === "") throw bad();
  let index = part.index === undefined ? undefined : yield* expansions.expandSingle(shell, part.index);
  if (part.prefix === "!") {
    if (operation?.type === "Names") {
      const names = shell.variables.names().filter((candidate) => candidate.startsWith(name));
      return emit(shell, { text: undefined, list: names, star: operation.operator === "*" }, builder, inQuotes);
    }
    if (index === "@" || index === "*") {
      const variable = shell.variables.lookup(name);
      const keys = variable === undefined ? [] : keysOf(variable);
      return emit(shell, { text: undefined, list: keys, star: index === "*" }, builder, inQuotes);
    }
    const target = lookup(shell, name, index).text;
    const match = /^(\w+|[@*#?$!-])(?:\[(.*)\])?$/su.exec(target ?? "");
    if (match === null)
      throw new ExpansionError(target === undefined ? `${name}: invalid indirect expansion` : `${target}: invalid variable name`);
    name = match[1] as string;
    index = match[2];
  }
  const value = lookup(shell, name, index);
  if (part.prefix === "#") {
    const length = value.list === undefined ? [...(value.text ?? "")].length : value.list.length;
    if (value.list === undefined && value.text === undefined && shell.has("nounset")) throw unbound(shell, name);
    return emit(shell, { text: String(length), list: undefined, star: false }, builder, inQuotes);
  }
  if (operation?.type === "Default") {
    const isSet = value.list === undefined ? value.text !== undefined : value.list.length > 0;
    const text = value.list === undefined ? value.text : value.list.join(" ");
    const missing = operation.operator.startsWith(":") ? text === undefined || text === "" || !isSet : !isSet;
    const kind = operation.operator.at(-1);
    if (kind === "+") {
      if (missing) return emit(shell, { text: "", list: undefined, star: false }, builder, inQuotes);
      yield* expansions.expandWordInto(shell, operation.operand, builder, inQuotes);
      return false;
    }
    if (!missing) return emit(shell, value, builder, inQuotes);
    if (kind === "-") {
      yield* expandDefault(shell, operation.operand, builder, inQuotes, expansions);
      return false;
    }
    const operand = yield* expansions.expandSingle(shell, operation.operand);
    if (kind === "?") {
      const label = index === undefined ? name : `${name}[${index}]`;
      const fallback = operation.operator === ":?" ? "parameter null or not set" : "parameter not set";
      throw new ExpansionError(`${label}: ${operand === "" ? fallback : operand}`, true, shell.bash ? 127 : 2);
    }
    if (!isName(name)) throw new ExpansionError(`$${name}: cannot assign in this way`);
    assign(shell, name, index, operand);
    return emit(shell, { text: operand, list: undefined, star: false }, builder, inQuotes);
  }
  if (value.list === undefined && value.text === undefined && shell.has("nounset") && operation?.type !== "Transform") {
    const element = index === undefined ? name : `${name}[${index}]`;
    throw unbound(shell, /^\d+$/u.test(name) ? `$${name}` : element);
  }
  if (operation === undefined) return emit(shell, value, builder, inQuotes);
  if (!shell.bash && (operation.type === "CaseModification" || operation.type === "Transform")) throw bad();
  if (operation.type === "Slice") return emit(shell, yield* slice(shell, name, value, operation, expansions), builder, inQuotes);
  const transform = yield* transformer(shell, part, operation, name, expansions);
  const changed: Value =
    value.list === undefined
      ? { text: value.text === undefined ? undefined : transform(value.text), list: undefined, star: false }
      : { text: undefined, list: value.list.map(transform), star: value.star };
  return emit(shell, changed, builder, inQuotes);
}

function* expandDefault(shell: Shell, operand: Word, builder: FieldBuilder, inQuotes: boolean, expansions: Expansions): Sys<void> {
  const plain = operand.parts === undefined && !/[\\~'"]/u.test(operand.text);
  if (plain && !inQuotes) builder.expanded(operand.text);
  else yield* expansions.expandWordInto(shell, operand, builder, inQuotes);
}

function* slice(
  shell: Shell,
  name: string,
  value: Value,
  operation: Extract<ParameterOperation, { type: "Slice" }>,
  expansions: Expansions,
): Sys<Value> {
  const offset = Number(yield* expansions.expandArithmetic(shell, operation.offset.text));
  const length =
    operation.length === undefined ? undefined : Number(yield* expansions.expandArithmetic(shell, operation.length.text));
  const positional = name === "@" || name === "*";
  if (value.list !== undefined) {
    const items = positional ? [shell.name, ...value.list] : [...value.list];
    const start = offset < 0 ? items.length + offset : offset;
    if (start < 0) return { text: undefined, list: [], star: value.star };
    if (length !== undefined && length < 0) throw new ExpansionError(`${operation.length?.text ?? ""}: substring expression < 0`);
    const from = positional && start === 0 && operation.offset.text.trim() !== "0" ? 1 : start;
    return { text: undefined, list: items.slice(from, length === undefined ? undefined : from + length), star: value.star };
  }
  const characters = [...(value.text ?? "")];
  const start = offset < 0 ? characters.length + offset : offset;
  if (start < 0 || start > characters.length) return { text: "", list: undefined, star: false };
  let end = characters.length;
  if (length !== undefined) end = (length < 0 ? characters.length : start) + length;
  if (end < start) throw new ExpansionError(`${operation.length?.text ?? ""}: substring expression < 0`);
  return { text: characters.slice(start, end).join(""), list: undefined, star: false };
}

function* transformer(
  shell: Shell,
  part: ParameterExpansionPart,
  operation: ParameterOperation,
  name: string,
  expansions: Expansions,
): Sys<(text: string) => string> {
  switch (operation.type) {
    case "Remove": {
      const pattern = yield* expansions.expandPattern(shell, operation.operand);
      return (text) => removePattern(text, pattern, operation.operator);
    }
    case "Replace": {
      const pattern = yield* expansions.expandPattern(shell, operation.pattern);
      const replacement = yield* expansions.expandSingle(shell, operation.replacement);
      return (text) => replacePattern(text, pattern, replacement, operation.operator);
    }
    case "CaseModification": {
      const pattern = operation.operand === undefined ? "?" : yield* expansions.expandPattern(shell, operation.operand);
      const regex = patternRegex(pattern === "" ? "?" : pattern);
      const change = (char: string) => {
        if (!regex.test(char)) return char;
        return operation.operator[0] === "^" ? lateUnicode.code.upperCase(char) : lateUnicode.code.lowerCase(char);
      };
      const all = operation.operator.length === 2;
      return (text) => [...text].map((char, at) => (all || at === 0 ? change(char) : char)).join("");
    }
    case "Transform": {
      const letter = operation.operand.text;
      if (letter === "Q") return singleQuote;
      if (letter === "U") return lateUnicode.code.upperCase;
      if (letter === "L") return lateUnicode.code.lowerCase;
      if (letter === "u") return (text) => lateUnicode.code.upperCase(text.charAt(0)) + text.slice(1);
      if (letter === "E") return (text) => expandEscapes(text, false).text;
      if (letter === "P") return (text) => expandPrompt(shell, text);
      if (letter === "A") return (text) => `${name}=${singleQuote(text)}`;
      if (letter === "a") return () => attributeLetters(shell.variables.lookup(name));
      if (letter === "K" || letter === "k") return doubleQuote;
      break;
    }
  }
  throw new ExpansionError(`${part.text}: bad substitution`, true);
}

export function attributeLetters(variable: Variable | undefined): string {
  if (variable === undefined) return "";
  let letters = "";
  if (variable.kind === "indexed") letters = "a";
  else if (variable.kind === "associative") letters = "A";
  if (variable.integer) letters += "i";
  if (variable.letters === "lower") letters += "l";
  if (variable.reference) letters += "n";
  if (variable.readonly) letters += "r";
  if (variable.letters === "upper") letters += "u";
  if (variable.exported) letters += "x";
  return letters;
}

function removePattern(text: string, pattern: string, operator: "#" | "##" | "%" | "%%"): string {
  const regex = patternRegex(pattern);
  const lengths = Array.from({ length: text.length + 1 }, (_, i) => i);
  if (operator === "##" || operator === "%%") lengths.reverse();
  for (const length of lengths) {
    const piece = operator.startsWith("#") ? text.slice(0, length) : text.slice(text.length - length);
    if (regex.test(piece)) return operator.startsWith("#") ? text.slice(length) : text.slice(0, text.length - length);
  }
  return text;
}

function replacePattern(text: string, pattern: string, replacement: string, operator: "/" | "//" | "/#" | "/%"): string {
  if (pattern === "") {
    if (operator === "/#") return replacement + text;
    return operator === "/%" ? text + replacement : text;
  }
  const source = patternSource(pattern);
  let anchored = source;
  if (operator === "/#") anchored = `^(?:${source})`;
  else if (operator === "/%") anchored = `(?:${source})$`;
  try {
    return text.replace(new BoundedRegExp(anchored, operator === "//" ? "gu" : "u"), (match) =>
      match === "" && operator === "//" ? "" : replacement,
    );
  } catch {
    return text;
  }
}

/** `name=value` as `declare -p` prints it. */
export function declarationOf(name: string, variable: Variable): string {
  const letters = attributeLetters(variable);
  const head = `declare -${letters === "" ? "-" : letters} ${name}`;
  if (variable.kind === "scalar") return variable.value === undefined ? head : `${head}=${doubleQuote(variable.value)}`;
  const items = arrayKeys(variable).map((key) => {
    const shown = variable.kind === "indexed" || /^\w+$/u.test(key) ? key : quoteWord(key);
    return `[${shown}]=${doubleQuote(variable.elements.get(key) ?? "")}`;
  });
  return `${head}=(${items.join(" ")}${variable.kind === "associative" && items.length > 0 ? " " : ""})`;
}
