// Words and typography of every text, in its language. What is wrong is named by file and line, with the better form.

import { describe, expect, it } from "vitest";
import { languageFiles, languageProblems, readLanguageRules } from "#course/language/check-language.ts";
import { locales } from "#i18n/locales.ts";

const rules = readLanguageRules();
const files = languageFiles();

describe.each(locales)("texts in %s", (locale) => {
  it.each(files.filter((file) => file.locale === locale).map((file) => [file.path, file] as const))("%s", (_, file) => {
    const problems = languageProblems(file, rules[locale]);
    expect(problems, `\n${problems.join("\n")}\n`).toEqual([]);
  });
});
