// The course's order: parts and lessons with their titles, from content/curriculum.yaml.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Locale, locales } from "../i18n/locales.ts";

export interface Part {
  /** Folder and address of the part, the same in all languages. */
  readonly slug: string;
  /** From 1, as the reader sees it. */
  readonly number: number;
  readonly title: Readonly<Record<Locale, string>>;
  readonly lessons: readonly Lesson[];
}

export interface Lesson {
  readonly slug: string;
  readonly part: string;
  /** From 1, through the whole course. */
  readonly number: number;
  /** The planned title; once a lesson is written its own title counts. */
  readonly title: Readonly<Record<Locale, string>>;
  /** Slugs of subjects that were planned apart and are taught here. */
  readonly covers: readonly string[];
}

const path = "content/curriculum.yaml";

/** Reads and checks the course's order.
 * @throws Error that names the entry and what it lacks. */
export function readCurriculum(root = process.cwd()): readonly Part[] {
  const document: unknown = parse(readFileSync(join(root, path), "utf8"));
  let number = 0;
  return list(record(document, "the file")["parts"], "parts").map((value, index) => {
    const part = record(value, `parts[${index}]`);
    const slug = text(part["slug"], `parts[${index}].slug`);
    return {
      slug,
      number: index + 1,
      title: titles(part["title"], `part ${slug}`),
      lessons: list(part["lessons"], `part ${slug}: lessons`).map((entry) => {
        const lesson = record(entry, `a lesson of part ${slug}`);
        const lessonSlug = text(lesson["slug"], `part ${slug}: slug of a lesson`);
        number += 1;
        return {
          slug: lessonSlug,
          part: slug,
          number,
          title: titles(lesson["title"], `lesson ${lessonSlug}`),
          covers: list(lesson["covers"] ?? [], `lesson ${lessonSlug}: covers`).map((other) =>
            text(other, `lesson ${lessonSlug}: covers`),
          ),
        };
      }),
    };
  });
}

function titles(value: unknown, where: string): Record<Locale, string> {
  const given = record(value, `${where}: title`);
  const found = locales.map((locale) => [locale, text(given[locale], `${where}: title.${locale}`)] as const);
  const byLocale = new Map(found);
  const of = (locale: Locale): string => byLocale.get(locale) ?? "";
  return { fr: of("fr"), zh: of("zh"), ja: of("ja"), es: of("es") };
}

function record(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${path}: ${where} is a mapping`);
  return { ...value };
}

function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${path}: ${where} is a list`);
  return value;
}

function text(value: unknown, where: string): string {
  if (typeof value !== "string" || value === "") throw new Error(`${path}: ${where} is a text and not empty`);
  return value;
}
