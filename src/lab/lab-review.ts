// The review of a lab that is over: steps with what was done in them, and where the cluster is not as the reference's.

import { computed, type ReadonlySignal } from "@preact/signals";
import type { StepState } from "./lab-run.ts";
import type { LabJournalEntry } from "./protocol.ts";
import type { Answer, Asked, QuestionName } from "./questions.ts";
import type { ReferenceRun } from "./reference-run.ts";
import { commandsByStep, differencesBetween, stepAt } from "./review.ts";
import type { ObjectDifference, ReviewStep, ReviewVerbs, StepView } from "./session.ts";
import type { LabBundle } from "./texts.ts";

/** What the review needs of its session. */
export interface ReviewSession {
  ask<Name extends QuestionName>(name: Name, asked: Asked<Name>): Promise<Answer<Name>>;
  readonly steps: ReadonlySignal<readonly StepView[]>;
  /** An exam that has its result. */
  readonly examOver: ReadonlySignal<boolean>;
  readonly examOn: ReadonlySignal<boolean>;
  bundle(): LabBundle | undefined;
  states(): readonly StepState[];
  entries(): readonly LabJournalEntry[];
  reference(): Promise<ReferenceRun>;
}

export class LabReview implements ReviewVerbs {
  readonly #session: ReviewSession;
  readonly open: ReadonlySignal<boolean>;

  constructor(session: ReviewSession) {
    this.#session = session;
    this.open = computed(() => {
      const steps = session.steps.value;
      const done = steps.length > 0 && steps.every(({ status }) => status === "passed");
      return !session.examOn.value && (done || session.examOver.value);
    });
  }

  async steps(): Promise<readonly ReviewStep[]> {
    this.#demandOpen();
    const lines = await this.#session.ask("lines", {});
    const states = this.#session.states();
    const bundle = this.#session.bundle();
    const commands = commandsByStep(
      stepAt(states, bundle?.definition.capstone === true),
      states.length,
      lines,
      this.#session.entries(),
    );
    return this.#session.steps.value.flatMap((view, index): readonly ReviewStep[] => {
      const definition = bundle?.definition.steps[index];
      const texts = bundle?.steps[view.id];
      if (definition === undefined || texts === undefined) return [];
      return [
        {
          id: view.id,
          title: view.title,
          passed: view.status === "passed",
          reached: states[index]?.openedMs !== undefined,
          points: view.status === "passed" ? view.worth : 0,
          commands: commands[index] ?? [],
          solution: definition.solution,
          whyHtml: texts.solutionHtml,
          lesson: texts.lesson,
          missing: view.missing,
        },
      ];
    });
  }

  async differences(): Promise<readonly ObjectDifference[]> {
    this.#demandOpen();
    const [mine, reference] = await Promise.all([this.#session.ask("compared", {}), this.#session.reference()]);
    return differencesBetween(mine, reference.objects);
  }

  #demandOpen(): void {
    if (!this.open.value) throw new Error("a lab is reviewed when it is over");
  }
}
