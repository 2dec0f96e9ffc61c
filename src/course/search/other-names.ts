// What readers call a word of the terminology though the course does not: katakana for kinds, the renderings of other books
// (content/other-names.yaml). Search knows them; texts do not use them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Form, listOf, mapOf, readAs, text } from "#reading/shapes.ts";
import { type Locale, locales } from "../../i18n/locales.ts";
import { findTerm } from "../terminology.ts";

const path = "content/other-names.yaml";

const languages: Form = { pattern: new RegExp(`^(${locales.join("|")})$`), expected: `one of ${locales.join(", ")}` };
const namesByWord = mapOf(mapOf(listOf(text), languages));

let names: ReadonlyMap<string, readonly string[]> | undefined;

/** @param en as in content/terminology.yaml. */
export function otherNames(en: string, locale: Locale): readonly string[] {
  names ??= readNames();
  return names.get(`${locale}/${en}`) ?? [];
}

/** @throws FileMistake, and Error when a word is not in the terminology. */
function readNames(): ReadonlyMap<string, readonly string[]> {
  const byWord = readAs(namesByWord, path, readFileSync(join(process.cwd(), path), "utf8"));
  return new Map(
    Object.entries(byWord).flatMap(([en, byLocale]) =>
      Object.entries(byLocale).map(([locale, list]) => [`${locale}/${findTerm(en).en}`, list] as const),
    ),
  );
}
