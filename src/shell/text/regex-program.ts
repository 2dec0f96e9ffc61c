// A regular expression in JavaScript's syntax as steps of a matching machine (after Thompson and Pike).

import { SysError } from "#sim/errors.ts";

export type RegexStep =
  | { readonly kind: "character"; readonly accepts: (character: string) => boolean }
  /** Tries the first way, and the second when that leads nowhere. */
  | { readonly kind: "split"; first: number; second: number }
  | { readonly kind: "jump"; to: number }
  | { readonly kind: "save"; readonly slot: number }
  /** Something that takes no characters: ^, $, \b, a look around. */
  | { readonly kind: "assertion"; readonly regex: RegExp }
  | { readonly kind: "again"; readonly group: number }
  | { readonly kind: "end" };

export interface RegexProgram {
  readonly steps: readonly RegexStep[];
  readonly slotCount: number;
  readonly names: ReadonlyMap<string, number>;
  /** It has back references: what was matched decides, not only the place. */
  readonly remembers: boolean;
  /** Repetitions without an end, or with a distant one. */
  readonly repetitions: number;
  /** One inside another. */
  readonly nested: boolean;
}

type Node =
  | { readonly kind: "step"; readonly step: RegexStep }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly ways: readonly Node[] }
  | { readonly kind: "group"; readonly body: Node; readonly index: number }
  | { readonly kind: "repeat"; readonly body: Node; readonly least: number; readonly most: number; readonly lazy: boolean };

/** Larger programs are not made. */
const maximumSteps = 20_000;
const fewTimes = 3;

class Reader {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;
  groups = 0;
  readonly names = new Map<string, number>();
  remembers = false;
  repetitions = 0;
  nested = false;
  readonly #accepts = new Map<string, (character: string) => boolean>();

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gyd]/gu, "");
  }

  choice(): Node {
    const ways: Node[] = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      ways.push(this.#sequence());
    }
    return ways.length === 1 ? (ways[0] as Node) : { kind: "choice", ways };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && this.#source[this.#at] !== "|" && this.#source[this.#at] !== ")") {
      const repetitionsBefore = this.repetitions;
      const atom = this.#atom();
      parts.push(this.#repeated(atom, this.repetitions > repetitionsBefore));
    }
    return { kind: "sequence", parts };
  }

  #repeated(body: Node, repeatsInside: boolean): Node {
    const match = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})(\?)?/u.exec(this.#source.slice(this.#at, this.#at + 40));
    if (match === null) return body;
    this.#at += match[0].length;
    const sign = match[0][0];
    let least = 0;
    if (sign === "+") least = 1;
    else if (sign === "{") least = Number(match[1]);
    const unbounded = sign === "*" || sign === "+" || (match[2] === "," && match[3] === "");
    let most = least;
    if (unbounded) most = Number.POSITIVE_INFINITY;
    else if (sign === "?") most = 1;
    else if (match[3]) most = Number(match[3]);
    if (most > fewTimes) {
      this.repetitions += 1;
      if (repeatsInside || body.kind === "group" || body.kind === "choice") this.nested = true;
    }
    return { kind: "repeat", body, least, most, lazy: match[4] === "?" };
  }

  #atom(): Node {
    const char = this.#source[this.#at] as string;
    if (char === "(") return this.#group();
    if (char === "^" || char === "$") return this.#assertion(this.#take(1));
    if (char === "[") return this.#character(this.#take(this.#classLength()));
    if (char !== "\\") {
      const whole = String.fromCodePoint(this.#source.codePointAt(this.#at) as number);
      return this.#character(this.#take(whole.length));
    }
    const rest = this.#source.slice(this.#at, this.#at + 40);
    const back = /^\\(?:([1-9]\d*)|k<(\w+)>)/u.exec(rest);
    if (back !== null) {
      this.#at += back[0].length;
      this.remembers = true;
      const group = back[1] === undefined ? (this.names.get(back[2] as string) ?? 0) : Number(back[1]);
      return { kind: "step", step: { kind: "again", group } };
    }
    if (/^\\[bB]/u.test(rest)) return this.#assertion(this.#take(2));
    const escaped = /^\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])/u.exec(rest);
    return this.#character(this.#take(escaped?.[0].length ?? 2));
  }

  #group(): Node {
    const open = /^\((?:\?(?:<([A-Za-z_]\w*)>|:|(=|!|<=|<!)))?/u.exec(
      this.#source.slice(this.#at, this.#at + 80),
    ) as RegExpExecArray;
    if (open[2] !== undefined) return this.#assertion(this.#take(this.#groupLength()));
    this.#at += open[0].length;
    const captures = !open[0].endsWith(":");
    const index = captures ? ++this.groups : 0;
    if (open[1] !== undefined) this.names.set(open[1], index);
    const body = this.choice();
    this.#at += 1;
    return { kind: "group", body, index };
  }

  #take(length: number): string {
    const text = this.#source.slice(this.#at, this.#at + length);
    this.#at += length;
    return text;
  }

  #classLength(): number {
    let at = this.#at + 1;
    while (at < this.#source.length && this.#source[at] !== "]") at += this.#source[at] === "\\" ? 2 : 1;
    return at + 1 - this.#at;
  }

  #groupLength(): number {
    let depth = 0;
    for (let at = this.#at; at < this.#source.length; at += 1) {
      const char = this.#source[at];
      if (char === "\\") at += 1;
      else if (char === "[") {
        while (at < this.#source.length && this.#source[at] !== "]") at += this.#source[at] === "\\" ? 2 : 1;
      } else if (char === "(") depth += 1;
      else if (char === ")") {
        depth -= 1;
        if (depth === 0) return at + 1 - this.#at;
      }
    }
    return this.#source.length - this.#at;
  }

  #assertion(source: string): Node {
    return { kind: "step", step: { kind: "assertion", regex: new RegExp(source, `${this.#flags}y`) } };
  }

  #character(source: string): Node {
    let accepts = this.#accepts.get(source);
    if (accepts === undefined) {
      const regex = new RegExp(`^(?:${source})$`, this.#flags.replace("m", ""));
      const known = new Map<string, boolean>();
      accepts = (character) => {
        let answer = known.get(character);
        if (answer === undefined) {
          answer = regex.test(character);
          if (known.size < 1000) known.set(character, answer);
        }
        return answer;
      };
      this.#accepts.set(source, accepts);
    }
    return { kind: "step", step: { kind: "character", accepts } };
  }
}

