// Strings for the workbench, in the browser: only the page's language is fetched.

import type { Locale } from "./locales.ts";
import { createTranslator, type Translate } from "./translator.ts";

const files: Readonly<Record<Locale, () => Promise<{ readonly default: unknown }>>> = {
  fr: () => import("./fr.json"),
  zh: () => import("./zh.json"),
  ja: () => import("./ja.json"),
  es: () => import("./es.json"),
};

export async function loadStrings(locale: Locale): Promise<Translate> {
  return createTranslator(locale, (await files[locale]()).default);
}
