// Strings for the workbench, in the browser: only the page's language is fetched.

import type { Locale } from "./locales.ts";
import { createTranslator, joinStrings, type Translate } from "./translator.ts";

const files: Readonly<Record<Locale, () => Promise<{ readonly default: unknown }>>> = {
  fr: () => import("./fr.json"),
  zh: () => import("./zh.json"),
  ja: () => import("./ja.json"),
  es: () => import("./es.json"),
};

export async function loadStrings(locale: Locale): Promise<Translate> {
  return createTranslator(locale, (await files[locale]()).default);
}

const teacherFiles: typeof files = {
  fr: () => import("./teacher/fr.json"),
  zh: () => import("./teacher/zh.json"),
  ja: () => import("./teacher/ja.json"),
  es: () => import("./teacher/es.json"),
};

/** For a teacher's pages: their own strings come with the others. */
export async function loadTeacherStrings(locale: Locale): Promise<Translate> {
  const [own, others] = await Promise.all([teacherFiles[locale](), files[locale]()]);
  return createTranslator(locale, joinStrings(others.default, own.default));
}