/** `source` has been accepted by RegExp. Throws SysError ENOMEM when the program would be too large. */
export function compileRegex(source: string, flags: string): RegexProgram {
  const reader = new Reader(source, flags);
  const tree = reader.choice();
  const steps: RegexStep[] = [];
  // What JavaScript's matcher does well needs no steps.
  if (reader.repetitions > 0) {
    emit(tree, steps);
    steps.push({ kind: "end" });
  }
  const { names, remembers, repetitions, nested } = reader;
  return { steps, slotCount: 2 * (reader.groups + 1), names, remembers, repetitions, nested };
}

function emit(node: Node, steps: RegexStep[]): void {
  if (steps.length > maximumSteps) throw new SysError("ENOMEM");
  switch (node.kind) {
    case "step":
      steps.push(node.step);
      return;
    case "sequence":
      for (const part of node.parts) emit(part, steps);
      return;
    case "group":
      if (node.index > 0) steps.push({ kind: "save", slot: 2 * node.index });
      emit(node.body, steps);
      if (node.index > 0) steps.push({ kind: "save", slot: 2 * node.index + 1 });
      return;
    case "choice":
      emitChoice(node.ways, steps);
      return;
    case "repeat":
      emitRepeat(node, steps);
  }
}

function emitChoice(ways: readonly Node[], steps: RegexStep[]): void {
  const ends: { to: number }[] = [];
  for (const [index, way] of ways.entries()) {
    if (index === ways.length - 1) {
      emit(way, steps);
      break;
    }
    const split = { kind: "split" as const, first: steps.length + 1, second: 0 };
    steps.push(split);
    emit(way, steps);
    const end = { kind: "jump" as const, to: 0 };
    steps.push(end);
    ends.push(end);
    split.second = steps.length;
  }
  for (const end of ends) end.to = steps.length;
}

function emitRepeat({ body, least, most, lazy }: Extract<Node, { kind: "repeat" }>, steps: RegexStep[]): void {
  for (let time = 0; time < least; time += 1) emit(body, steps);
  const way = (split: { first: number; second: number }, on: number, past: number): void => {
    split.first = lazy ? past : on;
    split.second = lazy ? on : past;
  };
  if (most === Number.POSITIVE_INFINITY) {
    const split = { kind: "split" as const, first: 0, second: 0 };
    const start = steps.push(split) - 1;
    emit(body, steps);
    steps.push({ kind: "jump", to: start });
    way(split, start + 1, steps.length);
    return;
  }
  const splits: { readonly at: number; readonly split: { first: number; second: number } }[] = [];
  for (let time = least; time < most; time += 1) {
    const split = { kind: "split" as const, first: 0, second: 0 };
    splits.push({ at: steps.push(split) - 1, split });
    emit(body, steps);
  }
  for (const { at, split } of splits) way(split, at + 1, steps.length);
}
