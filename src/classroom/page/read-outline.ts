// Build time: the outline of the course that goes into the classroom's pages.

import { labFromSources, labTextsFromSources } from "#lab/catalog.ts";
import { mostOf } from "#lab/score.ts";
import { capstoneOf, capstoneSlug } from "../../course/capstones.ts";
import { labSources } from "../../course/labs.ts";
import { loadCourse, titleOf, writtenLessons } from "../../course/lessons.ts";
import type { Locale } from "../../i18n/locales.ts";
import { type CourseOutline, type ExamLabs, mostIn, type OutlineLab, type OutlineLesson, type OutlinePart } from "./outline.ts";

export async function readOutline(locale: Locale): Promise<CourseOutline> {
  const labs = new Map<string, OutlineLab>();
  const addLab = (id: string, place: string): void => {
    const definition = labFromSources(labSources, id);
    const { title, steps } = labTextsFromSources(labSources, definition, locale);
    labs.set(id, {
      title,
      place,
      steps: definition.steps.map((step) => ({ id: step.id, title: steps[step.id]?.title ?? step.id, most: mostOf(step) })),
    });
  };
  const parts = (await loadCourse()).map((part): OutlinePart => {
    const lessons = writtenLessons([part]).map((lesson): OutlineLesson => {
      const place = `${part.slug}/${lesson.slug}`;
      const lab = lesson.editions?.[locale].data.lab;
      if (lab !== undefined) addLab(lab, place);
      return { slug: lesson.slug, place, title: titleOf(lesson, locale), isCapstone: false };
    });
    const capstone = capstoneOf(part);
    if (capstone !== undefined) {
      const place = `${part.slug}/${capstoneSlug}`;
      addLab(capstone.labId, place);
      lessons.push({ slug: capstone.labId, place, title: capstone.title[locale], isCapstone: true });
    }
    return { slug: part.slug, number: part.number, title: part.title[locale], lessons };
  });
  return { parts: parts.filter(({ lessons }) => lessons.length > 0), labs: Object.fromEntries(labs) };
}

export async function readExamLabs(locale: Locale): Promise<ExamLabs> {
  const outline = await readOutline(locale);
  const labs = Object.entries(outline.labs).map(([id, { title, place, steps }]) => {
    return [id, { title, ...(place === undefined ? {} : { place }), steps: steps.length, most: mostIn(outline, id) }] as const;
  });
  return Object.fromEntries(labs);
}
