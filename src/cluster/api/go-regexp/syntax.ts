// The syntax of Go's regular expressions (package regexp/syntax), and its refusals in its words.

import { asciiLowerCase } from "#sim/ascii.ts";
import {
  anyCharacter,
  type CharacterSet,
  complementOf,
  foldedSet,
  notNewline,
  perlClass,
  posixClass,
  setOf,
  unicodeClass,
} from "./character-set.ts";

export type Place = "beginText" | "endText" | "beginLine" | "endLine" | "wordBoundary" | "noWordBoundary";

/** What an expression is made of; groups leave no trace, as nobody asks what one of them matched. */
export type Node =
  | { readonly kind: "character"; readonly set: CharacterSet }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly parts: readonly Node[] }
  | Repeat;

export interface Repeat {
  readonly kind: "repeat";
  readonly part: Node;
  readonly min: number;
  readonly max: number;
  readonly isGreedy: boolean;
}

/** An expression that Go does not take; the message is Go's. */
export class GoRegExpError extends Error {
  constructor(reason: string, part: string) {
    super(`error parsing regexp: ${reason}: \`${part}\``);
  }
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
}

const noFlags: Flags = { ignoreCase: false, multiline: false, dotAll: false, swapGreed: false };
const flagNames = { i: "ignoreCase", m: "multiline", s: "dotAll", U: "swapGreed" } as const;
const maxRepeat = 1000;
const maxDepth = 1000;
/** Steps of a program: 128 MiB of them, as Go counts. */
const maxSize = Math.floor((128 * 1024 * 1024) / 40);

/** Throws GoRegExpError. */
export function parseGoRegExp(pattern: string): Node {
  return new Parser(pattern).whole();
}

class Parser {
  readonly #pattern: string;
  #at = 0;
  #flags = noFlags;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): Node {
    const node = this.#choice();
    if (this.#at < this.#pattern.length) throw new GoRegExpError("unexpected )", this.#pattern);
    return node;
  }

