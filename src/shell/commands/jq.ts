// jq 1.7: reads JSON, runs a filter on each value, prints what comes out.

import { decodeUtf8 } from "#sim/bytes.ts";
import { isEngineError, SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { linesOf } from "../toolkit/lines.ts";
import type { CommandDefinition, Tool } from "../toolkit/tool.ts";
import { builtins } from "./jq/builtins.ts";
import { checkNames } from "./jq/check.ts";
import { evaluate, HaltSignal, type JqWorld, type Scope, withVariable } from "./jq/evaluate.ts";
import { parseProgram } from "./jq/parser.ts";
import { JsonError, JsonReader } from "./jq/reader.ts";
import { type Filter, JqSyntaxError } from "./jq/syntax.ts";
import { type FormatOptions, format, isTrue, JqError, type Json, toJson } from "./jq/value.ts";

interface Call {
  readonly flags: ReadonlySet<string>;
  readonly indent: number | "tab";
  readonly program: string;
  readonly files: readonly string[];
  readonly variables: ReadonlyMap<string, Json>;
}

/** Ends jq with a message and a status. */
class JqFailure extends Error {
  readonly status: number;
  constructor(message: string, status = 2) {
    super(message);
    this.status = status;
  }
}

const shortFlags: { readonly [letter: string]: string } = {
  r: "raw",
  j: "join",
  a: "ascii",
  c: "compact",
  n: "null-input",
  e: "exit-status",
  s: "slurp",
  R: "raw-input",
  S: "sort-keys",
  C: "colour",
  M: "monochrome",
  f: "from-file",
  h: "help",
  V: "version",
};
const longFlags: { readonly [name: string]: string } = {
  "raw-output": "raw",
  "join-output": "join",
  "ascii-output": "ascii",
  "compact-output": "compact",
  "null-input": "null-input",
  "exit-status": "exit-status",
  slurp: "slurp",
  "raw-input": "raw-input",
  "sort-keys": "sort-keys",
  "color-output": "colour",
  "monochrome-output": "monochrome",
  "from-file": "from-file",
  help: "help",
  version: "version",
};

const usage = `Usage:\tjq [OPTIONS] FILTER [FILES...]
\tjq [OPTIONS] -n FILTER
\tjq [OPTIONS] --args FILTER [STRINGS...]
\tjq [OPTIONS] --jsonargs FILTER [JSON_VALUES...]
`;
const hint =
  "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs  at https://jqlang.github.io/jq\n";

/** What the hint calls the second parameter of an option. */
const secondParameters: { readonly [option: string]: string } = { "--arg": "value", "--argjson": "text" };

function readCall(tool: Tool): Call {
  const flags = new Set<string>();
  const named = new Map<string, Json>();
  const positional: Json[] = [];
  const operands: string[] = [];
  let indent: number | "tab" = 2;
  let rest: "files" | "args" | "jsonargs" = "files";
  let program: string | undefined;
  const words = tool.operands;
  for (let at = 0, optionsEnded = false; at < words.length; at += 1) {
    const word = words[at] as string;
    if (optionsEnded || !word.startsWith("-") || word === "-") {
      if (program === undefined) program = word;
      else if (rest === "files") operands.push(word);
      else positional.push(rest === "args" ? word : readJson(word, `Invalid JSON text passed to --jsonargs`));
      continue;
    }
    const take = (count: number): readonly string[] => {
      const taken = words.slice(at + 1, at + 1 + count);
      if (taken.length < count) {
        const second = secondParameters[word] ?? "filename";
        const what =
          count === 1 ? "takes one parameter (e.g. --indent 2)" : `takes two parameters (e.g. ${word} varname ${second})`;
        throw new JqFailure(`jq: ${word} ${what}\n${hint}`);
      }
      at += count;
      return taken;
    };
    if (word === "--") optionsEnded = true;
    else if (word === "--arg") {
      const [name, value] = take(2);
      named.set(name as string, value as string);
    } else if (word === "--argjson") {
      const [name, text] = take(2);
      named.set(name as string, readJson(text as string, `Invalid JSON text passed to --argjson`));
    } else if (word === "--slurpfile" || word === "--rawfile") {
      const [name, path] = take(2);
      const text = readFile(tool, path as string, `Bad JSON in --${word.slice(2)} ${name} ${path}: `);
      named.set(name as string, word === "--rawfile" ? text : readAll(text));
    } else if (word === "--args" || word === "--jsonargs") rest = word.slice(2) as "args" | "jsonargs";
    else if (word === "--tab") indent = "tab";
    else if (word === "--indent") {
      const count = Number(take(1)[0]);
      if (count < 0) throw new JqFailure(`jq: Cannot indent less than zero\n${hint}`);
      if (count > 7) throw new JqFailure(`jq: Cannot indent more than 7 characters\n${hint}`);
      indent = count;
    } else if (word.startsWith("--")) {
      const flag = longFlags[word.slice(2)];
      if (flag === undefined) throw new JqFailure(`jq: Unknown option: ${word}\n${hint}`);
      flags.add(flag);
    } else
      for (const letter of word.slice(1)) {
        const flag = shortFlags[letter];
        if (flag === undefined) throw new JqFailure(`jq: Unknown option: ${word}\n${hint}`);
        flags.add(flag);
      }
  }
  const variables = new Map<string, Json>([...named, ["ARGS", { positional, named: Object.fromEntries(named) }]]);
  if (flags.has("help") || flags.has("version")) return { flags, indent, program: ".", files: [], variables };
  if (program !== undefined && flags.has("from-file")) program = readFile(tool, program, "error: Could not open ");
  if (program === undefined) {
    if (tool.self.isTty(0) && tool.self.isTty(1)) throw new JqFailure(usage + hint);
    program = ".";
  }
  return { flags, indent: flags.has("compact") ? 0 : indent, program, files: operands, variables };
}

function readFile(tool: Tool, path: string, what: string): string {
  try {
    return decodeUtf8(tool.self.readFile(path));
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new JqFailure(
      what.endsWith("open ") ? `jq: ${what}${path}: ${error.message}\n` : `jq: ${what}Could not open ${path}: ${error.message}\n`,
    );
  }
}

function readJson(text: string, problem: string): Json {
  try {
    const [value, ...more] = readAll(text);
    if (value === undefined || more.length > 0) throw new JsonError("");
    return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new JqFailure(`jq: ${problem}\n${hint}`);
  }
}

function readAll(text: string): readonly Json[] {
  const reader = new JsonReader(text);
  const found: Json[] = [];
  for (let value = reader.next(); value !== undefined; value = reader.next()) found.push(value);
  return found;
}

function compileProgram(call: Call): Filter {
  try {
    const filter = parseProgram(call.program);
    checkNames(filter, [...call.variables.keys()]);
    return filter;
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error;
    throw new JqFailure(`jq: error: ${error.message} at <top-level>, line 1:\n${call.program}\njq: 1 compile error\n`, 3);
  }
}

interface SourceText {
  /** Undefined for standard input. */
  readonly name: string | undefined;
  readonly text: string;
}

/** The inputs of one run: all files as one text. */
class Inputs {
  name: string | undefined;
  #line = 0;
  readonly #pending: SourceText[];
  readonly #raw: boolean;
  #reader: JsonReader | undefined;
  #lines: string[] = [];

  constructor(texts: readonly SourceText[], raw: boolean) {
    this.#pending = [...texts];
    this.#raw = raw;
  }

  /** `<stdin>:3`, as errors name the place. */
  get place(): string {
    return `${this.name ?? "<stdin>"}:${this.#reader?.line ?? this.#line}`;
  }

  /** Throws JsonError. */
  next(): Json | undefined {
    for (;;) {
      if (this.#raw) {
        const line = this.#lines.shift();
        this.#line += 1;
        if (line !== undefined) return line;
      } else {
        const value = this.#reader?.next();
        if (value !== undefined) return value;
      }
      const text = this.#pending.shift();
      if (text === undefined) return undefined;
      this.name = text.name;
      if (this.#raw) this.#lines = linesOf(text.text);
      else this.#reader = new JsonReader(text.text);
    }
  }
}

export const jq: CommandDefinition = {
  name: "jq",
  *run(tool) {
    try {
      return yield* runJq(tool, readCall(tool));
    } catch (error) {
      if (!(error instanceof JqFailure)) throw error;
      yield* tool.flush();
      yield* tool.self.write(2, error.message);
      return error.status;
    }
  },
};

/** The texts to read values from; a file that cannot be read is reported and left out. */
function* readTexts(tool: Tool, call: Call): Sys<{ readonly texts: readonly SourceText[]; readonly status: number }> {
  const texts: SourceText[] = [];
  let status = 0;
  const needsInput = !call.flags.has("null-input") || /\binputs?\b/u.test(call.program);
  if (call.files.length === 0 && needsInput) texts.push({ name: undefined, text: decodeUtf8(yield* tool.readAll("-")) });
  for (const path of call.files) {
    try {
      texts.push({ name: path, text: decodeUtf8(yield* tool.readAll(path)) });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      yield* tool.self.write(2, `jq: error: Could not open ${path}: ${error.message}\n`);
      status = 2;
    }
  }
  return { texts, status };
}

function* runJq(tool: Tool, call: Call): Sys<number> {
  const { flags } = call;
  if (flags.has("version") || flags.has("help")) {
    yield* tool.print(flags.has("version") ? "jq-1.7.1\n" : usage);
    return 0;
  }
  const filter = compileProgram(call);
  const { texts, status } = yield* readTexts(tool, call);
  const run = new Run(tool, call, filter, new Inputs(texts, flags.has("raw-input") && !flags.has("slurp")), status);
  try {
    for (const value of inputValues(run.inputs, texts, flags)) {
      const place = flags.has("null-input") && texts.length === 0 ? "<unknown>" : undefined;
      if (!(yield* run.pass(value, place))) return 5;
    }
  } catch (error) {
    if (error instanceof HaltSignal) {
      if (error.value !== undefined) yield* run.tell(typeof error.value === "string" ? error.value : `${toJson(error.value)}\n`);
      return error.status;
    }
    if (!(error instanceof JsonError)) throw error;
    yield* run.tell(`jq: parse error: ${error.message}\n`);
    return 2;
  }
  if (run.status !== 0 || !flags.has("exit-status")) return run.status;
  if (run.last === undefined) return 4;
  return isTrue(run.last) ? 0 : 1;
}

/** One program at work on its values. */
class Run {
  readonly inputs: Inputs;
  readonly #tool: Tool;
  readonly #flags: ReadonlySet<string>;
  readonly #filter: Filter;
  readonly #scope: Scope;
  readonly #options: FormatOptions;
  readonly #messages: string[] = [];
  status: number;
  /** What was put out last. */
  last: Json | undefined;

  constructor(tool: Tool, call: Call, filter: Filter, inputs: Inputs, status: number) {
    this.#tool = tool;
    this.#flags = call.flags;
    this.#filter = filter;
    this.inputs = inputs;
    this.status = status;
    this.#options = { indent: call.indent, sortKeys: call.flags.has("sort-keys"), colour: call.flags.has("colour") };
    const world: JqWorld = {
      builtins,
      nowMs: tool.self.nowMs,
      environment: Object.fromEntries(tool.self.env),
      input: () => inputs.next(),
      message: (text) => this.#messages.push(`${text}\n`),
      get inputName() {
        return inputs.name;
      },
      steps: 0,
      depth: 0,
    };
    let scope: Scope = { variables: undefined, functions: undefined, world };
    for (const [name, value] of call.variables) scope = withVariable(scope, name, value);
    this.#scope = scope;
  }

  *tell(text: string): Sys<void> {
    yield* this.#tool.flush();
    yield* this.#tool.self.write(2, text);
  }

  *#tellMessages(): Sys<void> {
    for (const text of this.#messages.splice(0)) yield* this.tell(text);
  }

  /** Prints what the program makes of a value; false when it must not go on. */
  *pass(value: Json, place: string | undefined): Sys<boolean> {
    const { world } = this.#scope;
    world.steps = 0;
    world.depth = 0;
    try {
      for (const output of evaluate(this.#filter, { value, path: undefined }, this.#scope)) {
        yield* this.#tellMessages();
        this.last = output.value;
        yield* this.#tool.print(written(output.value, this.#flags, this.#options));
        this.#tool.self.spend(world.steps >> 2);
        world.steps = 0;
        yield* this.#tool.self.breathe();
      }
    } catch (error) {
      yield* this.#tellMessages();
      if (isEngineError(error)) {
        yield* this.tell("jq: error: the program calls itself too deeply\n");
        return false;
      }
      if (!(error instanceof JqError)) throw error;
      this.status = 5;
      const text = typeof error.value === "string" ? `: ${error.value}` : ` (not a string): ${toJson(error.value)}`;
      yield* this.tell(`jq: error (at ${place ?? this.inputs.place})${text}\n`);
    }
    yield* this.#tellMessages();
    return true;
  }
}

function* inputValues(
  inputs: Inputs,
  texts: readonly { readonly text: string }[],
  flags: ReadonlySet<string>,
): Generator<Json, void, undefined> {
  if (flags.has("null-input")) yield null;
  else if (flags.has("slurp") && flags.has("raw-input")) yield texts.map(({ text }) => text).join("");
  else if (flags.has("slurp")) {
    const all: Json[] = [];
    for (let value = inputs.next(); value !== undefined; value = inputs.next()) all.push(value);
    yield all;
  } else for (let value = inputs.next(); value !== undefined; value = inputs.next()) yield value;
}

function written(value: Json, flags: ReadonlySet<string>, options: FormatOptions): string {
  const raw = (flags.has("raw") || flags.has("join")) && typeof value === "string";
  const text = raw ? value : format(value, options);
  const ascii = flags.has("ascii")
    ? text.replace(/[^\u0000-\u007f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : text;
  return flags.has("join") ? ascii : `${ascii}\n`;
}
