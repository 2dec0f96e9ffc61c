// A lab held as an exam: its rules, the clock on the wall, its end. An exam that a classroom holds gives no help even after its end, and
// closes the lab then.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { StepDefinition } from "./definition.ts";
import {
  afterLook,
  type ExamCount,
  type ExamRules,
  type ExamView,
  examView,
  type HeldExam,
  heldView,
  type SavedExam,
  usualRules,
} from "./exam.ts";
import type { StepState } from "./lab-run.ts";
import type { SavedLab } from "./protocol.ts";
import { mostOf } from "./score.ts";
import type { ExamVerbs } from "./session.ts";
import type { LabBundle } from "./texts.ts";

/** What an exam needs of its session. */
export interface ExamSession {
  /** Of a class; undefined where the learner begins and ends exams. */
  readonly held: HeldExam | undefined;
  readonly bundle: ReadonlySignal<LabBundle | undefined>;
  readonly states: ReadonlySignal<readonly StepState[]>;
  /** The clock on the wall, milliseconds since the epoch. */
  wallMs(): number;
  /** Before a replay is done nothing can be said of steps. */
  isStarting(): boolean;
  /** Puts a new cluster in place of this one, with the exam on. */
  begin(exam: SavedExam): void;
  /** How the exam stands is to be remembered. */
  keep(): void;
  /** A held exam is over: nothing happens in the world any more. */
  stop(): void;
}

export class LabExam implements ExamVerbs {
  readonly #session: ExamSession;
  readonly #exam: Signal<SavedExam | undefined> = signal(undefined);
  readonly held: HeldExam | undefined;
  readonly #closed = signal(false);
  readonly closed: ReadonlySignal<boolean> = this.#closed;
  readonly view: ReadonlySignal<ExamView | undefined>;
  readonly rules: ReadonlySignal<ExamRules | undefined>;
  readonly on = computed(
    () => this.held !== undefined || (this.#exam.value !== undefined && this.#exam.value.passedSteps === undefined),
  );
  /** It has its result. */
  readonly over = computed(() => this.#exam.value?.passedSteps !== undefined);

  constructor(session: ExamSession) {
    this.#session = session;
    const { held } = session;
    this.held = held;
    this.view = computed(() => {
      if (held !== undefined) return heldView(held);
      return this.#exam.value && examView(this.#exam.value, this.#all);
    });
    this.rules = computed(() => {
      if (held !== undefined) return undefined;
      const definition = session.bundle.value?.definition;
      const count = definition?.steps.length ?? 0;
      return count === 0 ? undefined : (definition?.exam ?? usualRules(count));
    });
  }

  nowMs(): number {
    return this.#session.wallMs();
  }

  start(rules: ExamRules): void {
    if (this.held !== undefined) return;
    this.#session.begin({ ...rules, startedMs: this.#session.wallMs() });
  }

  look(): void {
    if (this.held !== undefined) {
      if (this.#closed.peek() || this.#session.wallMs() < this.held.endsMs) return;
      this.#closed.value = true;
      this.#session.stop();
      return;
    }
    const exam = this.#exam.value;
    if (exam === undefined || this.#session.isStarting()) return;
    const passedIds = new Set(this.#session.states.value.filter(({ passed }) => passed).map(({ id }) => id));
    const passed = this.#count(({ id }) => passedIds.has(id));
    const after = afterLook(exam, this.#session.wallMs(), passed, this.#all);
    if (after === exam) return;
    this.#exam.value = after;
    this.#session.keep();
  }

  /** As it was kept with a run. */
  take(exam: SavedExam | undefined): void {
    this.#exam.value = this.held === undefined ? exam : undefined;
  }

  kept(): Pick<SavedLab, "exam"> {
    return this.#exam.value === undefined ? {} : { exam: this.#exam.value };
  }

  get #all(): ExamCount {
    return this.#count(() => true);
  }

  /** Steps of the lab and the points that they are worth without help. */
  #count(counts: (step: StepDefinition) => boolean): ExamCount {
    const steps = (this.#session.bundle.value?.definition.steps ?? []).filter(counts);
    return { steps: steps.length, points: steps.reduce((sum, step) => sum + mostOf(step), 0) };
  }
}