  /** Up to the end or to a closing parenthesis. */
  #choice(): Node {
    const choices: Node[] = [];
    for (;;) {
      choices.push(this.#sequence());
      if (this.#pattern[this.#at] !== "|") break;
      this.#at += 1;
    }
    return choices.length === 1 ? (choices[0] as Node) : { kind: "choice", parts: choices };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    /** Where the operator began that was read last, if nothing has come since. */
    let repeatedAt: number | undefined;
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern[this.#at] as string)) {
      const start = this.#at;
      const counts = this.#repetition();
      if (counts === undefined) {
        repeatedAt = undefined;
        this.#item(parts);
      } else {
        this.#repeat(parts, start, counts, repeatedAt);
        repeatedAt = start;
      }
    }
    return parts.length === 1 ? (parts[0] as Node) : { kind: "sequence", parts };
  }

  /** `*`, `+`, `?` or `{2,3}`, without the `?` after it. A brace that is none of these stands for itself. */
  #repetition(): { readonly min: number; readonly max: number; readonly isCounted: boolean } | undefined {
    const simple = { "*": [0, Infinity], "+": [1, Infinity], "?": [0, 1] }[this.#pattern[this.#at] as string];
    if (simple !== undefined) {
      this.#at += 1;
      return { min: simple[0] as number, max: simple[1] as number, isCounted: false };
    }
    const counted = this.#take(/\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y);
    if (counted === undefined) return undefined;
    const min = Number(counted[1]);
    const max = counted[2] === undefined ? min : Number(counted[3] ?? Infinity);
    if (min > maxRepeat || (max > maxRepeat && max !== Infinity) || max < min)
      throw new GoRegExpError("invalid repeat count", counted[0]);
    return { min, max, isCounted: true };
  }

  #repeat(
    parts: Node[],
    start: number,
    { min, max, isCounted }: { readonly min: number; readonly max: number; readonly isCounted: boolean },
    repeatedAt: number | undefined,
  ): void {
    const isLazy = this.#pattern[this.#at] === "?";
    if (isLazy) this.#at += 1;
    if (repeatedAt !== undefined)
      throw new GoRegExpError("invalid nested repetition operator", this.#pattern.slice(repeatedAt, this.#at));
    const operator = this.#pattern.slice(start, this.#at);
    const part = parts.pop();
    if (part === undefined) throw new GoRegExpError("missing argument to repetition operator", operator);
    const node: Node = { kind: "repeat", part, min, max, isGreedy: isLazy === this.#flags.swapGreed };
    if (isCounted && (min >= 2 || (max >= 2 && max !== Infinity)) && !isWithin(node, maxRepeat))
      throw new GoRegExpError("invalid repeat count", operator);
    if (sizeOf(node) > maxSize) throw new GoRegExpError("expression too large", this.#pattern);
    parts.push(node);
  }

  #item(parts: Node[]): void {
    const character = this.#pattern[this.#at];
    const place = (
      { "^": this.#flags.multiline ? "beginLine" : "beginText", $: this.#flags.multiline ? "endLine" : "endText" } as const
    )[character as "^"];
    if (place !== undefined) {
      this.#at += 1;
      parts.push({ kind: "place", place });
    } else if (character === ".") {
      this.#at += 1;
      parts.push({ kind: "character", set: this.#flags.dotAll ? anyCharacter : notNewline });
    } else if (character === "(") this.#group(parts);
    else if (character === "[") parts.push({ kind: "character", set: this.#class() });
    else if (character === "\\") this.#escaped(parts);
    else this.#literal(parts, this.#next());
  }

  #literal(parts: Node[], code: number): void {
    const set: CharacterSet = [[code, code]];
    parts.push({ kind: "character", set: this.#flags.ignoreCase ? foldedSet(set) : set });
  }

  #group(parts: Node[]): void {
    const outer = this.#flags;
    if (this.#pattern.startsWith("(?", this.#at)) {
      if (!this.#groupHead()) return;
    } else this.#at += 1;
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new GoRegExpError("expression nests too deeply", this.#pattern);
    const node = this.#choice();
    this.#depth -= 1;
    if (this.#at >= this.#pattern.length) throw new GoRegExpError("missing closing )", this.#pattern);
    this.#at += 1;
    this.#flags = outer;
    parts.push(node);
  }

  /** `(?P<name>`, `(?<name>`, `(?i-s:`, or `(?i)`, which is no group: false. */
  #groupHead(): boolean {
    const rest = this.#pattern.slice(this.#at);
    if (/^\(\?(?:P<.|<.)/su.test(rest)) {
      const head = /^\(\?P?<([^>]*)>/u.exec(rest);
      if (head === null || !/^\w+$/.test(head[1] as string)) throw new GoRegExpError("invalid named capture", head?.[0] ?? rest);
      this.#at += head[0].length;
      return true;
    }
    const head = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
    if (head === null) {
      const wrong = /^\(\?[imsU]*(?:-[imsU]*)?.?/su.exec(rest) as RegExpExecArray;
      throw new GoRegExpError("invalid or unsupported Perl syntax", wrong[0]);
    }
    const flags = { ...this.#flags };
    for (const letter of head[1] as string) flags[flagNames[letter as "i"]] = true;
    for (const letter of head[2] ?? "") flags[flagNames[letter as "i"]] = false;
    this.#flags = flags;
    this.#at += head[0].length;
    return head[3] === ":";
  }

  /** What a backslash begins outside of brackets. */
  #escaped(parts: Node[]): void {
    const letter = this.#pattern[this.#at + 1];
    const place = ({ A: "beginText", z: "endText", b: "wordBoundary", B: "noWordBoundary" } as const)[letter as "A"];
    if (place !== undefined) {
      this.#at += 2;
      parts.push({ kind: "place", place });
      return;
    }
    if (letter === "Q") {
      const end = this.#pattern.indexOf("\\E", this.#at + 2);
      const text = this.#pattern.slice(this.#at + 2, end < 0 ? undefined : end);
      this.#at += 2 + text.length + (end < 0 ? 0 : 2);
      for (const character of text) this.#literal(parts, character.codePointAt(0) as number);
      return;
    }
    const set = this.#classEscape();
    if (set === undefined) this.#literal(parts, this.#characterEscape());
    else parts.push({ kind: "character", set });
  }

  /** `\d`, `\PL`, `\p{Greek}`; undefined where none stands here. */
  #classEscape(): CharacterSet | undefined {
    const perl = this.#take(/\\([dswDSW])/y)?.[1];
    if (perl !== undefined) {
      const set = this.#folded(perlClass(asciiLowerCase(perl)) as CharacterSet);
      return perl === asciiLowerCase(perl) ? set : complementOf(set);
    }
    if (!/^\\[pP]./su.test(this.#pattern.slice(this.#at, this.#at + 4))) return undefined;
    const rest = this.#pattern.slice(this.#at);
    const named = this.#take(/\\([pP])(?:\{(\^?)([^}]*)\}|([^{]))/uy);
    const set = named === undefined ? undefined : unicodeClass(named[3] ?? (named[4] as string));
    if (set === undefined) throw new GoRegExpError("invalid character class range", named?.[0] ?? rest);
    const isNegated = (named?.[1] === "P") !== (named?.[2] === "^");
    return isNegated ? complementOf(this.#folded(set)) : this.#folded(set);
  }

  #folded(set: CharacterSet): CharacterSet {
    return this.#flags.ignoreCase ? foldedSet(set) : set;
  }

  /** A backslash and what stands for one character. */
  #characterEscape(): number {
    const start = this.#at;
    this.#at += 1;
    if (this.#at >= this.#pattern.length) throw new GoRegExpError("trailing backslash at end of expression", "");
    const octal = this.#take(/0[0-7]{0,2}|[1-7][0-7]{1,2}/y)?.[0];
    if (octal !== undefined) return Number.parseInt(octal, 8);
    const character = this.#pattern[this.#at] as string;
    const control = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }[character];
    if (control !== undefined) {
      this.#at += 1;
      return control;
    }
    if (character === "x") return this.#hexadecimal(start);
    const code = this.#next();
    if (code < 0x80 && !/[0-9A-Za-z]/.test(character)) return code;
    throw this.#wrongEscape(start);
  }

  #hexadecimal(start: number): number {
    const digits = this.#take(/x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]+)\})/y);
    const code = Number.parseInt(digits?.[1] ?? digits?.[2] ?? "", 16);
    if (code <= 0x10ffff) return code;
    this.#at = start + 2;
    this.#passWrongDigits();
    throw this.#wrongEscape(start);
  }

  /** Go has read up to and with what is wrong. */
  #passWrongDigits(): void {
    if (this.#pattern[this.#at] !== "{") {
      for (let count = 0; count < 2 && this.#at < this.#pattern.length; count += 1) this.#next();
      return;
    }
    this.#at += 1;
    let value = 0;
    while (this.#at < this.#pattern.length) {
      const digit = String.fromCodePoint(this.#next());
      value = value * 16 + Number.parseInt(digit, 16);
      if (!/[0-9a-fA-F]/.test(digit) || value > 0x10ffff) return;
    }
  }

  #wrongEscape(start: number): GoRegExpError {
    return new GoRegExpError("invalid escape sequence", this.#pattern.slice(start, this.#at));
  }

  /** `[a-z\d[:alpha:]]` */
  #class(): CharacterSet {
    const start = this.#at;
    const isNegated = this.#take(/\[(\^)?/y)?.[1] !== undefined;
    const ranges: (readonly [number, number])[] = [];
    for (let isFirst = true; isFirst || this.#pattern[this.#at] !== "]"; isFirst = false) {
      const set = this.#namedClass() ?? this.#classEscape() ?? this.#range(start);
      for (const range of set) ranges.push(range);
    }
    this.#at += 1;
    const set = setOf(ranges);
    return isNegated ? complementOf(set) : set;
  }

  /** `[:^alpha:]` */
  #namedClass(): CharacterSet | undefined {
    const named = this.#take(/\[:(\^?)(.*?):\]/suy);
    if (named === undefined) return undefined;
    const set = posixClass(named[2] as string);
    if (set === undefined) throw new GoRegExpError("invalid character class range", named[0]);
    return named[1] === "^" ? complementOf(this.#folded(set)) : this.#folded(set);
  }

  #range(classStart: number): CharacterSet {
    const start = this.#at;
    const first = this.#classCharacter(classStart);
    let last = first;
    if (/^-[^\]]/su.test(this.#pattern.slice(this.#at, this.#at + 2))) {
      this.#at += 1;
      last = this.#classCharacter(classStart);
      if (last < first) throw new GoRegExpError("invalid character class range", this.#pattern.slice(start, this.#at));
    }
    return this.#folded([[first, last]]);
  }

  #classCharacter(classStart: number): number {
    if (this.#at >= this.#pattern.length) throw new GoRegExpError("missing closing ]", this.#pattern.slice(classStart));
    return this.#pattern[this.#at] === "\\" ? this.#characterEscape() : this.#next();
  }

  #next(): number {
    const code = this.#pattern.codePointAt(this.#at) as number;
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  /** What stands here, passed over; `expression` is sticky. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found === null) return undefined;
    this.#at = expression.lastIndex;
    return found;
  }
}

/** Whether counts within counts come to no more than a limit when they are multiplied. */
function isWithin(node: Node, limit: number): boolean {
  let left = limit;
  if (node.kind === "repeat" && isCount(node)) {
    if (node.max === 0) return true;
    const count = node.max === Infinity ? node.min : node.max;
    if (count > left) return false;
    if (count > 0) left = Math.floor(left / count);
  }
  if (node.kind === "repeat") return isWithin(node.part, left);
  return node.kind === "sequence" || node.kind === "choice" ? node.parts.every((part) => isWithin(part, left)) : true;
}

/** `*`, `+` and `?` do not count. */
function isCount({ min, max }: Repeat): boolean {
  return !(max === Infinity ? min <= 1 : min === 0 && max === 1);
}

/** How many steps a program for it has. */
function sizeOf(node: Node): number {
  if (node.kind === "repeat") {
    const { part, min, max } = node;
    const size = sizeOf(part);
    if (max === Infinity) return Math.max(1, min) * size + 2;
    return Math.max(1, max * size + max - min);
  }
  if (node.kind === "sequence" || node.kind === "choice")
    return node.parts.reduce((sum, part) => sum + sizeOf(part), node.parts.length);
  return 1;
}
