// At build time: what search knows of the lessons in one language.

import type { Locale } from "../../i18n/locales.ts";
import { explainedWords } from "../explained-words.ts";
import { glossaryAnchor } from "../glossary-anchor.ts";
import { findTerm, subjectTerms, type Term } from "../terminology.ts";
import type { LessonHead, PartTexts, SearchHeads, WordHead } from "./index-format.ts";
import { lessonSections } from "./lesson-text.ts";
import { otherNames } from "./other-names.ts";

export interface IndexedPart {
  readonly slug: string;
  readonly title: string;
  readonly lessons: readonly IndexedLesson[];
}

export interface IndexedLesson {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  /** The whole MDX file. */
  readonly source: string;
  /** Anchors of the headings of levels 2 and 3, in their order. */
  readonly anchors: readonly string[];
}

export function makeHeads(parts: readonly IndexedPart[], locale: Locale): SearchHeads {
  const lessons = parts.flatMap((part, index) => part.lessons.map((lesson) => headOf(lesson, part.slug, index)));
  return {
    parts: parts.map(({ slug, title }) => ({ slug, title })),
    lessons,
    words: wordHeads(
      parts.flatMap((part) => part.lessons),
      locale,
    ),
  };
}

export function makeTexts({ lessons }: IndexedPart): PartTexts {
  return lessons.map(({ source }) => lessonSections(source).map(({ text }) => text));
}

/** @throws Error when the source has other headings than the page. */
function headOf({ slug, title, summary, source, anchors }: IndexedLesson, part: string, index: number): LessonHead {
  const titles = lessonSections(source)
    .slice(1)
    .map((section) => section.title);
  if (titles.length !== anchors.length)
    throw new Error(`${part}/${slug}: search sees ${titles.length} headings, the page has ${anchors.length}`);
  return {
    path: `${part}/${slug}`,
    part: index,
    title,
    summary,
    sections: titles.map((heading, at) => [anchors[at] ?? "", heading]),
  };
}

function wordHeads(lessons: readonly IndexedLesson[], locale: Locale): readonly WordHead[] {
  const explained = new Map<string, { means: string; lessons: number[] }>();
  for (const [index, { source }] of lessons.entries())
    for (const { en, means } of explainedWords(source)) {
      const known = explained.get(findTerm(en).en);
      if (known === undefined) explained.set(findTerm(en).en, { means, lessons: [index] });
      else if (!known.lessons.includes(index)) known.lessons.push(index);
    }
  const terms = new Map([...[...explained.keys()].map(findTerm), ...subjectTerms()].map((term) => [term.en, term]));
  return [...terms.values()].map((term) => {
    const entry = explained.get(term.en);
    const forms = formsOf(term, locale);
    return entry === undefined ? { forms, lessons: [] } : { forms, ...entry, anchor: glossaryAnchor(term.en) };
  });
}

function formsOf(term: Term, locale: Locale): readonly string[] {
  return [term[locale], term.en, ...otherNames(term.en, locale)];
}
