// Runs awk programs.

import type { Sys } from "#sim/program.ts";
import { lowerCase, upperCase } from "#sim/unicode.ts";
import { BoundedRegExp } from "../../text/bounded-regex.ts";
import { formatDate } from "../../text/date-text.ts";
import { atan2, cos, exp, log, pow, sin } from "../../text/mathematics.ts";
import { formatOne, general, readOptions } from "../../text/printf.ts";
import { posixRegex } from "../../text/regex.ts";
import { LineReader } from "../../toolkit/lines.ts";
import { type Tool, ToolFailure } from "../../toolkit/tool.ts";
import type { AwkProgram, Expression, Rule, Statement } from "./syntax.ts";

/** A value; `numeric` text came from input and looks like a number. */
type Value = number | string | { readonly text: string; readonly number: number };

class Jump {
  readonly name: "break" | "continue" | "next" | "nextfile";

  constructor(name: Jump["name"]) {
    this.name = name;
  }
}

class Return {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

export class AwkExit {
  readonly status: number;

  constructor(status: number) {
    this.status = status;
  }
}

/** Steps between two looks whether others want the processor. */
const stepsPerBreath = 512;
/** As a unit of work. */
const stepsPerUnit = 4;
/** Calls within calls. */
const maximumDepth = 250;
/** Longer texts are not made, whatever memory there is. */
const maximumTextLength = 64 * 1024 ** 2;
/** Of a variable or an element, beside its text. */
const cellBytes = 64;
/** Changes are counted when there is so much of them. */
const accountBytes = 16_384;
const flushAt = 16_384;

const orderings: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ["<", (order: number) => order < 0],
  ["<=", (order: number) => order <= 0],
  ["==", (order: number) => order === 0],
  ["!=", (order: number) => order !== 0],
  [">", (order: number) => order > 0],
  [">=", (order: number) => order >= 0],
]);

/** Functions of one number. */
const calculations: ReadonlyMap<string, (value: number) => number> = new Map([
  ["int", Math.trunc],
  ["sqrt", Math.sqrt],
  ["exp", exp],
  ["log", log],
  ["sin", sin],
  ["cos", cos],
]);

type Cell = { value: Value } | { array: Map<string, Value> };

export class Runtime {
  readonly #tool: Tool;
  readonly #program: AwkProgram;
  readonly #globals = new Map<string, Cell>();
  #locals: Map<string, Cell> | undefined;
  #record = "";
  #fields: Value[] | undefined;
  #steps = 0;
  #depth = 0;
  #changedBytes = 0;
  #outputLength = 0;
  readonly #output: string[] = [];
  readonly #files = new Set<string>();
  readonly #inRange = new Set<Rule>();
  readonly #regexes = new Map<string, RegExp>();

  constructor(tool: Tool, program: AwkProgram) {
    this.#tool = tool;
    this.#program = program;
    const defaults: readonly (readonly [string, Value])[] = [
      ["FS", " "],
      ["OFS", " "],
      ["ORS", "\n"],
      ["RS", "\n"],
      ["NR", 0],
      ["NF", 0],
      ["FNR", 0],
      ["SUBSEP", "\x1c"],
      ["CONVFMT", "%.6g"],
      ["OFMT", "%.6g"],
      ["FILENAME", ""],
      ["RSTART", 0],
      ["RLENGTH", -1],
    ];
    for (const [name, value] of defaults) this.#globals.set(name, { value });
    this.#globals.set("ENVIRON", { array: new Map([...tool.self.env].map(([name, value]) => [name, fromInput(value)])) });
  }

  /** `-v name=text`. */
  assignText(name: string, text: string): void {
    this.#set(name, fromInput(text));
  }

  *run(files: readonly string[]): Sys<number> {
    const { rules } = this.#program;
    let status = 0;
    try {
      for (const rule of rules) if (rule.pattern === "BEGIN" && rule.body !== undefined) yield* this.#execute(rule.body);
      yield* this.#flush();
      if (rules.some((rule) => rule.pattern !== "BEGIN")) yield* this.#readFiles(files);
    } catch (error) {
      if (!(error instanceof AwkExit)) throw error;
      status = error.status;
    }
    try {
      for (const rule of rules) if (rule.pattern === "END" && rule.body !== undefined) yield* this.#execute(rule.body);
    } catch (error) {
      if (!(error instanceof AwkExit)) throw error;
      status = error.status;
    }
    yield* this.#flush();
    return status;
  }

