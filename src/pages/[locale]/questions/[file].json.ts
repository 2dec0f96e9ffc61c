// The questions of finished lessons, for review: one file per part, fetched when one of them is asked; lessons.json says how many each has.

import { readFileSync } from "node:fs";
import type { APIRoute, GetStaticPaths } from "astro";
import { loadCourse, titleOf, writtenLessons } from "../../../course/lessons.ts";
import type { ReviewedLesson } from "../../../course/review/cards.ts";
import { lessonQuestions, type PartQuestions } from "../../../course/review/questions.ts";
import { type Locale, locales } from "../../../i18n/locales.ts";

export const getStaticPaths: GetStaticPaths = async () => {
  const parts = (await loadCourse())
    .map((part) => ({ slug: part.slug, lessons: writtenLessons([part]) }))
    .filter(({ lessons }) => lessons.length > 0);
  return locales.flatMap((locale) => {
    const questions = parts.map(
      ({ slug, lessons }) =>
        [slug, Object.fromEntries(lessons.map((lesson) => [lesson.slug, questionsOf(lesson, locale)]))] as const,
    );
    const list = parts.flatMap(({ slug: part, lessons }) =>
      lessons.map(
        (lesson): ReviewedLesson => ({
          slug: lesson.slug,
          part,
          title: titleOf(lesson, locale),
          questions: questionsOf(lesson, locale).length,
        }),
      ),
    );
    return [["lessons", list] as const, ...questions].map(([file, content]) => ({ params: { locale, file }, props: { content } }));
  });
};

export const GET: APIRoute<{ readonly content: readonly ReviewedLesson[] | PartQuestions }> = ({ props }) =>
  Response.json(props.content);

function questionsOf(lesson: ReturnType<typeof writtenLessons>[number], locale: Locale) {
  const path = lesson.editions?.[locale].filePath ?? "";
  return lessonQuestions(readFileSync(path, "utf8"), path);
}
