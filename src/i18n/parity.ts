// All four string files hold the same keys; otherwise the build stops and names what is missing where.

import { type Locale, locales } from "./locales.ts";

/** Key paths of nested strings, plural suffixes removed, since languages differ in their plural forms. */
export function keyPaths(strings: unknown, prefix = ""): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const [key, value] of Object.entries(strings ?? {})) {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    if (typeof value === "string") paths.add(path.replace(/_(zero|one|two|few|many|other)$/, ""));
    else for (const inner of keyPaths(value, path)) paths.add(inner);
  }
  return paths;
}

/** One line per missing or empty string; empty when the files agree. */
export function parityProblems(files: Readonly<Record<Locale, unknown>>): readonly string[] {
  const all = new Set(locales.flatMap((locale) => [...keyPaths(files[locale])]));
  return locales.flatMap((locale) => {
    const own = keyPaths(files[locale]);
    return [...all].filter((path) => !own.has(path)).map((path) => `src/i18n/${locale}.json: "${path}" is missing`);
  });
}