  *#readFiles(files: readonly string[]): Sys<void> {
    const inputs = files.filter((file) => !/^[A-Za-z_]\w*=/u.test(file));
    for (const file of inputs.length === 0 ? [...files, "-"] : files) {
      const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/u.exec(file);
      if (assignment !== null) {
        this.assignText(assignment[1] as string, assignment[2] as string);
        continue;
      }
      const tool = this.#tool;
      let fd: number | undefined;
      yield* tool.eachOperand(
        [file],
        function* () {
          fd = tool.openInput(file);
        },
        (path, error) =>
          tool.gnu
            ? `warning: command line argument \`${path}' ${error.code === "EISDIR" ? "is a directory: skipped" : `cannot be opened: ${error.message}`}`.replace(
                /^warning: .* cannot be opened: (.*)$/u,
                `cannot open "${path}" ($1)`,
              )
            : `${path}: ${error.message}`,
      );
      if (fd === undefined) {
        tool.status = 2;
        continue;
      }
      this.#set("FILENAME", file === "-" ? "" : file);
      this.#set("FNR", 0);
      yield* this.#readFile(fd);
      tool.closeInput(fd);
    }
  }

  *#readFile(fd: number): Sys<void> {
    const reader = new LineReader(this.#tool.self, fd);
    for (;;) {
      if (!reader.buffered) yield* this.#flush();
      const record = yield* this.#nextRecord(reader);
      if (record === undefined) return;
      this.#setRecord(record);
      this.#set("NR", this.#number(this.#get("NR")) + 1);
      this.#set("FNR", this.#number(this.#get("FNR")) + 1);
      try {
        for (const rule of this.#program.rules) if (yield* this.#applies(rule)) yield* this.#act(rule);
      } catch (error) {
        if (!(error instanceof Jump)) throw error;
        if (error.name === "nextfile") return;
      }
      yield* this.#flush();
    }
  }

  /** The next record by RS: a line, a paragraph (RS = ""), or up to another separator. */
  *#nextRecord(reader: LineReader): Sys<string | undefined> {
    const separator = this.#text(this.#get("RS"));
    if (separator === "\n") return yield* reader.next();
    let record: string | undefined;
    if (separator === "") {
      for (;;) {
        const line = yield* reader.next();
        if (line === undefined) return record;
        if (line === "") {
          if (record !== undefined) return record;
        } else record = record === undefined ? line : `${record}\n${line}`;
      }
    }
    if (this.#held === undefined) {
      const lines: string[] = [];
      for (let line = yield* reader.next(); line !== undefined; line = yield* reader.next()) lines.push(line);
      const all = lines.join("\n") + (reader.terminated && lines.length > 0 ? "\n" : "");
      this.#held = separator.length === 1 ? all.split(separator) : all.split(this.#regex(separator));
      if (this.#held.at(-1) === "" || this.#held.at(-1) === "\n") this.#held.pop();
    }
    record = this.#held.shift();
    if (record === undefined) this.#held = undefined;
    return record;
  }

  #held: string[] | undefined;

  *#emit(text: string): Sys<void> {
    this.#output.push(text);
    this.#outputLength += text.length;
    if (this.#outputLength >= flushAt) yield* this.#flush();
  }

  *#flush(): Sys<void> {
    if (this.#output.length === 0) return;
    yield* this.#tool.print(this.#output.join(""));
    this.#output.length = 0;
    this.#outputLength = 0;
    yield* this.#tool.flush();
  }

  *#applies(rule: Rule): Sys<boolean> {
    if (rule.pattern === "BEGIN" || rule.pattern === "END") return false;
    if (rule.pattern === undefined) return true;
    if (rule.until === undefined) return this.#truth(yield* this.#condition(rule.pattern));
    if (!this.#inRange.has(rule)) {
      if (!this.#truth(yield* this.#condition(rule.pattern))) return false;
      this.#inRange.add(rule);
    }
    if (this.#truth(yield* this.#condition(rule.until))) this.#inRange.delete(rule);
    return true;
  }

  *#condition(expression: Expression): Sys<Value> {
    return yield* this.#evaluate(expression);
  }

  *#act(rule: Rule): Sys<void> {
    if (rule.body === undefined) yield* this.#emit(this.#record + this.#text(this.#get("ORS")));
    else yield* this.#execute(rule.body);
  }

  // Records and fields.

  #setRecord(record: string): void {
    this.#record = record;
    this.#fields = undefined;
  }

  #split(): Value[] {
    if (this.#fields === undefined) {
      this.#fields = this.#splitText(this.#record, this.#text(this.#get("FS"))).map(fromInput);
    }
    return this.#fields;
  }

  #splitText(text: string, separator: string): string[] {
    if (text === "") return [];
    if (separator === " ") {
      const trimmed = text.replace(/^[ \t\n]+|[ \t\n]+$/gu, "");
      return trimmed === "" ? [] : trimmed.split(/[ \t\n]+/u);
    }
    if (separator === "") return [...text];
    const fields =
      separator.length === 1 && separator !== "\\"
        ? text.split(separator)
        : text.split(new BoundedRegExp(this.#regex(separator).source.replace(/\((?!\?)/gu, "(?:"), "u"));
    return this.#text(this.#get("RS")) === "" ? fields.flatMap((field) => field.split("\n")) : fields;
  }

  #getField(index: number): Value {
    if (index < 0) throw new ToolFailure(`attempt to access field ${index}`, 2);
    if (index === 0) return fromInput(this.#record);
    return this.#split()[index - 1] ?? "";
  }

  #setField(index: number, value: Value): void {
    if (index === 0) {
      this.#setRecord(this.#text(value));
      return;
    }
    const fields = this.#split();
    while (fields.length < index) fields.push("");
    fields[index - 1] = value;
    this.#record = fields.map((field) => this.#text(field)).join(this.#text(this.#get("OFS")));
  }

  // Time and memory.

  *#breathe(): Sys<void> {
    this.#tool.self.spend(this.#steps / stepsPerUnit);
    this.#steps = 0;
    yield* this.#tool.self.breathe();
  }

  #put(array: Map<string, Value>, key: string, value: Value): void {
    const before = array.get(key);
    if (before === undefined) this.#account(undefined, key);
    this.#account(before, value);
    array.set(key, value);
  }

  #remove(array: Map<string, Value>, key: string): void {
    const before = array.get(key);
    if (before === undefined) return;
    this.#account(key, undefined);
    this.#account(before, undefined);
    array.delete(key);
  }

  #clear(array: Map<string, Value>): void {
    for (const key of [...array.keys()]) this.#remove(array, key);
  }

  /** A value takes the place of another. */
  #account(before: Value | undefined, after: Value | undefined): void {
    this.#changedBytes += sizeOf(after) - sizeOf(before);
    if (Math.abs(this.#changedBytes) < accountBytes) return;
    this.#tool.self.holdMemory(this.#changedBytes);
    this.#changedBytes = 0;
  }

  // Variables.

  #cell(name: string): Cell | undefined {
    return this.#locals?.get(name) ?? this.#globals.get(name);
  }

  #get(name: string): Value {
    if (name === "NF") return this.#split().length;
    const cell = this.#cell(name);
    if (cell === undefined) return "";
    if ("array" in cell) throw new ToolFailure(`attempt to use array \`${name}' in a scalar context`, 2);
    return cell.value;
  }

  #set(name: string, value: Value): void {
    if (name === "NF") {
      const fields = this.#split();
      const count = this.#number(value);
      while (fields.length < count) fields.push("");
      fields.length = count;
      this.#record = fields.map((field) => this.#text(field)).join(this.#text(this.#get("OFS")));
      return;
    }
    const scope = this.#locals?.has(name) === true ? this.#locals : this.#globals;
    const before = scope.get(name);
    this.#account(before !== undefined && "value" in before ? before.value : undefined, value);
    scope.set(name, { value });
  }

  #array(name: string): Map<string, Value> {
    const cell = this.#cell(name);
    if (cell !== undefined && "array" in cell) return cell.array;
    const array = new Map<string, Value>();
    const local = this.#locals?.get(name);
    // An untyped parameter becomes an array here and for the caller who passed it.
    if (local !== undefined) Object.assign(local, { array });
    else this.#globals.set(name, { array });
    return array;
  }

  // Conversions.

  #number(value: Value): number {
    if (typeof value === "number") return value;
    if (typeof value === "object") return value.number;
    const match = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/u.exec(value);
    return match === null ? 0 : Number(match[0]);
  }

  #text(value: Value): string {
    if (typeof value === "string") return value;
    if (typeof value === "object") return value.text;
    if (!Number.isInteger(value)) return general(value, 6);
    return Math.abs(value) < 1e16 ? String(value) : BigInt(value).toString();
  }

  #truth(value: Value): boolean {
    if (typeof value === "number") return value !== 0;
    return typeof value === "string" ? value !== "" : value.number !== 0;
  }

  #regex(source: string): RegExp {
    let regex = this.#regexes.get(source);
    if (regex === undefined) {
      try {
        regex = posixRegex(source, { basic: false });
      } catch {
        throw new ToolFailure(`invalid regexp: ${source}`, 2);
      }
      this.#regexes.set(source, regex);
    }
    return regex;
  }

  *#pattern(expression: Expression): Sys<RegExp> {
    return this.#regex(expression.kind === "regex" ? expression.source : this.#text(yield* this.#evaluate(expression)));
  }

  *#key(index: readonly Expression[]): Sys<string> {
    const parts = yield* this.#evaluateAll(index);
    return parts.map((part) => this.#text(part)).join(this.#text(this.#get("SUBSEP")));
  }

  *#textOf(expression: Expression | undefined): Sys<string> {
    return this.#text(expression === undefined ? "" : yield* this.#evaluate(expression));
  }

  *#numberOf(expression: Expression | undefined): Sys<number> {
    return this.#number(expression === undefined ? 0 : yield* this.#evaluate(expression));
  }

  *#evaluateAll(list: readonly Expression[]): Sys<Value[]> {
    const values: Value[] = [];
    for (const each of list) values.push(yield* this.#evaluate(each));
    return values;
  }

  // Expressions.

  *#evaluate(expression: Expression): Sys<Value> {
    this.#steps += 1;
    if (this.#steps >= stepsPerBreath) yield* this.#breathe();
    switch (expression.kind) {
      case "number":
      case "string":
        return expression.value;
      case "regex":
        return this.#regex(expression.source).test(this.#record) ? 1 : 0;
      case "variable":
        return this.#get(expression.name);
      case "field":
        return this.#getField(Math.trunc(this.#number(yield* this.#evaluate(expression.index))));
      case "element": {
        const array = this.#array(expression.name);
        const key = yield* this.#key(expression.index);
        const value = array.get(key);
        if (value === undefined) {
          this.#account(undefined, key);
          array.set(key, "");
        }
        return value ?? "";
      }
      case "in":
        return this.#array(expression.name).has(yield* this.#key(expression.index)) ? 1 : 0;
      case "assign": {
        const right = yield* this.#evaluate(expression.value);
        const value =
          expression.operator === ""
            ? right
            : arithmetic(expression.operator, this.#number(yield* this.#evaluate(expression.target)), this.#number(right));
        yield* this.#store(expression.target, value);
        return value;
      }
      case "step": {
        const before = this.#number(yield* this.#evaluate(expression.target));
        const after = before + (expression.operator === "++" ? 1 : -1);
        yield* this.#store(expression.target, after);
        return expression.prefix ? after : before;
      }
      case "unary": {
        const value = yield* this.#evaluate(expression.operand);
        if (expression.operator === "!") {
          return this.#truth(value) ? 0 : 1;
        }
        return expression.operator === "-" ? -this.#number(value) : this.#number(value);
      }
      case "match":
        return (yield* this.#pattern(expression.right)).test(this.#text(yield* this.#evaluate(expression.left))) !==
          expression.negated
          ? 1
          : 0;
      case "ternary":
        return yield* this.#evaluate(this.#truth(yield* this.#evaluate(expression.test)) ? expression.yes : expression.no);
      case "group":
        return expression.list.length === 1
          ? yield* this.#evaluate(expression.list[0] as Expression)
          : yield* this.#key(expression.list);
      case "call":
        return yield* this.#call(expression.name, expression.args);
      case "binary":
        return yield* this.#binary(expression.operator, expression.left, expression.right);
    }
  }

  *#binary(operator: string, leftSide: Expression, rightSide: Expression): Sys<Value> {
    const left = yield* this.#evaluate(leftSide);
    if (operator === "&&") return this.#truth(left) && this.#truth(yield* this.#evaluate(rightSide)) ? 1 : 0;
    if (operator === "||") return this.#truth(left) || this.#truth(yield* this.#evaluate(rightSide)) ? 1 : 0;
    const right = yield* this.#evaluate(rightSide);
    if (operator === "concat") {
      const [first, second] = [this.#text(left), this.#text(right)];
      if (first.length + second.length > maximumTextLength) throw new ToolFailure("fatal: memory exhausted", 2);
      this.#steps += (first.length + second.length) >> 7;
      return first + second;
    }
    const holds = orderings.get(operator);
    if (holds === undefined) return arithmetic(operator, this.#number(left), this.#number(right));
    let order: number;
    const numeric = (value: Value) => typeof value !== "string" && !(typeof value === "object" && Number.isNaN(value.number));
    const untyped = (value: Value, other: Value) => value === "" && numeric(other);
    if ((numeric(left) || untyped(left, right)) && (numeric(right) || untyped(right, left)))
      order = this.#number(left) - this.#number(right);
    else {
      const [a, b] = [this.#text(left), this.#text(right)];
      if (a < b) order = -1;
      else order = a > b ? 1 : 0;
    }
    return holds(order) ? 1 : 0;
  }

  *#store(target: Expression, value: Value): Sys<void> {
    if (target.kind === "variable") this.#set(target.name, value);
    else if (target.kind === "field") this.#setField(Math.trunc(this.#number(yield* this.#evaluate(target.index))), value);
    else if (target.kind === "element") this.#put(this.#array(target.name), yield* this.#key(target.index), value);
    else if (target.kind === "group" && target.list.length === 1) yield* this.#store(target.list[0] as Expression, value);
  }

  *#call(name: string, args: readonly Expression[]): Sys<Value> {
    const own = this.#program.functions.get(name);
    if (own !== undefined) {
      const scope = new Map<string, Cell>();
      for (const [index, parameter] of own.parameters.entries()) {
        const argument = args[index];
        if (argument?.kind === "variable") {
          const cell = this.#cell(argument.name);
          if (cell === undefined) {
            // Untyped so far: if the function uses it as an array, the caller sees that array.
            const fresh: Cell = { value: "" };
            scope.set(parameter, fresh);
            (this.#locals?.has(argument.name) === true ? this.#locals : this.#globals).set(argument.name, fresh);
          } else scope.set(parameter, "array" in cell ? cell : { value: cell.value });
        } else scope.set(parameter, { value: argument === undefined ? "" : yield* this.#evaluate(argument) });
      }
      const saved = this.#locals;
      if (this.#depth >= maximumDepth) throw new ToolFailure(`fatal: function \`${name}' called too deeply: memory exhausted`, 2);
      this.#depth += 1;
      this.#locals = scope;
      try {
        yield* this.#execute(own.body);
        return "";
      } catch (error) {
        if (error instanceof Return) return error.value;
        throw error;
      } finally {
        this.#locals = saved;
        this.#depth -= 1;
      }
    }
    return yield* this.#builtin(name, args);
  }

  *#builtin(name: string, args: readonly Expression[]): Sys<Value> {
    const calculate = calculations.get(name);
    if (calculate !== undefined) return calculate(yield* this.#numberOf(args[0]));
    switch (name) {
      case "length": {
        const first = args[0];
        if (first === undefined) return [...this.#record].length;
        const cell = first.kind === "variable" ? this.#cell(first.name) : undefined;
        return cell !== undefined && "array" in cell ? cell.array.size : [...(yield* this.#textOf(args[0]))].length;
      }
      case "substr": {
        const characters = [...(yield* this.#textOf(args[0]))];
        const from = Math.round(yield* this.#numberOf(args[1]));
        const to = args[2] === undefined ? characters.length + 1 : from + Math.round(yield* this.#numberOf(args[2]));
        return characters.slice(Math.max(0, from - 1), Math.max(0, to - 1)).join("");
      }
      case "index":
        return (yield* this.#textOf(args[0])).indexOf(yield* this.#textOf(args[1])) + 1;
      case "split":
        return yield* this.#splitInto(args);
      case "sub":
      case "gsub":
        return yield* this.#substitute(name === "gsub", args);
      case "gensub":
        return yield* this.#generalSubstitute(args);
      case "match":
        return yield* this.#match(args);
      case "sprintf":
        return this.#format(yield* this.#evaluateAll(args));
      case "atan2":
        return atan2(yield* this.#numberOf(args[0]), yield* this.#numberOf(args[1]));
      case "rand":
        return this.#tool.self.random.fraction();
      case "srand":
        return 0;
      case "tolower":
        return lowerCase(yield* this.#textOf(args[0]));
      case "toupper":
        return upperCase(yield* this.#textOf(args[0]));
      case "systime":
        return Math.floor(this.#tool.self.nowMs / 1000);
      case "strftime":
        return formatDate(
          args[0] === undefined ? "%c" : yield* this.#textOf(args[0]),
          args[1] === undefined ? this.#tool.self.nowMs : (yield* this.#numberOf(args[1])) * 1000,
        );
      case "close":
      case "fflush":
        return 0;
      case "system":
        throw new ToolFailure("system: not supported by this awk", 2);
      default:
        throw new ToolFailure(`function \`${name}' not defined`, 2);
    }
  }

  *#splitInto(args: readonly Expression[]): Sys<Value> {
    const target = args[1];
    const separator = args[2];
    const text = yield* this.#textOf(args[0]);
    let parts: readonly string[];
    if (separator?.kind === "regex")
      parts = text === "" ? [] : text.split(new BoundedRegExp(this.#regex(separator.source).source, "u"));
    else parts = this.#splitText(text, separator === undefined ? this.#text(this.#get("FS")) : yield* this.#textOf(separator));
    if (target?.kind !== "variable") throw new ToolFailure("split: second argument is not an array", 2);
    const array = this.#array(target.name);
    this.#clear(array);
    for (const [index, part] of parts.entries()) this.#put(array, String(index + 1), fromInput(part));
    return parts.length;
  }

  *#generalSubstitute(args: readonly Expression[]): Sys<Value> {
    const how = yield* this.#textOf(args[2]);
    let seen = 0;
    const regex = new BoundedRegExp((yield* this.#pattern(args[0] as Expression)).source, "gu");
    const template = yield* this.#textOf(args[1]);
    return (args[3] === undefined ? this.#record : yield* this.#textOf(args[3])).replace(
      regex,
      (match: string, ...groups: unknown[]) => {
        seen += 1;
        if (!/^[gG]/u.test(how) && seen !== Number(how)) return match;
        return template.replace(/\\(\d|&)|&/gu, (_all, digit: string | undefined) => {
          if (digit === undefined || digit === "0") return match;
          return digit === "&" ? "&" : String(groups[Number(digit) - 1] ?? "");
        });
      },
    );
  }

  *#match(args: readonly Expression[]): Sys<Value> {
    const match = (yield* this.#pattern(args[1] as Expression)).exec(yield* this.#textOf(args[0]));
    this.#set("RSTART", match === null ? 0 : match.index + 1);
    this.#set("RLENGTH", match === null ? -1 : match[0].length);
    const third = args[2];
    if (third?.kind === "variable") {
      const array = this.#array(third.name);
      this.#clear(array);
      for (const [index, group] of (match ?? []).entries()) this.#put(array, String(index), fromInput(group ?? ""));
    }
    return match === null ? 0 : match.index + 1;
  }

  *#substitute(all: boolean, args: readonly Expression[]): Sys<number> {
    const regex = yield* this.#pattern(args[0] as Expression);
    const template = this.#text(yield* this.#evaluate(args[1] as Expression));
    const target: Expression = args[2] ?? { kind: "field", index: { kind: "number", value: 0 } };
    let count = 0;
    const before = this.#text(yield* this.#evaluate(target));
    const after = before.replace(new BoundedRegExp(regex.source, all ? "gu" : "u"), (match) => {
      count += 1;
      return template.replace(/\\&|&|\\\\/gu, (each) => {
        if (each === "&") return match;
        return each === "\\&" ? "&" : "\\";
      });
    });
    if (count > 0) yield* this.#store(target, after);
    return count;
  }

  #format(values: readonly Value[]): string {
    let used = 1;
    const take = () => values[used++] ?? "";
    return this.#text(values[0] ?? "").replace(
      /%(?:%|([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d*))?([diouxXcseEfFgG]))/gu,
      (_all, flags, width, precision, kind: string | undefined) => {
        if (kind === undefined) return "%";
        const options = readOptions(flags, width, precision, () => this.#number(take()));
        const value = take();
        if (kind === "c")
          return formatOne("c", typeof value === "number" ? String.fromCodePoint(value) : this.#text(value), options, []);
        if (kind === "s") return formatOne("s", this.#text(value), options, []);
        const number = this.#number(value);
        return formatOne(
          kind,
          "diouxX".includes(kind) ? BigInt(Number.isFinite(number) ? Math.trunc(number) : 0).toString() : String(number),
          options,
          [],
        );
      },
    );
  }

  // Statements.

  *#execute(statement: Statement): Sys<void> {
    this.#steps += 1;
    if (this.#steps >= stepsPerBreath) yield* this.#breathe();
    switch (statement.kind) {
      case "expression":
        yield* this.#evaluate(statement.expression);
        return;
      case "block":
        for (const each of statement.body) yield* this.#execute(each);
        return;
      case "print":
        yield* this.#print(statement);
        return;
      case "if":
        if (this.#truth(yield* this.#evaluate(statement.test))) yield* this.#execute(statement.yes);
        else if (statement.no !== undefined) yield* this.#execute(statement.no);
        return;
      case "while":
        if (statement.afterBody && !(yield* this.#round(statement.body))) return;
        while (this.#truth(yield* this.#evaluate(statement.test))) if (!(yield* this.#round(statement.body))) return;
        return;
      case "for":
        if (statement.start !== undefined) yield* this.#execute(statement.start);
        while (statement.test === undefined || this.#truth(yield* this.#evaluate(statement.test))) {
          if (!(yield* this.#round(statement.body))) return;
          if (statement.step !== undefined) yield* this.#execute(statement.step);
        }
        return;
      case "forIn":
        for (const key of [...this.#array(statement.array).keys()]) {
          this.#set(statement.variable, fromInput(key));
          if (!(yield* this.#round(statement.body))) return;
        }
        return;
      case "jump":
        throw new Jump(statement.name);
      case "exit":
        throw new AwkExit(statement.value === undefined ? 0 : this.#number(yield* this.#evaluate(statement.value)) & 255);
      case "return":
        throw new Return(statement.value === undefined ? "" : yield* this.#evaluate(statement.value));
      case "delete":
        if (statement.index === undefined) this.#clear(this.#array(statement.name));
        else this.#remove(this.#array(statement.name), yield* this.#key(statement.index));
    }
  }

  /** False when the loop is to end. */
  *#round(body: Statement): Sys<boolean> {
    try {
      yield* this.#execute(body);
      return true;
    } catch (error) {
      if (!(error instanceof Jump) || (error.name !== "break" && error.name !== "continue")) throw error;
      return error.name === "continue";
    }
  }

  *#print(statement: Extract<Statement, { kind: "print" }>): Sys<void> {
    const values = yield* this.#evaluateAll(statement.args);
    const text = statement.format
      ? this.#format(values)
      : (values.length === 0 ? this.#record : values.map((value) => this.#text(value)).join(this.#text(this.#get("OFS")))) +
        this.#text(this.#get("ORS"));
    if (statement.redirect === undefined) {
      yield* this.#emit(text);
      return;
    }
    const target = this.#text(yield* this.#evaluate(statement.redirect.target));
    if (statement.redirect.operator === "|") throw new ToolFailure("print to a command: not supported by this awk", 2);
    if (target === "/dev/stdout" || target === "-") {
      yield* this.#emit(text);
      return;
    }
    const append = statement.redirect.operator === ">>" || this.#files.has(target);
    this.#files.add(target);
    this.#tool.self.writeFile(target, text, { append });
  }
}

function arithmetic(operator: string, left: number, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
    case "%":
      if (right === 0) throw new ToolFailure(operator === "/" ? "division by zero" : "division by zero in %", 2);
      return operator === "/" ? left / right : left % right;
    default:
      return pow(left, right);
  }
}

/** Text from input is a number too when it looks like one. */
function fromInput(text: string): Value {
  return /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/u.test(text) ? { text, number: Number(text) } : text;
}

function sizeOf(value: Value | undefined): number {
  if (value === undefined) return 0;
  if (typeof value === "number") return cellBytes;
  return cellBytes + (typeof value === "string" ? value : value.text).length;
}
