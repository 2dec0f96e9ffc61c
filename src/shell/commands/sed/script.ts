import { BoundedRegExp } from "../../text/bounded-regex.ts";
import { posixRegex } from "../../text/regex.ts";
import { ToolFailure } from "../../toolkit/tool.ts";

export type Address =
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "last" }
  | { readonly kind: "regex"; readonly regex: RegExp }
  | { readonly kind: "step"; readonly first: number; readonly step: number }
  | { readonly kind: "plus"; readonly count: number };

export interface Instruction {
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

export class Parser {
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
      text = this.#delimited(delimiter, name, false);
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
        if (rest[i] === "t") text += "\t";
        else text += rest[i] === "n" ? "\n" : rest[i];
      } else text += rest[i];
    }
    this.#position += i + 1;
    if (text === "" && start === 0 && rest === "") this.#fail("expected \\ after `a', `c' or `i'");
    return text;
  }

  /** `hasBrackets`: the delimiter may stand within a bracket expression. */
  #delimited(delimiter: string, command: string, hasBrackets = command !== "y"): string {
    let text = "";
    let inBracket = false;
    for (; this.#position < this.#source.length; this.#position += 1) {
      const char = this.#source[this.#position] as string;
      if (char === "\\") {
        const next = this.#source[this.#position + 1] ?? "";
        if (next === delimiter && delimiter !== "\\") text += /[.*+?()[\]{}^$|&]/u.test(delimiter) ? `\\${delimiter}` : delimiter;
        else text += next === "\n" ? "\n" : `\\${next}`;
        this.#position += 1;
      } else if (char === delimiter && !inBracket) {
        this.#position += 1;
        return text;
      } else {
        if (char === "[" && hasBrackets) inBracket = inBracket || /^\[\^?\]?[^\]]*\]/u.test(this.#source.slice(this.#position));
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
