// The course's order: parts and lessons with their titles, from content/curriculum.yaml.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fields, listOf, lowerCaseWords, optional, readAs, required, text, textLike } from "#reading/shapes.ts";
import type { Locale } from "../i18n/locales.ts";

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

/** As the file has them: numbers come by counting. */
type WrittenLesson = Pick<Lesson, "slug" | "title" | "covers">;
type WrittenPart = Pick<Part, "slug" | "title"> & { readonly lessons: readonly WrittenLesson[] };

const slug = textLike(lowerCaseWords);
const title = fields<Part["title"]>({
  fr: required(text, "In French."),
  zh: required(text, "In Chinese."),
  ja: required(text, "In Japanese."),
  es: required(text, "In Spanish."),
});
const lesson = fields<WrittenLesson>({
  slug: required(slug, "Its address, and the name of its lab."),
  title: required(title, "As planned; once the lesson is written its own title counts."),
  covers: optional(listOf(slug), "Subjects that were planned apart and are taught here.", []),
});
const part = fields<WrittenPart>({
  slug: required(slug, "Its address and folder."),
  title: required(title, "As the reader sees it."),
  lessons: required(listOf(lesson), "In the order of the course."),
});
const curriculum = fields<{ readonly parts: readonly WrittenPart[] }>({
  parts: required(listOf(part), "In the order of the course."),
});

/** Reads and checks the course's order.
 * @throws FileMistake */
export function readCurriculum(root = process.cwd()): readonly Part[] {
  const { parts } = readAs(curriculum, path, readFileSync(join(root, path), "utf8"));
  let number = 0;
  return parts.map((each, index) => ({
    ...each,
    number: index + 1,
    lessons: each.lessons.map((one) => {
      number += 1;
      return { ...one, part: each.slug, number };
    }),
  }));
}
