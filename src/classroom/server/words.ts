// What the server itself writes for people: to who comes from a learning platform, before there is a page of the course, and into certificates.

import { isLocale, type Locale } from "../../i18n/locales.ts";
import es from "../../i18n/server/es.json" with { type: "json" };
import fr from "../../i18n/server/fr.json" with { type: "json" };
import ja from "../../i18n/server/ja.json" with { type: "json" };
import zh from "../../i18n/server/zh.json" with { type: "json" };

type ServerWords = (typeof fr)["classroom"];
export type LaunchWords = ServerWords["launch"];

const words: Readonly<Record<Locale, ServerWords>> = { fr: fr.classroom, zh: zh.classroom, ja: ja.classroom, es: es.classroom };

export function wordsIn(locale: Locale): ServerWords {
  return words[locale];
}

/** The first of these that the course has: language tags, or what a browser says it accepts. */
export function localeOf(...wishes: readonly (string | undefined)[]): Locale {
  for (const wish of wishes)
    for (const tag of (wish ?? "").split(",")) {
      const code = tag.trim().slice(0, 2).toLowerCase();
      if (isLocale(code)) return code;
    }
  return "fr";
}

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}
