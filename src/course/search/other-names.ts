// What readers call a word of the terminology though the course does not: katakana for kinds, the renderings of other books
// (content/other-names.yaml). Search knows them; texts do not use them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Locale } from "../../i18n/locales.ts";
import { findTerm } from "../terminology.ts";

const path = "content/other-names.yaml";

let names: ReadonlyMap<string, readonly string[]> | undefined;

/** @param en as in content/terminology.yaml. */
export function otherNames(en: string, locale: Locale): readonly string[] {
  names ??= readNames();
  return names.get(`${locale}/${en}`) ?? [];
}

/** @throws Error when an entry is no list of names, or its word is not in the terminology. */
function readNames(): ReadonlyMap<string, readonly string[]> {
  const document: unknown = parse(readFileSync(join(process.cwd(), path), "utf8"));
  const byWord = Object.entries(typeof document === "object" && document !== null ? document : {});
  return new Map(
    byWord.flatMap(([en, byLocale]) =>
      Object.entries(typeof byLocale === "object" && byLocale !== null ? byLocale : {}).map(([locale, list]) => {
        if (!Array.isArray(list) || !list.every((name) => typeof name === "string"))
          throw new Error(`${path}: ${en}.${locale} is a list of names`);
        return [`${locale}/${findTerm(en).en}`, list] as const;
      }),
    ),
  );
}
