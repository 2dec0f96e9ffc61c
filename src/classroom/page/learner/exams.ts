// The class's exams as the server last told them, and its clock: kept in the browser, so that a page without a connection knows them.

import type { OwnExam } from "../../wire.ts";
import type { ClassroomApi } from "./api.ts";
import { LearnerStore } from "./membership.ts";
import type { Sent } from "./sender.ts";

export interface KeptExams {
  readonly exams: readonly OwnExam[];
  /** The server's clock less this machine's, milliseconds. */
  readonly aheadMs: number;
}

/** `missed`: it is over, and the learner has not begun it. */
export type ExamState = "before" | "open" | "running" | "over" | "missed";

/** Name of the event that `document` fires when the server has told of exams. */
export const examsTold = "pilothouse:exams";
/** As long as the server takes what was done in time. */
const graceMs = 30_000;

export class Exams {
  readonly #api: ClassroomApi;
  readonly #store: LearnerStore<KeptExams>;
  #aheadMs = 0;

  constructor(api: ClassroomApi, learner: string) {
    this.#api = api;
    this.#store = new LearnerStore("exams", learner);
    const setClock = (): void => {
      this.#aheadMs = this.kept?.aheadMs ?? 0;
    };
    setClock();
    document.addEventListener(examsTold, setClock);
  }

  /** Undefined while the server has never told. */
  get kept(): KeptExams | undefined {
    return this.#store.read();
  }

  /** By the server's clock. */
  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  find(id: string): OwnExam | undefined {
    return this.kept?.exams.find((exam) => exam.id === id);
  }

  /** Exams of which the server still takes runs. */
  get taken(): readonly OwnExam[] {
    const nowMs = this.nowMs();
    return (this.kept?.exams ?? []).filter(({ sitting }) => sitting !== null && nowMs < sitting.endsAt + graceMs);
  }

  async ask(): Promise<Sent> {
    const answer = await this.#api.ask<readonly OwnExam[]>("GET", "exams");
    if (answer.kind === "later") return "later";
    if (answer.kind === "refused") return answer.refusal.error === "not-signed-in" ? "ended" : "done";
    this.#keep(answer.value);
    return "done";
  }

  /** One that has changed. */
  put(exam: OwnExam): void {
    const others = (this.kept?.exams ?? []).filter(({ id }) => id !== exam.id);
    this.#keep([...others, exam].sort((a, b) => a.opensAt - b.opensAt));
  }

  #keep(exams: readonly OwnExam[]): void {
    const aheadMs = exams.length === 0 ? 0 : Math.max(...exams.map(({ at }) => at)) - Date.now();
    this.#store.write({ exams, aheadMs });
    document.dispatchEvent(new CustomEvent(examsTold));
  }
}

export function examState({ opensAt, closesAt, sitting }: OwnExam, nowMs: number): ExamState {
  if (sitting !== null) return nowMs < sitting.endsAt ? "running" : "over";
  if (nowMs < opensAt) return "before";
  return nowMs < closesAt ? "open" : "missed";
}

/** Steps that the server has confirmed, of one lab or of all. */
export function confirmedIn({ results }: OwnExam, lab?: string): { readonly steps: number; readonly points: number } {
  const own = results.filter((result) => lab === undefined || result.lab === lab);
  return {
    steps: own.reduce((sum, { steps }) => sum + steps.length, 0),
    points: own.reduce((sum, { points }) => sum + points, 0),
  };
}
