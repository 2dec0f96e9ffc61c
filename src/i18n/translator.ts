// UI strings by key. A key that is not there is a mistake of ours and throws: no page falls back to another language.

import i18next from "i18next";
import type fr from "./fr.json";
import type { Locale } from "./locales.ts";
import type teacherFr from "./teacher/fr.json";

/** The shape that the string files of all four languages share; French is the one types are taken from. */
export type UiStrings = typeof fr & typeof teacherFr;

/** Dotted paths to the strings of a file: "lesson.next". Plural forms (`_one`, `_other`) are asked for by their stem. */
export type StringKey = PathsOf<UiStrings>;

type PathsOf<T> = {
  [K in keyof T & string]: T[K] extends string ? StemOf<K> : `${K}.${PathsOf<T[K]>}`;
}[keyof T & string];

type StemOf<K extends string> = K extends `${infer Stem}_${"one" | "other"}` ? Stem : K;

export type Translate = (key: StringKey, values?: Readonly<Record<string, string | number>>) => string;

/** Makes the function that finds strings of one language.
 * @throws Error from the returned function when a key is missing. */
export function createTranslator(locale: Locale, strings: unknown): Translate {
  const instance = i18next.createInstance({
    lng: locale,
    fallbackLng: false,
    resources: { [locale]: { ui: toResource(strings) } },
    defaultNS: "ui",
    ns: ["ui"],
    initAsync: false,
    interpolation: { escapeValue: false },
    returnObjects: false,
    parseMissingKeyHandler: (key: string): string => {
      throw new Error(`UI string "${key}" is missing in src/i18n/${locale}.json`);
    },
  });
  void instance.init();
  return (key, values) => String(instance.t(key, { ...values }));
}

/** Strings of two files of one language; keys below `classroom` may stand in both. */
export function joinStrings(common: unknown, own: unknown): unknown {
  const [a, b] = [toResource(common), toResource(own)];
  return { ...a, ...b, classroom: { ...toResource(a["classroom"] ?? {}), ...toResource(b["classroom"] ?? {}) } };
}

function toResource(strings: unknown): Record<string, unknown> {
  if (typeof strings !== "object" || strings === null) throw new Error("a string file holds an object");
  return { ...strings };
}
