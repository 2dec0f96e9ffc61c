// Properties of characters as the simulated release's Go knows them. Engines know other versions of Unicode, newer with each release:
// asked for them (`\p{L}`), two browsers would answer differently.

import { categoryAliases, categoryMarks, categoryNames, categoryRuns, folds, scripts } from "./unicode-tables.ts";

/** Characters from the first to the last, both included, as code points. */
export type Range = readonly [first: number, last: number];

export const lastCharacter = 0x10ffff;

/** Where each run of equal categories begins, and which it is. */
let runs: { readonly starts: readonly number[]; readonly names: readonly string[] } | undefined;

function allRuns(): { readonly starts: readonly number[]; readonly names: readonly string[] } {
  if (runs !== undefined) return runs;
  const known = categoryNames.split(" ");
  const starts: number[] = [];
  const names: string[] = [];
  let next = 0;
  for (const [, mark = "", more = ""] of categoryRuns.matchAll(/([^0-9a-z])([0-9a-z]*)/g)) {
    starts.push(next);
    names.push(known[categoryMarks.indexOf(mark)] as string);
    next += 1 + (more === "" ? 0 : Number.parseInt(more, 36));
  }
  runs = { starts, names };
  return runs;
}

/** The general category of a code point in two letters: `Lu`, `Nd`; `Cn` where nothing was assigned. */
export function categoryOf(code: number): string {
  const { starts, names } = allRuns();
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= code) low = middle;
    else high = middle - 1;
  }
  return names[low] as string;
}

/** Whether the first character of a text is in one of the categories, each of one letter or two. */
export function isOf(text: string, ...categories: readonly string[]): boolean {
  const code = text.codePointAt(0);
  if (code === undefined) return false;
  const category = categoryOf(code);
  return categories.some((wanted) => category.startsWith(wanted));
}

/** The characters of categories, in order. */
export function rangesOfCategories(...categories: readonly string[]): readonly Range[] {
  const { starts, names } = allRuns();
  const ranges: [number, number][] = [];
  names.forEach((name, index) => {
    if (!categories.some((wanted) => name.startsWith(wanted))) return;
    const [first, last] = [starts[index] as number, (starts[index + 1] ?? lastCharacter + 1) - 1];
    const before = ranges.at(-1);
    if (before !== undefined && before[1] === first - 1) before[1] = last;
    else ranges.push([first, last]);
  });
  return ranges;
}

const bodies = new Map<string, string>();

/** The characters of categories as what stands in the brackets of an expression with the flag `u`. */
export function classOf(...categories: readonly string[]): string {
  const key = categories.join();
  const known = bodies.get(key);
  if (known !== undefined) return known;
  const hex = (code: number): string => `\\u{${code.toString(16)}}`;
  const body = rangesOfCategories(...categories)
    .map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`))
    .join("");
  bodies.set(key, body);
  return body;
}

/** The characters of a script by its name (`Greek`); undefined for none. */
export function rangesOfScript(script: string): readonly Range[] | undefined {
  const line = scripts.split("\n").find((one) => one.startsWith(`${script} `));
  let end = 0;
  return line
    ?.split(" ")
    .slice(1)
    .map((word) => {
      const [gap = "", more = "0"] = word.split("+");
      const first = end + Number.parseInt(gap, 36);
      end = first + Number.parseInt(more, 36);
      return [first, end];
    });
}

/** The long names of categories (`Uppercase_Letter`) and what they stand for. */
export function aliasesOfCategories(): readonly (readonly [alias: string, category: string])[] {
  return categoryAliases.split(" ").map((pair) => pair.split("=") as [string, string]);
}

let nextFolds: ReadonlyMap<number, number> | undefined;

/** Every character that has others which differ from it in case only, with the next of them; the last leads back to the first. */
export function caseFolds(): ReadonlyMap<number, number> {
  if (nextFolds !== undefined) return nextFolds;
  const map = new Map<number, number>();
  let code = 0;
  for (const [, gap = "", more = "0", stride, distance = ""] of folds.matchAll(/(\w+)(?:\+(\w+))?(\*)?:(-?\w+)/g)) {
    code += Number.parseInt(gap, 36);
    const [count, step, away] = [Number.parseInt(more, 36), stride === undefined ? 1 : 2, Number.parseInt(distance, 36)];
    for (let index = 0; index <= count; index += 1) map.set(code + index * step, code + index * step + away);
  }
  nextFolds = map;
  return map;
}

/** Letters and numbers of any script, and the underscore: what words are made of in editors. */
export function isWordCharacter(character: string): boolean {
  return character === "_" || isOf(character, "L", "N");
}

const asKnown =
  (change: (character: string) => string) =>
  (text: string): string =>
    /^[\0-\x7f]*$/.test(text)
      ? change(text)
      : Array.from(text, (character) => {
          const changed = change(character);
          return isOf(changed, "Cn") ? character : changed;
        }).join("");

/** Letters that Unicode got later have no case yet. */
export const upperCase = asKnown((text) => text.toUpperCase());
export const lowerCase = asKnown((text) => text.toLowerCase());
