// A lesson's progress as it goes over the wire, and back.

import type { LessonProgress } from "../../../course/progress.ts";
import type { LessonWork } from "../../wire.ts";

const most = 60;
const isStep = (step: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/.test(step);
const isQuestion = (question: number): boolean => Number.isInteger(question) && question >= 0 && question <= 200;
const isDay = (day: number): boolean => Number.isInteger(day) && day >= -100_000 && day <= 10_000_000;

/** Of the lessons a server takes. */
export const isLessonName = (lesson: string): boolean => /^[a-z0-9][a-z0-9-]{0,79}$/.test(lesson);

/** In an order that depends on nothing but what was done. What no course has, such as an imported file may hold, stays here. */
export function toWork({ steps, questions, done, doneDay, recalls }: LessonProgress): LessonWork {
  return {
    steps: [...steps].filter(isStep).sort().slice(0, most),
    questions: [...questions]
      .filter(isQuestion)
      .sort((a, b) => a - b)
      .slice(0, most),
    done,
    doneDay: done && doneDay !== undefined && isDay(doneDay) ? doneDay : null,
    recalls: Object.entries(recalls)
      .map(([question, { box, day }]) => ({ question: Number(question), box, day }))
      .filter(({ question, box, day }) => isQuestion(question) && Number.isInteger(box) && box >= 0 && box <= 9 && isDay(day))
      .slice(0, most),
  };
}

export function toProgress({ steps, questions, done, doneDay, recalls }: LessonWork): LessonProgress {
  return {
    steps,
    questions,
    done,
    doneDay: doneDay ?? undefined,
    recalls: Object.fromEntries(recalls.map(({ question, box, day }) => [question, { box, day }])),
  };
}

/** Whether both say the same. */
export function isSameWork(a: LessonWork, b: LessonWork | undefined): boolean {
  return b !== undefined && JSON.stringify(a) === JSON.stringify(toWork(toProgress(b)));
}
