// Progress of two places comes together: a file from another browser, or a place that goes on sharing it.

import {
  isRecord,
  type LessonProgress,
  noProgress,
  type Progress,
  readProgress,
  saveProgress,
  toLessonProgress,
} from "./progress.ts";
import type { Recall } from "./review/spacing.ts";

/** Takes up progress that another browser exported; what was passed in either counts as passed.
 * @returns false when the text is no exported progress. */
export function importProgress(text: string): boolean {
  const given = parse(text);
  if (!isRecord(given) || given["version"] !== 1 || !isRecord(given["lessons"])) return false;
  const own = readProgress();
  const lessons: Record<string, LessonProgress> = { ...own.lessons };
  for (const [slug, value] of Object.entries(given["lessons"]))
    lessons[slug] = joined(own.lessons[slug] ?? noProgress, toLessonProgress(value));
  saveProgress({ version: 1, lessons, last: own.last ?? (typeof given["last"] === "string" ? given["last"] : undefined) });
  return true;
}

/** Joins in what another place holds that shares this progress. Nothing is taken away, but for the word that a lesson is finished: of
 * `before`, which says what both held finished when they last agreed, the side that has changed it since decides. A last place that is
 * given is later than the own one. */
export function shareProgress(
  theirs: Pick<Progress, "lessons" | "last">,
  before: Readonly<Record<string, boolean | undefined>>,
): void {
  const own = readProgress();
  const lessons: Record<string, LessonProgress> = { ...own.lessons };
  for (const [slug, given] of Object.entries(theirs.lessons))
    lessons[slug] = shared(own.lessons[slug] ?? noProgress, given, own.lessons[slug] && before[slug]);
  const progress: Progress = { version: 1, lessons, last: theirs.last ?? own.last };
  if (JSON.stringify(progress) !== JSON.stringify(own)) saveProgress(progress);
}

function shared(own: LessonProgress, given: LessonProgress, before: boolean | undefined): LessonProgress {
  const both = joined(own, given);
  const decided = own.done === before ? given.done : own.done;
  const isDone = before === undefined ? both.done : decided;
  if (!isDone) return { ...both, done: false, doneDay: undefined };
  const days = [own, given].map(({ done, doneDay }) => (done ? doneDay : undefined));
  return { ...both, done: true, doneDay: earlier(days[0], days[1]) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function joined(a: LessonProgress, b: LessonProgress): LessonProgress {
  return {
    steps: [...new Set([...a.steps, ...b.steps])],
    questions: [...new Set([...a.questions, ...b.questions])],
    done: a.done || b.done,
    doneDay: earlier(a.doneDay, b.doneDay),
    recalls: { ...b.recalls, ...laterRecalls(a.recalls, b.recalls) },
    ...(a.lookBack === undefined ? {} : { lookBack: a.lookBack }),
  };
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Of a question answered in both places the later answer counts; on one day a wrong one, behind which there is no right one. */
function laterRecalls(a: LessonProgress["recalls"], b: LessonProgress["recalls"]): LessonProgress["recalls"] {
  const isLater = (own: Recall, other: Recall | undefined): boolean =>
    other === undefined || own.day > other.day || (own.day === other.day && own.box <= other.box);
  return Object.fromEntries(Object.entries(a).filter(([question, recall]) => isLater(recall, b[Number(question)])));
}
