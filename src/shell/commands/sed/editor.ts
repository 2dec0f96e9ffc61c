import type { Sys } from "#sim/program.ts";
import { lowerCase, upperCase } from "#sim/unicode.ts";
import { type Tool, ToolFailure } from "../../toolkit/tool.ts";
import type { Address, Instruction } from "./script.ts";

export interface LineSource {
  next(): Sys<string | undefined>;
  /** The line given last is the last of all. */
  isLast(): Sys<boolean>;
}

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
