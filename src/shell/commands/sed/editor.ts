import type { Sys } from "#sim/program.ts";
import { lowerCase, upperCase } from "#sim/unicode.ts";
import { type Tool, ToolFailure } from "../../toolkit/tool.ts";
import type { Address, Instruction } from "./script.ts";

export interface LineSource {
  next(): Sys<string | undefined>;
  /** The line given last is the last of all. */
  isLast(): Sys<boolean>;
}

/** How a line's way through the program ended; a number: the exit status of `q`. */
type Outcome = "print" | "delete" | "restart" | "quiet" | number;

/** Of names that do nothing by themselves: braces and labels. */
function* goOn(): Sys<undefined> {}

/** A program at work on its lines. */
export class Editor {
  readonly #tool: Tool;
  readonly #program: readonly Instruction[];
  readonly #source: LineSource;
  readonly #emit: (text: string) => Sys<void>;
  #pattern = "";
  #hold = "";
  #line = 0;
  #appended: string[] = [];
  #substituted = false;
  /** Index of the instruction that comes next. */
  #next = 0;

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
    if (to.kind === "line") instruction.rangeEnd = to.line;
    else instruction.rangeEnd = to.kind === "plus" ? this.#line + to.count : 0;
    instruction.inRange = to.kind === "line" || to.kind === "plus" ? instruction.rangeEnd > this.#line : true;
    return true;
  }

  /** One line through the program. */
  *#cycle(): Sys<Outcome> {
    this.#next = 0;
    for (let steps = 0; this.#next < this.#program.length; steps += 1) {
      if (steps > 1_000_000) throw new ToolFailure("too many steps in one cycle");
      const instruction = this.#program[this.#next] as Instruction;
      this.#next += 1;
      if ((yield* this.#selected(instruction)) === instruction.negated) {
        if (instruction.name === "{") this.#next = instruction.target;
        continue;
      }
      const outcome = yield* Editor.#commands[instruction.name]?.(this, instruction) ?? goOn();
      if (outcome !== undefined) return outcome;
    }
    return "print";
  }

  /** By name; what they give ends the cycle. */
  static readonly #commands: {
    readonly [name: string]: (editor: Editor, instruction: Instruction) => Sys<Outcome | undefined>;
  } = {
    *s(editor, instruction) {
      if (!editor.#substitute(instruction)) return undefined;
      editor.#substituted = true;
      if (instruction.flags.includes("p")) yield* editor.#emit(`${editor.#pattern}\n`);
      return undefined;
    },
    *y(editor, { text, flags }) {
      editor.#pattern = [...editor.#pattern].map((char) => [...text][[...flags].indexOf(char)] ?? char).join("");
      return undefined;
    },
    *d() {
      return "delete";
    },
    *D(editor) {
      const at = editor.#pattern.indexOf("\n");
      if (at < 0) return "delete";
      editor.#pattern = editor.#pattern.slice(at + 1);
      return "restart";
    },
    *p(editor) {
      yield* editor.#emit(`${editor.#pattern}\n`);
      return undefined;
    },
    *P(editor) {
      yield* editor.#emit(`${editor.#pattern.split("\n")[0]}\n`);
      return undefined;
    },
    *a(editor, { text }) {
      editor.#appended.push(`${text}\n`);
      return undefined;
    },
    *r(editor, { text }) {
      try {
        editor.#appended.push(editor.#tool.self.readText(text));
      } catch {
        // sed reads a file that is not there as empty.
      }
      return undefined;
    },
    *i(editor, { text }) {
      yield* editor.#emit(`${text}\n`);
      return undefined;
    },
    *c(editor, { to, inRange, negated, text }) {
      if (to === undefined || !inRange || negated) yield* editor.#emit(`${text}\n`);
      return "delete";
    },
    *"="(editor) {
      yield* editor.#emit(`${editor.#line}\n`);
      return undefined;
    },
    *q(_editor, { text }) {
      return Number(text);
    },
    *Q() {
      return "quiet";
    },
    *n(editor) {
      if (!editor.#tool.has("n")) yield* editor.#emit(`${editor.#pattern}\n`);
      const next = yield* editor.#source.next();
      if (next === undefined) return "quiet";
      editor.#pattern = next;
      editor.#line += 1;
      return undefined;
    },
    *N(editor) {
      const next = yield* editor.#source.next();
      if (next === undefined) return 0;
      editor.#pattern += `\n${next}`;
      editor.#line += 1;
      return undefined;
    },
    *h(editor) {
      editor.#hold = editor.#pattern;
      return undefined;
    },
    *H(editor) {
      editor.#hold += `\n${editor.#pattern}`;
      return undefined;
    },
    *g(editor) {
      editor.#pattern = editor.#hold;
      return undefined;
    },
    *G(editor) {
      editor.#pattern += `\n${editor.#hold}`;
      return undefined;
    },
    *x(editor) {
      [editor.#pattern, editor.#hold] = [editor.#hold, editor.#pattern];
      return undefined;
    },
    *z(editor) {
      editor.#pattern = "";
      return undefined;
    },
    *l(editor) {
      yield* editor.#emit(`${JSON.stringify(editor.#pattern).slice(1, -1)}$\n`);
      return undefined;
    },
    *w(editor, { text }) {
      editor.#tool.self.writeFile(text, `${editor.#pattern}\n`, { append: true });
      return undefined;
    },
    *b(editor, { target }) {
      editor.#next = target;
      return undefined;
    },
    *t(editor, { target }) {
      if (editor.#substituted) editor.#next = target;
      editor.#substituted = false;
      return undefined;
    },
    *T(editor, { target }) {
      if (!editor.#substituted) editor.#next = target;
      editor.#substituted = false;
      return undefined;
    },
  };

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

const escapes: { readonly [letter: string]: string } = { n: "\n", t: "\t" };

function replacement(template: string, match: string, groups: readonly unknown[]): string {
  let mode = "";
  let once = "";
  let result = "";
  const add = (text: string) => {
    let piece = text;
    if (mode === "U") piece = upperCase(text);
    else if (mode === "L") piece = lowerCase(text);
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
      if (next === "0") add(match);
      else if (/\d/u.test(next)) {
        const group = groups[Number(next) - 1];
        add(typeof group === "string" ? group : "");
      } else if (next === "U" || next === "L" || next === "E") mode = next === "E" ? "" : next;
      else if (next === "u" || next === "l") once = next;
      else add(escapes[next] ?? next);
    } else add(char);
  }
  return result;
}
