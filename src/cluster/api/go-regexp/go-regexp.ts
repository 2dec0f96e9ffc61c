// Regular expressions as Go's package regexp has them: what it takes, what it refuses and in which words, and what it finds. The
// engine's own have no part in it: their words, their tables of characters and the time they take differ.

import { compile, type Found, type Program, search } from "./program.ts";
import { parseGoRegExp } from "./syntax.ts";

export { GoRegExpError } from "./syntax.ts";

export class GoRegExp {
  readonly #program: Program;

  /** Throws GoRegExpError. */
  constructor(pattern: string) {
    this.#program = compile(parseGoRegExp(pattern));
  }

  /** Whether it matches somewhere in the text. */
  test(text: string): boolean {
    return search(this.#program, codesOf(text), 0) !== undefined;
  }

  /** The first match; undefined for none. */
  find(text: string): string | undefined {
    return this.findAll(text, 1)[0];
  }

  /** Matches that do not overlap, from the left; an empty one right after another does not count. */
  findAll(text: string, limit = Infinity): readonly string[] {
    const codes = codesOf(text);
    const found: string[] = [];
    let last: Found | undefined;
    for (let from = 0; from <= codes.length && found.length < limit; ) {
      const match = search(this.#program, codes, from);
      if (match === undefined) break;
      const [start, end] = match;
      if (end > start || start !== last?.[1]) found.push(String.fromCodePoint(...codes.slice(start, end)));
      from = end > start ? end : end + 1;
      last = match;
    }
    return found;
  }
}

function codesOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) as number);
}

const compiled = new Map<string, GoRegExp>();
const cacheLimit = 500;

/** The same expression is read once. Throws GoRegExpError. */
export function goRegExp(pattern: string): GoRegExp {
  let known = compiled.get(pattern);
  if (known === undefined) {
    known = new GoRegExp(pattern);
    if (compiled.size >= cacheLimit) compiled.clear();
    compiled.set(pattern, known);
  }
  return known;
}
