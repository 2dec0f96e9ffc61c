// Which entries of the palette a few typed words mean, the likeliest first.

export interface Ranked {
  readonly title: string;
  /** Other words it is found by. */
  readonly also: string;
}

/** In the order given where nothing is typed, and among equals. */
export function rank<Entry extends Ranked>(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = plain(typed)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return entries;
  return entries
    .map((entry) => ({ entry, worth: worthOf(entry, words) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .map(({ entry }) => entry);
}

/** 0 unless every word is found. A title that is what was typed counts most, then one that begins so, then beginnings of words. */
function worthOfWhole(own: string, other: string, typed: string): number {
  if (own === typed || other === typed) return 100;
  if (own.startsWith(typed)) return 50;
  return other.startsWith(typed) ? 25 : 0;
}

function worthOf({ title, also }: Ranked, words: readonly string[]): number {
  const [own, other] = [plain(title), plain(also)];
  const typed = words.join(" ");
  const each = words.map((word) => Math.max(placeOf(own, word) * 2, placeOf(other, word)));
  if (each.some((worth) => worth === 0)) return 0;
  // Among titles that hold the words the shorter one is meant.
  return worthOfWhole(own, other, typed) + each.reduce((sum, worth) => sum + worth, 0) / words.length + 1 / (1 + own.length);
}

/** 3 at the beginning of a word, 1 within one, 0 nowhere. */
function placeOf(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  return at === 0 || text.includes(` ${word}`) || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? "") ? 3 : 1;
}

/** As it is compared: without case, accents, ligatures and full-width forms. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll("œ", "oe")
    .trim();
}
