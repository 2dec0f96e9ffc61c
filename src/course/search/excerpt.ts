// A short piece of text around what was found, with the words marked.

import { fold } from "./fold.ts";

/** A piece of an excerpt; `marked` is what was looked for. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** Characters shown before and behind the first find; Chinese and Japanese say as much with half. */
const around = { wide: [24, 50], narrow: [45, 95] } as const;

/** @returns the text around the first find, cut between words. The text's own beginning when nothing is found in it. */
export function excerptOf(text: string, patterns: readonly RegExp[]): readonly Piece[] {
  const folded = fold(text);
  const finds = folded.length === text.length ? findsIn(folded, patterns) : [];
  const [before, behind] = around[/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(text) ? "wide" : "narrow"];
  const first = finds[0]?.[0] ?? 0;
  const from = startAt(text, Math.max(0, first - before), first);
  const to = endAt(text, first + behind);
  const pieces: Piece[] = [];
  const add = (start: number, end: number, marked: boolean): void => {
    const part = text.slice(start, end).replace(/\s+/g, " ");
    if (part !== "") pieces.push({ text: part, marked });
  };
  if (from > 0) pieces.push({ text: "… ", marked: false });
  let at = from;
  for (const [start, end] of finds.filter(([start]) => start < to)) {
    add(at, start, false);
    add(start, end, true);
    at = end;
  }
  if (at < to) add(at, to, false);
  if (to < text.length) pieces.push({ text: " …", marked: false });
  return pieces;
}

/** Places of all finds, in order, none over another. */
function findsIn(folded: string, patterns: readonly RegExp[]): readonly (readonly [start: number, end: number])[] {
  const all = patterns
    .flatMap((pattern) => [...folded.matchAll(pattern)])
    .map((match) => [match.index, match.index + match[0].length] as const)
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const kept: (readonly [number, number])[] = [];
  for (const find of all) if (find[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(find);
  return kept;
}

/** The next beginning of a word; never behind what was found. */
function startAt(text: string, wanted: number, found: number): number {
  if (wanted === 0) return 0;
  const space = text.slice(wanted, found).search(/[\s、。，；：]/);
  return space === -1 ? wanted : Math.min(found, wanted + space + 1);
}

function endAt(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const space = /[\s、。，；：][^\s、。，；：]*$/.exec(text.slice(Math.max(0, wanted - 20), wanted));
  return space === null ? wanted : wanted - space[0].length;
}
