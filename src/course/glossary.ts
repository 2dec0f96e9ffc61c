// The glossary of one language: the words of content/terminology.yaml that a lesson explains, with what it says of them.

import { readFileSync } from "node:fs";
import { type Locale, languageTags } from "../i18n/locales.ts";
import { explainedWords } from "./explained-words.ts";
import { glossaryAnchor } from "./glossary-anchor.ts";
import { type CourseLesson, type CoursePart, writtenLessons } from "./lessons.ts";
import { findTerm, type Term } from "./terminology.ts";

export interface GlossaryEntry {
  readonly term: Term;
  /** Part of the entry's address: "pod-template". The same in all languages. */
  readonly anchor: string;
  /** One sentence in the glossary's language, as the first lesson with this word has it. */
  readonly means: string;
  readonly lessons: readonly CourseLesson[];
}

/** The explained words in the order of the language's dictionary. */
export function readGlossary(parts: readonly CoursePart[], locale: Locale): readonly GlossaryEntry[] {
  const entries = new Map<string, { term: Term; means: string; lessons: CourseLesson[] }>();
  for (const lesson of writtenLessons(parts)) {
    for (const { en, means } of explainedWords(sourceOf(lesson, locale))) {
      const term = findTerm(en);
      const entry = entries.get(term.en) ?? { term, means, lessons: [] };
      entry.lessons.push(lesson);
      entries.set(term.en, entry);
    }
  }
  const order = new Intl.Collator(languageTags[locale]);
  return [...entries.values()]
    .map((entry) => ({ ...entry, anchor: glossaryAnchor(entry.term.en) }))
    .sort((a, b) => order.compare(a.term[locale], b.term[locale]));
}

function sourceOf(lesson: CourseLesson, locale: Locale): string {
  const path = lesson.editions?.[locale].filePath;
  if (path === undefined) throw new Error(`lesson ${lesson.slug} has no file in ${locale}`);
  return readFileSync(path, "utf8");
}
