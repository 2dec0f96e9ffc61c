// What a teacher enters for a new exam, and what is wrong with it; how an exam stands.

import type { Exam, NewExam } from "../../wire.ts";

export type ExamStand = "before" | "open" | "over";

export function standOf({ opensAt, closesAt }: Pick<Exam, "opensAt" | "closesAt">, nowMs: number): ExamStand {
  if (nowMs < opensAt) return "before";
  return nowMs < closesAt ? "open" : "over";
}

export interface ExamDraft {
  readonly title: string;
  readonly labs: readonly string[];
  readonly opensAt: number | null;
  readonly closesAt: number | null;
  /** NaN while the field holds no number. */
  readonly minutes: number;
}

const hourMs = 3_600_000;
export const mostLabs = 20;
export const mostMinutes = 600;

/** From the next full hour on, for two hours. */
export function freshDraft(nowMs: number): ExamDraft {
  const opensAt = Math.ceil(nowMs / hourMs) * hourMs;
  return { title: "", labs: [], opensAt, closesAt: opensAt + 2 * hourMs, minutes: 60 };
}

export type DraftTrouble = "labsNone" | "timesMissing" | "wrong" | "past";

/** Undefined where the server would take it. */
export function troubleIn({ labs, opensAt, closesAt }: ExamDraft, nowMs: number): DraftTrouble | undefined {
  if (opensAt === null || closesAt === null) return "timesMissing";
  if (closesAt <= opensAt) return "wrong";
  if (closesAt <= nowMs) return "past";
  return labs.length === 0 ? "labsNone" : undefined;
}

/** Undefined while something is missing. */
export function examOf({ title, labs, opensAt, closesAt, minutes }: ExamDraft): NewExam | undefined {
  if (opensAt === null || closesAt === null || !Number.isInteger(minutes)) return undefined;
  return { title: title.trim(), labs: [...labs], opensAt, closesAt, minutes };
}
