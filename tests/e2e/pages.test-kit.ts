// The kinds of pages that every language has, for tests that go through all of them.

import { locales } from "../../src/i18n/locales.ts";

export const lesson = "workloads/deployment-create/";

export const capstone = "orientation/capstone/";

export const kinds = [
  "",
  "about/",
  "hosting/",
  "glossary/",
  "progress/",
  "review/",
  "sandbox/",
  "offline/",
  lesson,
  capstone,
] as const;

export const pagesOf = locales.map((locale) => [locale, kinds.map((kind) => `/${locale}/${kind}`)] as const);
