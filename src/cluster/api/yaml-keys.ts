// The order in which go-yaml v2 writes the keys of a map: letters by code point and after all else, runs of digits by value.

import { compareTexts } from "#sim/compare-texts.ts";
import { lateUnicode } from "#sim/late-unicode.ts";

const plainKey = /^[A-Za-z]+$/;

/** The keys that are there, in that order. */
export function sortedYamlKeys(object: { readonly [key: string]: unknown }): string[] {
  return Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort(compareYamlKeys);
}

export function compareYamlKeys(a: string, b: string): number {
  if (plainKey.test(a) && plainKey.test(b)) return compareTexts(a, b);
  const [left, right] = [[...a], [...b]];
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    if (left[index] !== right[index]) return compareAt(left, right, index);
  }
  return left.length - right.length;
}

function compareAt(left: readonly string[], right: readonly string[], index: number): number {
  const [a, b] = [left[index] as string, right[index] as string];
  const [aIsLetter, bIsLetter] = [isLetter(a), isLetter(b)];
  if (aIsLetter !== bIsLetter) return bIsLetter ? -1 : 1;
  if (!aIsLetter) {
    const inNumber = (a === "0" || b === "0") && endsInsideNumber(left, index);
    const [aRun, bRun] = [digitRun(left, index), digitRun(right, index)];
    const prefix = inNumber ? "1" : "0";
    const [aValue, bValue] = [Number(prefix + aRun), Number(prefix + bRun)];
    if (aValue !== bValue) return aValue - bValue;
    if (aRun.length !== bRun.length) return aRun.length - bRun.length;
  }
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}

function digitRun(characters: readonly string[], start: number): string {
  let run = "";
  for (let index = start; index < characters.length && isDigit(characters[index] as string); index += 1) run += characters[index];
  return run;
}

/** Whether a number with a digit other than zero ends just before the place. */
function endsInsideNumber(characters: readonly string[], end: number): boolean {
  for (let index = end - 1; index >= 0 && isDigit(characters[index] as string); index -= 1) {
    if (characters[index] !== "0") return true;
  }
  return false;
}

function isLetter(character: string): boolean {
  return character < "\x80" ? /[A-Za-z]/.test(character) : lateUnicode.code.isOf(character, "L");
}

function isDigit(character: string): boolean {
  return character < "\x80" ? /[0-9]/.test(character) : lateUnicode.code.isOf(character, "Nd");
}
