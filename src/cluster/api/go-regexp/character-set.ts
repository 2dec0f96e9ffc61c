// Sets of characters as ranges of code points in order that do not touch.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { aliasesOfCategories, caseFolds, lastCharacter, type Range, rangesOfCategories, rangesOfScript } from "#sim/unicode.ts";

export type CharacterSet = readonly Range[];

export const anyCharacter: CharacterSet = [[0, lastCharacter]];
export const notNewline: CharacterSet = [
  [0, 9],
  [11, lastCharacter],
];

/** Ranges in any order as a set. */
export function setOf(ranges: readonly Range[]): CharacterSet {
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  const joined: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

export function complementOf(set: CharacterSet): CharacterSet {
  const rest: Range[] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= lastCharacter) rest.push([next, lastCharacter]);
  return rest;
}

export function holds(set: CharacterSet, code: number): boolean {
  let [low, high] = [0, set.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = set[middle] as Range;
    if (code < first) high = middle - 1;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
}

/** With every character that differs from one of the set in case only. */
export function foldedSet(set: CharacterSet): CharacterSet {
  const more: Range[] = [];
  for (const [code, next] of caseFolds()) {
    if (!holds(set, code)) continue;
    for (let at = next; at !== code; at = caseFolds().get(at) as number) more.push([at, at]);
  }
  return more.length === 0 ? set : setOf([...set, ...more]);
}

const classes: { readonly [name: string]: string } = {
  alnum: "09AZaz",
  alpha: "AZaz",
  ascii: "\0\x7f",
  blank: "\t\t  ",
  cntrl: "\0\x1f\x7f\x7f",
  digit: "09",
  graph: "!~",
  lower: "az",
  print: " ~",
  punct: "!/:@[`{~",
  space: "\t\r  ",
  upper: "AZ",
  word: "09AZ__az",
  xdigit: "09AFaf",
};

function pairs(text: string): CharacterSet {
  const ranges: Range[] = [];
  for (let at = 0; at < text.length; at += 2) ranges.push([text.charCodeAt(at), text.charCodeAt(at + 1)]);
  return ranges;
}

/** `[:alpha:]` by its name. */
export function posixClass(name: string): CharacterSet | undefined {
  return Object.hasOwn(classes, name) ? pairs(classes[name] as string) : undefined;
}

/** `\d`, `\s` and `\w` by their letter; \s has no vertical tab. */
export function perlClass(letter: string): CharacterSet | undefined {
  return { d: pairs("09"), s: pairs("\t\n\f\r  "), w: pairs("09AZ__az") }[letter];
}

/** `\p{…}` by its name, in which capitals, blanks, `-` and `_` do not count: a category of one letter or two, its long name, or a script. */
export function unicodeClass(name: string): CharacterSet | undefined {
  const plain = canonical(name);
  if (plain === "Any") return anyCharacter;
  if (plain === "Ascii") return pairs("\0\x7f");
  if (plain === "Assigned") return complementOf(rangesOfCategories("Cn"));
  const category = aliasesOfCategories().find(([alias]) => canonical(alias) === plain)?.[1] ?? plain;
  if (/^L[cC]$/.test(category)) return rangesOfCategories("Lu", "Ll", "Lt");
  const ranges = /^..?$/.test(category) ? rangesOfCategories(category) : [];
  return ranges.length > 0 ? ranges : rangesOfScript(plain);
}

function canonical(name: string): string {
  const joined = name.replace(/[_ -]/g, "");
  return asciiUpperCase(joined.charAt(0)) + asciiLowerCase(joined.slice(1));
}
