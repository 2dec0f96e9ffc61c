// Tests that stand in every language though they are about behaviour: a usual run takes each in one, another one at another commit, and
// counts the others as skipped; `npm test -- --all` takes them in all four.

import { type PlaywrightTestArgs, test } from "@playwright/test";
import { type Locale, locales } from "../../src/i18n/locales.ts";
import { inTurn, takesAll } from "../turns.ts";

/** Those of a family that a usual run takes, `count` of them; all with `--all`. */
export function shareOf(family: string, ids: readonly string[], count: number): ReadonlySet<string> {
  if (takesAll()) return new Set(ids);
  const names = ids.map((id) => `${family} ${id}`);
  return new Set(
    inTurn(names)
      .slice(0, count)
      .map((name) => name.slice(family.length + 1)),
  );
}

/** How a test in one of the four languages is declared: as one to run where it is that language's turn for what `family` names. */
export function turnOf(family: string, locale: Locale): typeof test | typeof test.skip {
  return shareOf(family, locales, 1).has(locale) ? test : test.skip;
}

/** A test of one language: taken in the language whose turn it is for what `title` names. */
export function testInTurn(title: string, locale: Locale, body: (args: PlaywrightTestArgs) => Promise<void>): void {
  turnOf(title, locale)(`${title}, in ${locale}`, body);
}
