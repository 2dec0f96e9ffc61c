// A lab as an exam: so many minutes by the clock on the wall, no hints, no solutions, no way back; a result at the end.

/** How an exam is held: an author's words in `lab.yaml`, or what is usual. */
export interface ExamRules {
  readonly minutes: number;
  /** Percent of the points that must be reached; all steps of a lab count the same. */
  readonly pass: number;
}

/** How far one has come in an exam: what of it has passed, or all there is. */
export interface ExamCount {
  readonly steps: number;
  readonly points: number;
}

/** An exam as it is kept between visits: the clock goes on while the page is closed. */
export interface SavedExam extends ExamRules {
  /** By the clock on the wall, milliseconds since the epoch. */
  readonly startedMs: number;
  /** Present once it is over. */
  readonly passedSteps?: number | undefined;
  readonly points?: number | undefined;
}

/** An exam of a class, which its classroom holds: it is neither begun nor judged here. By the classroom's clock. */
export interface HeldExam {
  readonly id: string;
  readonly beganMs: number;
  readonly endsMs: number;
}

export interface ExamView extends ExamRules {
  readonly endsMs: number;
  readonly result: ExamResult | undefined;
}

export interface ExamResult {
  readonly passedSteps: number;
  readonly steps: number;
  readonly points: number;
  readonly most: number;
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

/** `all`: the whole lab. */
export function examView(exam: SavedExam, all: ExamCount): ExamView {
  return { minutes: exam.minutes, pass: exam.pass, endsMs: endOf(exam), result: resultOf(exam, all) };
}

/** Its result is not ours to tell, and nothing must be reached for one. */
export function heldView({ beganMs, endsMs }: HeldExam): ExamView {
  return { minutes: (endsMs - beganMs) / 60_000, pass: 0, endsMs, result: undefined };
}

function resultOf({ passedSteps, points: reached, pass }: SavedExam, { steps, points: most }: ExamCount): ExamResult | undefined {
  if (passedSteps === undefined) return undefined;
  // Exams of earlier visits were kept without points: their steps all count the same.
  const points = reached ?? (steps === 0 ? 0 : (passedSteps * most) / steps);
  const percent = most === 0 ? 0 : Math.round((points * 100) / most);
  return { passedSteps, steps, points, most, percent, good: percent >= pass };
}

/** The exam after a look at the clock: over when its time is up or nothing is left to do. */
export function afterLook(exam: SavedExam, nowMs: number, passed: ExamCount, all: ExamCount): SavedExam {
  const isOver = nowMs >= endOf(exam) || passed.steps === all.steps;
  return exam.passedSteps === undefined && isOver ? { ...exam, passedSteps: passed.steps, points: passed.points } : exam;
}

export function isSavedExam(value: unknown): value is SavedExam {
  if (typeof value !== "object" || value === null) return false;
  const { startedMs, minutes, pass, passedSteps, points } = value as Partial<SavedExam>;
  const isCount = (count: number | undefined): boolean => count === undefined || Number.isSafeInteger(count);
  return [startedMs, minutes, pass].every(Number.isFinite) && isCount(passedSteps) && isCount(points);
}
