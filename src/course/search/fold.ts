// Text as search sees it: without accents, capitals and full-width letters, cut into units. Folding keeps every place where it is, so that
// what is found in the folded text can be marked in the written one.

const marks = /[\u0300-\u036f]/g;
const fullWidth = /[\uff01-\uff5e]/g;
const unit = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー])[\p{L}\p{N}])+/gu;
const ideographs = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]$/u;

/** The text without accents, capitals and full-width forms; as long as the text itself. */
export function fold(text: string): string {
  return text
    .normalize("NFC")
    .normalize("NFD")
    .replace(marks, "")
    .normalize("NFC")
    .replace(fullWidth, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .toLowerCase();
}

/** What a text consists of for search: runs of letters and digits, and single characters of Chinese and Japanese, which no space parts. */
export function unitsOf(text: string): readonly string[] {
  return fold(text).replaceAll("œ", "oe").match(unit) ?? [];
}

export function isIdeograph(one: string): boolean {
  return ideographs.test(one);
}

/** The same for "ReplicaSet", "replica set" and "replica-set". */
export function keyOf(units: readonly string[]): string {
  return units.join("");
}

/** Finds units in a folded text where they stand one after the other, whatever signs are between them. A word begins where the first unit
 * does; `whole` wants it to end there too, but for a plural's letters. */
export function patternOf(units: readonly string[], whole: boolean): RegExp {
  const parts = units.map((one, index) => {
    const previous = units[index - 1];
    const pattern = one.replaceAll("oe", "(?:oe|œ)");
    if (previous === undefined) return pattern;
    return (isIdeograph(one) || isIdeograph(previous) ? "[^\\p{L}\\p{N}]*" : "[^\\p{L}\\p{N}]+") + pattern;
  });
  const [first = "", last = ""] = [units[0], units.at(-1)];
  const before = isIdeograph(first) ? "" : "(?<![a-z0-9])";
  const after = !whole || isIdeograph(last) ? "" : "(?:e?s|x)?(?![a-z0-9])";
  return new RegExp(before + parts.join("") + after, "gu");
}

/** A Latin word and what it may be the plural of. */
export function singulars(one: string): readonly string[] {
  if (isIdeograph(one) || one.length < 4) return [one];
  return [one, ...(/[sx]$/.test(one) ? [one.slice(0, -1)] : []), ...(/es$/.test(one) ? [one.slice(0, -2)] : [])];
}
