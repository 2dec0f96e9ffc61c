// Finds an expression in a text as Go does: in time that grows with the text and no faster, the first match from the left, among
// those the one that the expression prefers. All ways through the program are followed at once, each place of it once per character.

import { type CharacterSet, holds } from "./character-set.ts";
import type { Node, Place } from "./syntax.ts";

type Step =
  | { readonly kind: "character"; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: "place"; readonly place: Place; readonly next: number }
  /** `first` is preferred. */
  | { readonly kind: "split"; readonly first: number; readonly second: number }
  | { readonly kind: "match" };

/** Steps, of which the last one is the first to take. */
export type Program = readonly Step[];

const matchStep = 0;

export function compile(node: Node): Program {
  const steps: Step[] = [{ kind: "match" }];
  const first = new Compiler(steps).add(node, matchStep);
  steps.push({ kind: "split", first, second: first });
  return steps;
}

/** Builds from the end: each part is told where to go on. */
class Compiler {
  readonly #steps: Step[];

  constructor(steps: Step[]) {
    this.#steps = steps;
  }

  /** The step that a part begins with. */
  add(node: Node, next: number): number {
    switch (node.kind) {
      case "character":
        return this.#push({ kind: "character", set: node.set, next });
      case "place":
        return this.#push({ kind: "place", place: node.place, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => this.add(part, after), next);
      case "choice": {
        const begins = node.parts.map((part) => this.add(part, next));
        return begins.reduceRight((second, first) => this.#push({ kind: "split", first, second }));
      }
      case "repeat":
        return this.#repeat(node.part, node.min, node.max, node.isGreedy, next);
    }
  }

  #repeat(part: Node, min: number, max: number, isGreedy: boolean, next: number): number {
    let begin = next;
    if (max === Infinity) {
      begin = this.#oneOrMore(part, isGreedy, next);
      if (min === 0) return this.#either(begin, next, isGreedy);
    } else for (let count = min; count < max; count += 1) begin = this.#either(this.add(part, begin), next, isGreedy);
    const copies = max === Infinity ? min - 1 : min;
    for (let count = 0; count < copies; count += 1) begin = this.add(part, begin);
    return begin;
  }

  #oneOrMore(part: Node, isGreedy: boolean, next: number): number {
    const again = this.#push({ kind: "match" });
    const begin = this.add(part, again);
    this.#steps[again] = isGreedy ? { kind: "split", first: begin, second: next } : { kind: "split", first: next, second: begin };
    return begin;
  }

  #either(taken: number, left: number, isGreedy: boolean): number {
    return this.#push(isGreedy ? { kind: "split", first: taken, second: left } : { kind: "split", first: left, second: taken });
  }

  #push(step: Step): number {
    this.#steps.push(step);
    return this.#steps.length - 1;
  }
}

/** Where a match begins and ends. */
export type Found = readonly [start: number, end: number];

/** The first match in a text of code points that begins at a place or after it. */
export function search(program: Program, text: readonly number[], from: number): Found | undefined {
  let found: Found | undefined;
  let threads = new Threads(program, text);
  let after = new Threads(program, text);
  for (let at = from; ; at += 1) {
    if (found === undefined) threads.follow(program.length - 1, at, at);
    if (found !== undefined && threads.count === 0) return found;
    after.clear();
    for (let index = 0; index < threads.count; index += 1) {
      const [place, start] = threads.get(index);
      const step = program[place] as Step;
      if (step.kind === "match") {
        found = [start, at];
        break;
      }
      if (step.kind === "character" && at < text.length && holds(step.set, text[at] as number))
        after.follow(step.next, start, at + 1);
    }
    [threads, after] = [after, threads];
    if (at >= text.length) return found;
  }
}

/** The ways that are followed, those that the expression prefers first. */
class Threads {
  readonly #program: Program;
  readonly #text: readonly number[];
  readonly #seen: Uint8Array;
  readonly #visited: number[] = [];
  readonly #places: number[] = [];
  readonly #starts: number[] = [];

  constructor(program: Program, text: readonly number[]) {
    this.#program = program;
    this.#text = text;
    this.#seen = new Uint8Array(program.length);
  }

  get count(): number {
    return this.#places.length;
  }

  get(index: number): readonly [place: number, start: number] {
    return [this.#places[index] as number, this.#starts[index] as number];
  }

  clear(): void {
    for (const place of this.#visited) this.#seen[place] = 0;
    this.#visited.length = 0;
    this.#places.length = 0;
    this.#starts.length = 0;
  }

  /** All steps that are reached from one without reading a character. */
  follow(first: number, start: number, at: number): void {
    const open = [first];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (this.#seen[place] === 1) continue;
      this.#seen[place] = 1;
      this.#visited.push(place);
      const step = this.#program[place] as Step;
      if (step.kind === "split") open.push(step.second, step.first);
      else if (step.kind === "place") {
        if (isAt(step.place, this.#text, at)) open.push(step.next);
      } else {
        this.#places.push(place);
        this.#starts.push(start);
      }
    }
  }
}

function isAt(place: Place, text: readonly number[], at: number): boolean {
  const newline = 10;
  switch (place) {
    case "beginText":
      return at === 0;
    case "endText":
      return at === text.length;
    case "beginLine":
      return at === 0 || text[at - 1] === newline;
    case "endLine":
      return at === text.length || text[at] === newline;
    default:
      return (isWord(text[at - 1]) !== isWord(text[at])) === (place === "wordBoundary");
  }
}

function isWord(code: number | undefined): boolean {
  return code !== undefined && code < 0x80 && /\w/.test(String.fromCharCode(code));
}
