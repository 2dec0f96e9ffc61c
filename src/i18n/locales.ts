// The four languages of the course: their codes in addresses, their names, their tags for browsers.

/** Codes as they stand in addresses, in the order they are offered. */
export const locales = ["fr", "zh", "ja", "es"] as const;

export type Locale = (typeof locales)[number];

/** Each language's name in itself. */
export const localeNames: Readonly<Record<Locale, string>> = {
  fr: "Français",
  zh: "简体中文",
  ja: "日本語",
  es: "Español",
};

/** BCP 47 tags for `lang` and `hreflang`: the Chinese edition is written in simplified characters. */
export const languageTags: Readonly<Record<Locale, string>> = { fr: "fr", zh: "zh-Hans", ja: "ja", es: "es" };

/** What link previews call the languages: with a country, which here only says where most of its readers are. */
export const openGraphLocales: Readonly<Record<Locale, string>> = { fr: "fr_FR", zh: "zh_CN", ja: "ja_JP", es: "es_ES" };

export function isLocale(value: string | undefined): value is Locale {
  return locales.some((locale) => locale === value);
}
