// What the build writes for search and the browser reads: one file of heads per language, and the lessons' texts in one file per part.

export interface SearchHeads {
  /** In the course's order; a part's texts are asked for by its slug. */
  readonly parts: readonly { readonly slug: string; readonly title: string }[];
  /** In the course's order. */
  readonly lessons: readonly LessonHead[];
  readonly words: readonly WordHead[];
}

export interface LessonHead {
  /** "workloads/deployment-create". */
  readonly path: string;
  /** Which of `parts`. */
  readonly part: number;
  readonly title: string;
  readonly summary: string;
  /** Anchor and words of each heading. */
  readonly sections: readonly (readonly [anchor: string, title: string])[];
}

/** A word of the terminology. */
export interface WordHead {
  /** The language's own rendering, the English word, then what else readers call it. */
  readonly forms: readonly string[];
  /** One sentence, where a lesson explains the word; it may hold `code`. */
  readonly means?: string;
  /** Where it stands on the glossary page. */
  readonly anchor?: string;
  /** Which of `lessons` explain it. */
  readonly lessons: readonly number[];
}

/** Texts of a part's lessons, in their order: what stands before the first heading, then each section's text. */
export type PartTexts = readonly (readonly string[])[];
