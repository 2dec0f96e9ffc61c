// A lab as an exam: so many minutes by the clock on the wall, no hints, no solutions, no way back; a result at the end.

/** How an exam is held: an author's words in `lab.yaml`, or what is usual. */
export interface ExamRules {
  readonly minutes: number;
  /** Percent of the steps that must have passed. */
  readonly pass: number;
}

/** An exam as it is kept between visits: the clock goes on while the page is closed. */
export interface SavedExam extends ExamRules {
  /** By the clock on the wall, milliseconds since the epoch. */
  readonly startedMs: number;
  /** Present once it is over. */
  readonly passedSteps?: number | undefined;
}

export interface ExamView extends ExamRules {
  readonly endsMs: number;
  readonly result: ExamResult | undefined;
}

export interface ExamResult {
  readonly passedSteps: number;
  readonly steps: number;
  readonly percent: number;
  readonly good: boolean;
}

const minutesPerStep = 5;
const usualPass = 66;

export function usualRules(steps: number): ExamRules {
  return { minutes: steps * minutesPerStep, pass: usualPass };
}

export function endOf({ startedMs, minutes }: SavedExam): number {
  return startedMs + minutes * 60_000;
}

export function examView(exam: SavedExam, steps: number): ExamView {
  return { minutes: exam.minutes, pass: exam.pass, endsMs: endOf(exam), result: resultOf(exam, steps) };
}

function resultOf({ passedSteps, pass }: SavedExam, steps: number): ExamResult | undefined {
  if (passedSteps === undefined) return undefined;
  const percent = steps === 0 ? 0 : Math.round((passedSteps * 100) / steps);
  return { passedSteps, steps, percent, good: percent >= pass };
}

/** The exam after a look at the clock: over when its time is up or nothing is left to do. */
export function afterLook(exam: SavedExam, nowMs: number, passedSteps: number, steps: number): SavedExam {
  const isOver = nowMs >= endOf(exam) || passedSteps === steps;
  return exam.passedSteps === undefined && isOver ? { ...exam, passedSteps } : exam;
}

export function isSavedExam(value: unknown): value is SavedExam {
  if (typeof value !== "object" || value === null) return false;
  const { startedMs, minutes, pass, passedSteps } = value as Partial<SavedExam>;
  return [startedMs, minutes, pass].every(Number.isFinite) && (passedSteps === undefined || Number.isSafeInteger(passedSteps));
}
