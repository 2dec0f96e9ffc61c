// What a reader typed, understood: words of the terminology in any of their forms, and the words between them.

import { isIdeograph, keyOf, patternOf, singulars, unitsOf } from "./fold.ts";
import type { WordHead } from "./index-format.ts";

/** One thing that a lesson has to speak of. */
export interface QueryPart {
  /** Finds it in folded text, in any of its forms. */
  readonly pattern: RegExp;
  /** The words of the terminology that it may be; empty for other words. */
  readonly words: readonly WordHead[];
}

export interface Query {
  readonly key: string;
  /** All that was typed, in its order. */
  readonly phrase: RegExp;
  readonly parts: readonly QueryPart[];
}

/** The terminology by its forms' keys. */
export type Dictionary = ReadonlyMap<string, readonly WordHead[]>;

/** More units than any form has. */
const longestForm = 20;

export function dictionaryOf(words: readonly WordHead[]): Dictionary {
  const byKey = new Map<string, WordHead[]>();
  for (const word of words)
    for (const key of new Set(word.forms.map((form) => keyOf(unitsOf(form))))) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [word]);
      else known.push(word);
    }
  return byKey;
}

/** @param locale for cutting Chinese and Japanese that the terminology does not know.
 * @returns undefined when nothing was typed that could be looked for. */
export function readQuery(typed: string, dictionary: Dictionary, locale: string): Query | undefined {
  const units = unitsOf(typed);
  if (units.length === 0) return undefined;
  const parts: QueryPart[] = [];
  let loose: string[] = [];
  const closeLoose = (): void => {
    parts.push(...looseParts(loose, locale));
    loose = [];
  };
  for (let at = 0; at < units.length; ) {
    const known = longestKnown(units, at, dictionary);
    if (known === undefined) {
      loose.push(units[at] ?? "");
      at += 1;
    } else {
      closeLoose();
      parts.push(knownPart(known.words));
      at += known.length;
    }
  }
  closeLoose();
  return { key: keyOf(units), phrase: patternOf(units, false), parts: parts.length > 0 ? parts : [loosePart(units)] };
}

function longestKnown(units: readonly string[], at: number, dictionary: Dictionary) {
  for (let length = Math.min(longestForm, units.length - at); length > 0; length -= 1) {
    const span = units.slice(at, at + length);
    const stem = keyOf(span.slice(0, -1));
    const words = singulars(span.at(-1) ?? "").flatMap((last) => dictionary.get(stem + last) ?? []);
    if (words.length > 0) return { length, words: [...new Set(words)] };
  }
  return undefined;
}

/** In any of its forms, as a word of its own: all forms of a word find the same. */
function knownPart(words: readonly WordHead[]): QueryPart {
  const forms = words.flatMap((word) => word.forms.map((form) => patternOf(unitsOf(form), true).source));
  return { pattern: new RegExp([...new Set(forms)].join("|"), "gu"), words };
}

function loosePart(units: readonly string[]): QueryPart {
  const [first = ""] = units;
  const tries = units.length === 1 ? singulars(first).map((one, index) => patternOf([one], index > 0)) : [patternOf(units, false)];
  return { pattern: new RegExp(tries.map(({ source }) => source).join("|"), "gu"), words: [] };
}

/** Words that the terminology does not know. What only joins words (kana particles, single letters) is no part where there are others. */
function looseParts(units: readonly string[], locale: string): readonly QueryPart[] {
  const parts: (readonly string[])[] = [];
  let run: string[] = [];
  const closeRun = (): void => {
    parts.push(...cutRun(run.join(""), locale));
    run = [];
  };
  for (const one of units) {
    if (isIdeograph(one)) run.push(one);
    else {
      closeRun();
      if (one.length > 1 || units.length === 1) parts.push([one]);
    }
  }
  closeRun();
  return parts.map(loosePart);
}

/** Katakana words stay whole; the rest is cut where the language cuts it. */
function cutRun(run: string, locale: string): readonly (readonly string[])[] {
  const segmenter = new Intl.Segmenter(locale, { granularity: "word" });
  const pieces = run
    .split(/([\p{sc=Kana}ー]+)/u)
    .flatMap((piece) =>
      /^[\p{sc=Kana}ー]+$/u.test(piece) ? [piece] : [...segmenter.segment(piece)].map(({ segment }) => segment),
    );
  return pieces
    .filter((piece) => !/^[\p{sc=Hira}]*$/u.test(piece) && (piece.length > 1 || run.length === 1))
    .map((piece) => [...piece]);
}
