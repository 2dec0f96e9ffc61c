// sed.

import { decodeUtf8 } from "#sim/bytes.ts";
import type { Sys } from "#sim/program.ts";
import { lowerCase, upperCase } from "#sim/unicode.ts";
import { BoundedRegExp } from "../text/bounded-regex.ts";
import { posixRegex } from "../text/regex.ts";
import { type CommandDefinition, LineReader, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

type Address =
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "last" }
  | { readonly kind: "regex"; readonly regex: RegExp }
  | { readonly kind: "step"; readonly first: number; readonly step: number }
  | { readonly kind: "plus"; readonly count: number };

interface Instruction {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
  readonly negated: boolean;
  readonly name: string;
  readonly text: string;
  readonly regex: RegExp | undefined;
  readonly flags: string;
  /** Where a block ends, or a branch goes: index into the program. */
  target: number;
  inRange: boolean;
  rangeEnd: number;
}

class Parser {
  readonly #source: string;
  readonly #extended: boolean;
  #position = 0;
  #lastRegex: RegExp | undefined;
  readonly program: Instruction[] = [];

  constructor(source: string, extended: boolean) {
    this.#source = source;
    this.#extended = extended;
  }

  #fail(message: string): never {
    throw new ToolFailure(`-e expression #1, char ${Math.min(this.#position, this.#source.length)}: ${message}`);
  }

  parse(): Instruction[] {
    const blocks: Instruction[] = [];
    const labels = new Map<string, number>();
    for (;;) {
      this.#skip(/[\s;]/u);
      if (this.#position >= this.#source.length) break;
      if (this.#source[this.#position] === "#") {
        this.#until("\n");
        continue;
      }
      if (this.#source[this.#position] === "}") {
        this.#position += 1;
        const block = blocks.pop();
        if (block === undefined) this.#fail("unexpected `}'");
        block.target = this.program.length;
        continue;
      }
      const instruction = this.#instruction();
      if (instruction.name === ":") labels.set(instruction.text, this.program.length);
      else {
        if (instruction.name === "{") blocks.push(instruction);
        this.program.push(instruction);
      }
    }
    if (blocks.length > 0) throw new ToolFailure("-e expression #1, char 0: unmatched `{'");
    for (const instruction of this.program) {
      if (!"btT".includes(instruction.name)) continue;
      const target = instruction.text === "" ? this.program.length : labels.get(instruction.text);
      if (target === undefined)
        throw new ToolFailure(`-e expression #1, char ${this.#source.length}: can't find label for jump to \`${instruction.text}'`);
      instruction.target = target;
    }
    return this.program;
  }

  #skip(pattern: RegExp): void {
    while (this.#position < this.#source.length && pattern.test(this.#source[this.#position] as string)) this.#position += 1;
  }

  #until(end: string): string {
    const at = this.#source.indexOf(end, this.#position);
    const text = this.#source.slice(this.#position, at < 0 ? undefined : at);
    this.#position = at < 0 ? this.#source.length : at + 1;
    return text;
  }

  #instruction(): Instruction {
    const from = this.#address();
    let to: Address | undefined;
    this.#skip(/[ \t]/u);
    if (from !== undefined && this.#source[this.#position] === ",") {
      this.#position += 1;
      this.#skip(/[ \t]/u);
      to = this.#address();
      if (to === undefined) this.#fail("unexpected `,'");
    }
    // Line 0 stands before the first: its range is open from the start, so that its end may be line 1.
    const fromTheStart = from?.kind === "line" && from.line === 0;
    this.#skip(/[ \t]/u);
    let negated = false;
    while (this.#source[this.#position] === "!") {
      negated = true;
      this.#position += 1;
      this.#skip(/[ \t]/u);
    }
    const name = this.#source[this.#position];
    this.#position += 1;
    if (fromTheStart && to?.kind !== "regex") this.#fail("invalid usage of line address 0");
    if (name === undefined) this.#fail("missing command");
    let text = "";
    let regex: RegExp | undefined;
    let flags = "";
    if ("aic".includes(name)) text = this.#textArgument();
    else if (":btTrwR".includes(name)) text = /[^\n;}]*/u.exec(this.#source.slice(this.#position))?.[0] ?? "";
    else if (name === "s" || name === "y") {
      const delimiter = this.#source[this.#position] ?? "";
      this.#position += 1;
      const pattern = this.#delimited(delimiter, name);
      text = this.#delimited(delimiter, name);
      if (name === "s") {
        flags = /^[gpiImMe0-9]*/u.exec(this.#source.slice(this.#position))?.[0] ?? "";
        this.#position += flags.length;
        if (this.#source[this.#position] === "w") this.#fail("unknown option to `s'");
        regex = this.#regex(pattern, /[iI]/u.test(flags), /[mM]/u.test(flags));
      } else {
        const [source, target] = [pattern, text].map((each) => [...each.replace(/\\n/gu, "\n").replace(/\\(.)/gu, "$1")]) as [
          string[],
          string[],
        ];
        if (source.length !== target.length) this.#fail("strings for `y' command are different lengths");
        flags = source.join("");
        text = target.join("");
      }
      this.#end(name);
    } else if ("{=dDgGhHlnNpPqQxz".includes(name)) {
      if (name === "q" || name === "Q") {
        text = /^[ \t]*(\d*)/u.exec(this.#source.slice(this.#position))?.[1] ?? "";
        this.#position += text.length;
      }
      if (name !== "{") this.#end(name);
    } else this.#fail(`unknown command: \`${name}'`);
    if (":btTrwR".includes(name)) {
      this.#position += text.length;
      text = text.trim();
    }
    return { from, to, negated, name, text, regex, flags, target: 0, inRange: fromTheStart, rangeEnd: 0 };
  }

  #end(name: string): void {
    this.#skip(/[ \t]/u);
    const next = this.#source[this.#position];
    if (next !== undefined && !"\n;}#".includes(next))
      this.#fail(name === "s" ? "unknown option to `s'" : "extra characters after command");
  }

  /** GNU: blanks before the text are left out, unless a backslash stands before them (or they begin the line after one). */
  #textArgument(): string {
    const rest = this.#source.slice(this.#position);
    const start = /^[ \t]*(?:\\\n?)?/u.exec(rest)?.[0].length ?? 0;
    let text = "";
    let i = start;
    for (; i < rest.length && rest[i] !== "\n"; i += 1) {
      if (rest[i] === "\\" && i + 1 < rest.length) {
        i += 1;
        text += rest[i] === "t" ? "\t" : rest[i] === "n" ? "\n" : rest[i];
      } else text += rest[i];
    }
    this.#position += i + 1;
    if (text === "" && start === 0 && rest === "") this.#fail("expected \\ after `a', `c' or `i'");
    return text;
  }

  #delimited(delimiter: string, command: string): string {
    let text = "";
    let inBracket = false;
    for (; this.#position < this.#source.length; this.#position += 1) {
      const char = this.#source[this.#position] as string;
      if (char === "\\") {
        const next = this.#source[this.#position + 1] ?? "";
        text +=
          next === delimiter && delimiter !== "\\"
            ? /[.*+?()[\]{}^$|&]/u.test(delimiter)
              ? `\\${delimiter}`
              : delimiter
            : next === "\n"
              ? "\n"
              : `\\${next}`;
        this.#position += 1;
      } else if (char === delimiter && !inBracket) {
        this.#position += 1;
        return text;
      } else {
        if (char === "[" && command !== "y") inBracket = inBracket || /^\[\^?\]?[^\]]*\]/u.test(this.#source.slice(this.#position));
        else if (char === "]" && inBracket && !/\[\^?$/u.test(text)) inBracket = false;
        text += char;
      }
    }
    return this.#fail(`unterminated \`${command}' command`);
  }

  #regex(pattern: string, ignoreCase: boolean, multiline = false): RegExp {
    if (pattern === "") {
      if (this.#lastRegex === undefined) this.#fail("no previous regular expression");
      return this.#lastRegex;
    }
    try {
      const made = posixRegex(pattern.replace(/\\n/gu, "\n"), { basic: !this.#extended, ignoreCase, global: true });
      this.#lastRegex = multiline ? new BoundedRegExp(made.source, `${made.flags}m`) : made;
      return this.#lastRegex;
    } catch {
      return this.#fail(this.#extended ? "Unmatched ( or \\(" : "Unmatched \\( or \\)");
    }
  }

  #address(): Address | undefined {
    const rest = this.#source.slice(this.#position);
    const number = /^(\d+)(?:~(\d+))?/u.exec(rest);
    if (number !== null) {
      this.#position += number[0].length;
      if (number[2] !== undefined) return { kind: "step", first: Number(number[1]), step: Number(number[2]) };
      return { kind: "line", line: Number(number[1]) };
    }
    const plus = /^\+(\d+)/u.exec(rest);
    if (plus !== null) {
      this.#position += plus[0].length;
      return { kind: "plus", count: Number(plus[1]) };
    }
    if (rest.startsWith("$")) {
      this.#position += 1;
      return { kind: "last" };
    }
    if (rest.startsWith("/") || rest.startsWith("\\")) {
      const delimiter = rest.startsWith("/") ? "/" : (rest[1] as string);
      this.#position += rest.startsWith("/") ? 1 : 2;
      const pattern = this.#delimited(delimiter, "address regex");
      const flag = this.#source[this.#position] === "I";
      if (flag) this.#position += 1;
      return { kind: "regex", regex: this.#regex(pattern, flag) };
    }
    return undefined;
  }
}

interface LineSource {
  next(): Sys<string | undefined>;
  /** The line given last is the last of all. */
  isLast(): Sys<boolean>;
}

class Editor {
  readonly #tool: Tool;
  readonly #program: readonly Instruction[];
  readonly #source: LineSource;
  readonly #emit: (text: string) => Sys<void>;
  #pattern = "";
  #hold = "";
  #line = 0;
  #appended: string[] = [];
  #substituted = false;

  constructor(tool: Tool, program: readonly Instruction[], source: LineSource, emit: (text: string) => Sys<void>) {
    this.#tool = tool;
    this.#program = program;
    this.#source = source;
    this.#emit = emit;
  }

  /** The exit status that `q` gave, or 0. */
  *run(): Sys<number> {
    let restart = false;
    for (;;) {
      if (!restart) {
        const line = yield* this.#source.next();
        if (line === undefined) return 0;
        this.#pattern = line;
        this.#line += 1;
      }
      this.#substituted = false;
      const outcome = yield* this.#cycle();
      restart = outcome === "restart";
      if (outcome !== "delete" && outcome !== "restart" && outcome !== "quiet" && !this.#tool.has("n"))
        yield* this.#emit(`${this.#pattern}\n`);
      for (const text of this.#appended) yield* this.#emit(text);
      this.#appended = [];
      if (typeof outcome === "number") return outcome;
      if (outcome === "quiet") return 0;
    }
  }

  *#matches(address: Address): Sys<boolean> {
    switch (address.kind) {
      case "line":
        return this.#line === address.line;
      case "last":
        return yield* this.#source.isLast();
      case "step":
        return address.step === 0
          ? this.#line === address.first
          : this.#line >= address.first && (this.#line - address.first) % address.step === 0;
      case "plus":
        return false;
      case "regex":
        address.regex.lastIndex = 0;
        return address.regex.test(this.#pattern);
    }
  }

  *#selected(instruction: Instruction): Sys<boolean> {
    const { from, to } = instruction;
    if (from === undefined) return true;
    if (to === undefined) return yield* this.#matches(from);
    if (instruction.inRange) {
      const ends = to.kind === "plus" || to.kind === "line" ? this.#line >= instruction.rangeEnd : yield* this.#matches(to);
      if (ends) instruction.inRange = false;
      return to.kind !== "line" || this.#line <= instruction.rangeEnd;
    }
    if (!(yield* this.#matches(from))) return false;
    instruction.rangeEnd = to.kind === "line" ? to.line : to.kind === "plus" ? this.#line + to.count : 0;
    instruction.inRange = to.kind === "line" || to.kind === "plus" ? instruction.rangeEnd > this.#line : true;
    return true;
  }

  *#cycle(): Sys<"print" | "delete" | "restart" | "quiet" | number> {
    for (let i = 0, steps = 0; i < this.#program.length; steps += 1) {
      if (steps > 1_000_000) throw new ToolFailure("too many steps in one cycle");
      const instruction = this.#program[i] as Instruction;
      i += 1;
      if ((yield* this.#selected(instruction)) === instruction.negated) {
        if (instruction.name === "{") i = instruction.target;
        continue;
      }
      switch (instruction.name) {
        case "s": {
          if (!this.#substitute(instruction)) break;
          this.#substituted = true;
          if (instruction.flags.includes("p")) yield* this.#emit(`${this.#pattern}\n`);
          break;
        }
        case "y":
          this.#pattern = [...this.#pattern]
            .map((char) => [...instruction.text][[...instruction.flags].indexOf(char)] ?? char)
            .join("");
          break;
        case "d":
          return "delete";
        case "D": {
          const at = this.#pattern.indexOf("\n");
          if (at < 0) return "delete";
          this.#pattern = this.#pattern.slice(at + 1);
          return "restart";
        }
        case "p":
          yield* this.#emit(`${this.#pattern}\n`);
          break;
        case "P":
          yield* this.#emit(`${this.#pattern.split("\n")[0]}\n`);
          break;
        case "a":
          this.#appended.push(`${instruction.text}\n`);
          break;
        case "r":
          try {
            this.#appended.push(this.#tool.self.readText(instruction.text));
          } catch {
            // sed reads a file that is not there as empty.
          }
          break;
        case "i":
          yield* this.#emit(`${instruction.text}\n`);
          break;
        case "c":
          if (instruction.to === undefined || !instruction.inRange || instruction.negated)
            yield* this.#emit(`${instruction.text}\n`);
          return "delete";
        case "=":
          yield* this.#emit(`${this.#line}\n`);
          break;
        case "q":
          return Number(instruction.text);
        case "Q":
          return "quiet";
        case "n": {
          if (!this.#tool.has("n")) yield* this.#emit(`${this.#pattern}\n`);
          const next = yield* this.#source.next();
          if (next === undefined) return "quiet";
          this.#pattern = next;
          this.#line += 1;
          break;
        }
        case "N": {
          const next = yield* this.#source.next();
          if (next === undefined) return 0;
          this.#pattern += `\n${next}`;
          this.#line += 1;
          break;
        }
        case "h":
          this.#hold = this.#pattern;
          break;
        case "H":
          this.#hold += `\n${this.#pattern}`;
          break;
        case "g":
          this.#pattern = this.#hold;
          break;
        case "G":
          this.#pattern += `\n${this.#hold}`;
          break;
        case "x":
          [this.#pattern, this.#hold] = [this.#hold, this.#pattern];
          break;
        case "z":
          this.#pattern = "";
          break;
        case "l":
          yield* this.#emit(`${JSON.stringify(this.#pattern).slice(1, -1)}$\n`);
          break;
        case "w":
          this.#tool.self.writeFile(instruction.text, `${this.#pattern}\n`, { append: true });
          break;
        case "b":
          i = instruction.target;
          break;
        case "t":
          if (this.#substituted) i = instruction.target;
          this.#substituted = false;
          break;
        case "T":
          if (!this.#substituted) i = instruction.target;
          this.#substituted = false;
          break;
      }
    }
    return "print";
  }

  #substitute(instruction: Instruction): boolean {
    const which = Number(/\d+/u.exec(instruction.flags)?.[0] ?? 1);
    const all = instruction.flags.includes("g");
    let seen = 0;
    let changed = false;
    const regex = instruction.regex as RegExp;
    regex.lastIndex = 0;
    this.#pattern = this.#pattern.replace(regex, (match: string, ...rest: unknown[]) => {
      seen += 1;
      if (all ? seen < which : seen !== which) return match;
      changed = true;
      return replacement(instruction.text, match, rest);
    });
    return changed;
  }
}

function replacement(template: string, match: string, groups: readonly unknown[]): string {
  let mode = "";
  let once = "";
  let result = "";
  const add = (text: string) => {
    let piece = mode === "U" ? upperCase(text) : mode === "L" ? lowerCase(text) : text;
    if (once !== "" && piece !== "") {
      piece = (once === "u" ? upperCase(piece.charAt(0)) : lowerCase(piece.charAt(0))) + piece.slice(1);
      once = "";
    }
    result += piece;
  };
  for (let i = 0; i < template.length; i += 1) {
    const char = template[i] as string;
    if (char === "&") add(match);
    else if (char === "\\") {
      i += 1;
      const next = template[i] ?? "";
      if (/\d/u.test(next))
        add(next === "0" ? match : typeof groups[Number(next) - 1] === "string" ? (groups[Number(next) - 1] as string) : "");
      else if (next === "U" || next === "L" || next === "E") mode = next === "E" ? "" : next;
      else if (next === "u" || next === "l") once = next;
      else add(next === "n" ? "\n" : next === "t" ? "\t" : next);
    } else add(char);
  }
  return result;
}

/** Lines of several inputs one after the other, with one line of look-ahead. */
class Lines implements LineSource {
  readonly #tool: Tool;
  readonly #paths: string[];
  #reader: LineReader | undefined;
  #ahead: string | undefined;
  #peeked = false;

  constructor(tool: Tool, paths: readonly string[]) {
    this.#tool = tool;
    this.#paths = [...paths];
  }

  *next(): Sys<string | undefined> {
    if (this.#peeked) {
      this.#peeked = false;
      return this.#ahead;
    }
    for (;;) {
      if (this.#reader === undefined) {
        const path = this.#paths.shift();
        if (path === undefined) return undefined;
        const tool = this.#tool;
        let fd: number | undefined;
        yield* tool.eachOperand(
          [path],
          function* () {
            fd = tool.openInput(path);
          },
          (_path, error) =>
            error.code === "EISDIR"
              ? `couldn't edit ${path}: not a regular file`
              : tool.gnu
                ? `can't read ${path}: ${error.message}`
                : `${path}: ${error.message}`,
        );
        if (tool.status === 1 && tool.gnu) tool.status = 2;
        if (fd === undefined) continue;
        this.#reader = new LineReader(tool.self, fd);
      }
      if (!this.#reader.buffered) yield* this.#tool.flush();
      const line = yield* this.#reader.next();
      if (line !== undefined) return line;
      this.#reader = undefined;
    }
  }

  *isLast(): Sys<boolean> {
    if (!this.#peeked) {
      this.#ahead = yield* this.next();
      this.#peeked = true;
    }
    return this.#ahead === undefined;
  }
}

export const sed: CommandDefinition = {
  name: "sed",
  unsupported: "s z",
  options: "n,quiet,silent e,expression= f,file= i,in-place=? E,r,regexp-extended s,separate u,unbuffered z posix",
  usage: "sed [-i[SFX]] [-nrE] [-f FILE]... [-e CMD]... [FILE]...\nor: sed [-i[SFX]] [-nrE] CMD [FILE]...",
  *run(tool) {
    let files = tool.operands;
    const pieces: string[] = [];
    for (const [name, value] of tool.given) {
      if (name === "e") pieces.push(value);
      if (name === "f") pieces.push(decodeUtf8(yield* tool.readAll(value)).replace(/\n$/u, ""));
    }
    if (pieces.length === 0) {
      const first = files[0];
      if (first === undefined) throw new UsageFailure("");
      pieces.push(first);
      files = files.slice(1);
    }
    const compile = () => new Parser(pieces.join("\n"), tool.has("E")).parse();
    const program = compile();
    if (!tool.has("i")) {
      const paths = files.length === 0 ? ["-"] : files;
      return yield* new Editor(tool, program, new Lines(tool, paths), (text) => tool.print(text)).run();
    }
    for (const path of files) {
      let output = "";
      const before = tool.status;
      tool.status = 0;
      const source = new Lines(tool, [path]);
      yield* new Editor(tool, compile(), source, function* (text) {
        output += text;
      }).run();
      if (tool.status !== 0) continue;
      tool.status = before;
      const original = tool.self.readText(path);
      const suffix = tool.value("i") ?? "";
      if (suffix !== "") tool.self.writeFile(path + suffix, original);
      if (!original.endsWith("\n") && output.endsWith("\n") && original !== "") output = output.slice(0, -1);
      tool.self.writeFile(path, output);
    }
    return 0;
  },
};
