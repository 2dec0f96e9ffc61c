// The written lessons joined with the curriculum: what a page needs to show a lesson and its place.

import { type CollectionEntry, getCollection } from "astro:content";
import { type Locale, locales } from "../i18n/locales.ts";
import { type Lesson, type Part, readCurriculum } from "./curriculum.ts";

export type LessonEntry = CollectionEntry<"lessons">;

export interface CourseLesson extends Lesson {
  /** The four editions; undefined until all four are written. */
  readonly editions: Readonly<Record<Locale, LessonEntry>> | undefined;
}

export interface CoursePart extends Omit<Part, "lessons"> {
  readonly lessons: readonly CourseLesson[];
}

let course: Promise<readonly CoursePart[]> | undefined;

/** The whole course, read once per build. */
export function loadCourse(): Promise<readonly CoursePart[]> {
  course ??= join();
  return course;
}

async function join(): Promise<readonly CoursePart[]> {
  const entries = new Map((await getCollection("lessons")).map((entry) => [entry.id, entry]));
  const editionsOf = (part: string, lesson: string): CourseLesson["editions"] => {
    const edition = (locale: Locale): LessonEntry | undefined => entries.get(`${locale}/${part}/${lesson}`);
    const [fr, zh, ja, es] = locales.map(edition);
    return fr && zh && ja && es ? { fr, zh, ja, es } : undefined;
  };
  return readCurriculum().map((part) => ({
    ...part,
    lessons: part.lessons.map((lesson) => ({ ...lesson, editions: editionsOf(part.slug, lesson.slug) })),
  }));
}

/** The title a reader sees: the lesson's own once it is written, the planned one before. */
export function titleOf(lesson: CourseLesson, locale: Locale): string {
  return lesson.editions?.[locale].data.title ?? lesson.title[locale];
}

/** The written lessons in the course's order. */
export function writtenLessons(parts: readonly CoursePart[]): readonly CourseLesson[] {
  return parts.flatMap((part) => part.lessons.filter((lesson) => lesson.editions !== undefined));
}
