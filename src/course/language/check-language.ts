// Every text of the course against the rules of its language, as lines "path:line: message".

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLocale, type Locale, locales } from "../../i18n/locales.ts";
import { leftoverEnglish } from "./english.ts";
import { goalProblems } from "./goals.ts";
import { mdxProse } from "./mdx-prose.ts";
import type { Passage } from "./passage.ts";
import { findings, type Rule } from "./rule.ts";
import { typography } from "./typography.ts";
import { readWording } from "./wording.ts";
import { yamlProse } from "./yaml-prose.ts";

interface TextFile {
  readonly path: string;
  readonly locale: Locale;
  readonly read: (source: string) => readonly Passage[];
}

/** All files that readers read: lessons, pages, texts of labs, titles, strings of the pages. */
export function languageFiles(root = process.cwd()): readonly TextFile[] {
  const inFolder = (folder: string): readonly string[] =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort() : [];
  const lessons = ["content/lessons", "content/pages"].flatMap((folder) =>
    inFolder(folder)
      .filter((file) => file.endsWith(".mdx"))
      .flatMap((file) => toFile(`${folder}/${file}`, file.split("/")[0], mdxProse)),
  );
  const labs = inFolder("labs").flatMap((file) => toFile(`labs/${file}`, /^[^/]+\/(\w+)\.yaml$/.exec(file)?.[1], labProse));
  const strings = locales.flatMap((locale) =>
    ["", "teacher/"].flatMap((folder) => toFile(`src/i18n/${folder}${locale}.json`, locale, pageProse)),
  );
  const titles = locales.flatMap((locale) =>
    toFile("content/curriculum.yaml", locale, (source) =>
      yamlProse(source, { wanted: (path) => path.endsWith(`title.${locale}`), showsCode: () => false }),
    ),
  );
  return [...lessons, ...labs, ...strings, ...titles];
}

function labProse(source: string): readonly Passage[] {
  return yamlProse(source, { showsCode: (path) => !/(^|\.)title$/.test(path) });
}

/** Texts of the pages: of these, two may hold code. */
function pageProse(source: string): readonly Passage[] {
  return yamlProse(source, { showsCode: (path) => path === "home.liveNote" || path === "sandbox.images.text" });
}

function toFile(path: string, locale: string | undefined, read: TextFile["read"]): readonly TextFile[] {
  return isLocale(locale) ? [{ path, locale, read: (source) => read(source) }] : [];
}

/** @returns one line per problem; empty when all is well. */
export function languageProblems(file: TextFile, rules: readonly Rule[], root = process.cwd()): readonly string[] {
  const source = readFileSync(join(root, file.path), "utf8");
  const goals = file.path.startsWith("labs/") ? goalProblems(source, file.locale) : [];
  return [...file.read(source).flatMap((passage) => findings(passage, rules)), ...goals]
    .sort((a, b) => a.line - b.line)
    .map(({ line, message }) => `${file.path}:${line}: ${message}`);
}

/** The rules of every language: typography, words, leftover English. */
export function readLanguageRules(root = process.cwd()): Readonly<Record<Locale, readonly Rule[]>> {
  const words = readWording(root);
  const of = (locale: Locale): readonly Rule[] => [...typography[locale], ...words[locale], leftoverEnglish];
  return { fr: of("fr"), zh: of("zh"), ja: of("ja"), es: of("es") };
}
