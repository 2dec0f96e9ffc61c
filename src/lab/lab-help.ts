// Hints and solutions that were asked for, and what is left of the points.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { SavedLab } from "./protocol.ts";
import { type ScoreView, scoreOf } from "./score.ts";
import type { HelpVerbs, StepView } from "./session.ts";

/** What help needs of its session. */
export interface HelpSession {
  readonly steps: ReadonlySignal<readonly StepView[]>;
  readonly examOn: ReadonlySignal<boolean>;
  readonly capstone: ReadonlySignal<boolean>;
  /** What was asked for is to be remembered. */
  keep(): void;
}

type KeptHelp = Pick<SavedLab, "hints" | "solutions">;

export class LabHelp implements HelpVerbs {
  readonly #session: HelpSession;
  readonly #hints: Signal<ReadonlyMap<string, number>> = signal(new Map());
  readonly #solutions: Signal<ReadonlySet<string>> = signal(new Set());
  /** Hints shown, by step. */
  readonly hints: ReadonlySignal<ReadonlyMap<string, number>> = this.#hints;
  /** Steps whose solution was asked for. */
  readonly solutions: ReadonlySignal<ReadonlySet<string>> = this.#solutions;
  readonly score: ReadonlySignal<ScoreView>;

  constructor(session: HelpSession) {
    this.#session = session;
    this.score = computed(() => scoreOf(session.steps.value));
  }

  showHint(stepId: string): void {
    if (this.#session.examOn.value) return;
    const hints = new Map(this.#hints.value);
    hints.set(stepId, (hints.get(stepId) ?? 0) + 1);
    this.#hints.value = hints;
    this.#session.keep();
  }

  showSolution(stepId: string): void {
    if (this.#session.examOn.value || this.#session.capstone.value) return;
    this.#solutions.value = new Set(this.#solutions.value).add(stepId);
    this.#session.keep();
  }

  /** As it was kept with a run. */
  take({ hints, solutions }: KeptHelp): void {
    this.#hints.value = new Map(Object.entries(hints));
    this.#solutions.value = new Set(solutions);
  }

  kept(): KeptHelp {
    return { hints: Object.fromEntries(this.#hints.value), solutions: [...this.#solutions.value] };
  }
}
