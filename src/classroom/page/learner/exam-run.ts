// A learner's run of an exam's lab in this browser: where it is kept, how it begins, and whether it goes on here or as the server has it.

import { type SavedLab, savedFormat } from "#lab/protocol.ts";
import type { OwnExam } from "../../wire.ts";
import { hasMore, inCommon } from "./two-runs.ts";

/** What the browser keeps the run under; the outbox's notes of an exam are kept under `exam`. */
export const runName = (exam: string, lab: string): string => `exam.${exam}.${lab}`;
export const outboxPlace = (exam: string) => ({ kept: `exam.${exam}`, path: `exams/${exam}/runs/` });

/** The same in every browser of the learner's; undefined where the lab is none of the exam's, or it has not begun. */
export function freshRun({ sitting }: OwnExam, lab: string): SavedLab | undefined {
  const seed = sitting?.seeds[lab];
  if (sitting === null || seed === undefined) return undefined;
  const startMs = Math.floor(sitting.begunAt / 1000) * 1000;
  return { format: savedFormat, seed, startMs, nowMs: startMs, entries: [], hints: {}, solutions: [] };
}

export interface RunsFound {
  readonly fresh: SavedLab;
  readonly own: SavedLab | undefined;
  /** What the server has; undefined also when it could not be asked. */
  readonly held: SavedLab | undefined;
  /** Something of `own` is still to be sent. */
  readonly isUnsent: boolean;
}

/** The run that goes on: the one that holds all of the other. Where both have gone their own ways, what is here and was never sent is
 * opened; the server's stays as it is until the learner has chosen. */
export function runToGoOn({ fresh, own, held, isUnsent }: RunsFound): SavedLab {
  const [here, there] = [own, held].map((run) => (run !== undefined && isOfExam(run, fresh) ? run : undefined));
  if (here === undefined || there === undefined) return here ?? there ?? fresh;
  if (inCommon(there.entries, here.entries) === there.entries.length) return here;
  if (!hasMore(here, there)) return there;
  return isUnsent || !hasMore(there, here) ? here : there;
}

function isOfExam(run: SavedLab, fresh: SavedLab): boolean {
  return run.seed === fresh.seed && run.startMs === fresh.startMs && run.format === fresh.format;
}
