// What the classroom's pages know of the course, in one language: made at build time, written into the page.

export interface CourseOutline {
  readonly parts: readonly OutlinePart[];
  readonly labs: { readonly [lab: string]: OutlineLab };
}

export interface OutlinePart {
  readonly slug: string;
  readonly number: number;
  readonly title: string;
  readonly lessons: readonly OutlineLesson[];
}

export interface OutlineLesson {
  /** As progress is kept under: the lesson's, or its lab's for a capstone. */
  readonly slug: string;
  /** `<part>/<lesson>`, as in addresses. */
  readonly place: string;
  readonly title: string;
  readonly isCapstone: boolean;
}

export interface OutlineLab {
  readonly title: string;
  /** `<part>/<lesson>` of the page that has the lab; undefined where there is none. */
  readonly place?: string;
  readonly steps: readonly OutlineStep[];
}

export interface OutlineStep {
  readonly id: string;
  readonly title: string;
  /** Points without any help. */
  readonly most: number;
}

/** As much of the labs as a learner's exam needs. */
export interface ExamLabs {
  readonly [lab: string]: { readonly title: string; readonly place?: string; readonly steps: number; readonly most: number };
}

export function lessonsOf({ parts }: CourseOutline): readonly OutlineLesson[] {
  return parts.flatMap(({ lessons }) => lessons);
}

/** The lesson at a place, `<part>/<lesson>`. */
export function lessonAt(outline: CourseOutline, place: string): OutlineLesson | undefined {
  return lessonsOf(outline).find((lesson) => lesson.place === place);
}

/** A step's title; its id where the lab has no such step any more. */
export function stepTitle({ labs }: CourseOutline, lab: string, step: string): string {
  return labs[lab]?.steps.find(({ id }) => id === step)?.title ?? step;
}

/** Points of all steps of a lab. */
export function mostIn({ labs }: CourseOutline, lab: string): number {
  return (labs[lab]?.steps ?? []).reduce((sum, { most }) => sum + most, 0);
}

export function labTitle({ labs }: CourseOutline, lab: string): string {
  return labs[lab]?.title ?? lab;
}
