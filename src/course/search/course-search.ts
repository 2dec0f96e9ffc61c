// Search in the course, in the browser: the one door for whoever looks for lessons (the search dialog, a command palette). Heads of
// lessons answer at once; their texts, which are larger, are fetched behind them.

import { excerptOf, type Piece } from "./excerpt.ts";
import { fold, keyOf, unitsOf } from "./fold.ts";
import type { LessonHead, PartTexts, SearchHeads, WordHead } from "./index-format.ts";
import { type Dictionary, dictionaryOf, type Query, readQuery } from "./query.ts";
import { countIn, prepareLessons, type Ranked, rank, type SearchedLesson } from "./rank.ts";

export interface FoundSection {
  readonly anchor: string;
  readonly title: string;
  readonly excerpt: readonly Piece[];
}

export interface FoundLesson {
  /** "workloads/deployment-create". */
  readonly path: string;
  readonly title: string;
  readonly partTitle: string;
  readonly summary: readonly Piece[];
  /** Where in the lesson it stands, the places that hold most of it first. */
  readonly sections: readonly FoundSection[];
}

export interface Found {
  /** Words of the glossary that were typed. */
  readonly words: readonly WordHead[];
  readonly lessons: readonly FoundLesson[];
  /** How many lessons there are in all. */
  readonly count: number;
  /** False when no lesson holds everything that was typed: these hold some of it. */
  readonly holdsAll: boolean;
}

const nothing: Found = { words: [], lessons: [], count: 0, holdsAll: true };
const mostSections = 3;
const mostWords = 2;

export class CourseSearch {
  private readonly heads: SearchHeads;
  private readonly locale: string;
  private readonly dictionary: Dictionary;
  private lessons: readonly SearchedLesson[];
  private readonly written = new Map<string, readonly string[]>();

  constructor(heads: SearchHeads, locale: string) {
    this.heads = heads;
    this.locale = locale;
    this.dictionary = dictionaryOf(heads.words);
    this.lessons = prepareLessons(heads);
  }

  /** Takes up the texts of a part. */
  addTexts(part: string, texts: PartTexts): void {
    const own = this.heads.lessons.filter((head) => this.heads.parts[head.part]?.slug === part);
    for (const [index, head] of own.entries()) this.written.set(head.path, texts[index] ?? []);
    this.lessons = this.lessons.map((lesson) => {
      const text = this.written.get(lesson.head.path);
      return text === undefined || lesson.texts.length > 0 ? lesson : { ...lesson, texts: text.map(fold) };
    });
  }

  find(typed: string, mostLessons: number): Found {
    const query = readQuery(typed, this.dictionary, this.locale);
    if (query === undefined) return nothing;
    const ranked = rank(query, this.lessons);
    const most = ranked[0]?.held ?? 0;
    const best = ranked.filter(({ held }) => held === most);
    return {
      words: this.wordsFor(query),
      lessons: best.slice(0, mostLessons).map((one) => this.found(one, query)),
      count: best.length,
      holdsAll: most === query.parts.length || best.length === 0,
    };
  }

  /** What was typed whole, or is about to be. */
  private wordsFor(query: Query): readonly WordHead[] {
    const explained = this.heads.words.filter(({ means }) => means !== undefined);
    const whole = query.parts.length === 1 ? (query.parts[0]?.words ?? []) : [];
    const begun = query.key.length < 2 ? [] : explained.filter(({ forms }) => keyOf(unitsOf(forms[0] ?? "")).startsWith(query.key));
    return [...new Set([...whole, ...begun])].filter(({ means }) => means !== undefined).slice(0, mostWords);
  }

  private found({ lesson }: Ranked, query: Query): FoundLesson {
    const patterns = query.parts.map(({ pattern }) => pattern);
    const { head } = lesson;
    return {
      path: head.path,
      title: head.title,
      partTitle: this.heads.parts[head.part]?.title ?? "",
      summary: excerptOf(head.summary, patterns),
      sections: this.sectionsOf(lesson, head, query, patterns),
    };
  }

  private sectionsOf(lesson: SearchedLesson, head: LessonHead, query: Query, patterns: readonly RegExp[]): readonly FoundSection[] {
    const texts = this.written.get(head.path) ?? [];
    const scored = head.sections.map(([anchor, title], index) => {
      const heading = lesson.headings[index] ?? "";
      const text = lesson.texts[index + 1] ?? "";
      const score = (where: string, weight: number): number =>
        patterns.reduce((sum, pattern) => sum + Math.min(3, countIn(pattern, where)) * weight, 0) +
        countIn(query.phrase, where) * weight;
      return { anchor, title, score: score(heading, 5) + score(text, 1), text: texts[index + 1] ?? "" };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, mostSections)
      .map(({ anchor, title, text }) => ({ anchor, title, excerpt: excerptOf(text, patterns) }));
  }
}

/** A search that answers from titles, headings, summaries and words, and in full once `texts` has come. */
export interface OpenSearch {
  readonly search: CourseSearch;
  readonly texts: Promise<void>;
}

const opened = new Map<string, Promise<OpenSearch>>();

/** Fetches the heads, and behind them the texts; what did not come is fetched again by the next call.
 * @param pages where the language's pages are: "/fr/". */
export function openCourseSearch(pages: string, locale: string): Promise<OpenSearch> {
  const known = opened.get(pages);
  if (known !== undefined) return known;
  const opening = fetchJson<SearchHeads>(`${pages}search/heads.json`).then((heads) => {
    const search = new CourseSearch(heads, locale);
    const all = heads.parts.map(async ({ slug }) =>
      search.addTexts(slug, await fetchJson<PartTexts>(`${pages}search/${slug}.json`)),
    );
    const texts = Promise.all(all).then(() => undefined);
    texts.catch(() => opened.delete(pages));
    return { search, texts };
  });
  opening.catch(() => opened.delete(pages));
  opened.set(pages, opening);
  return opening;
}

async function fetchJson<T>(address: string): Promise<T> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}
