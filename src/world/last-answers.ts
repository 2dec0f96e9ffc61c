// Questions whose answers take time, asked by those who cannot wait: a reader gets the last answer, and the question is put
// again for as long as it is read.

import type { Simulation } from "#sim/simulation.ts";

const firstWaitMs = 2000;
const longestWaitMs = 10_000;
/** An older answer says nothing of the present. */
const outdatedMs = 30_000;

interface Asked<Answer> {
  answer: Answer | undefined;
  answeredMs: number;
  waitMs: number;
  isUnderWay: boolean;
}

export class LastAnswers<Answer> {
  readonly #simulation: Simulation;
  readonly #onAnswer: () => void;
  readonly #asked = new Map<string, Asked<Answer>>();

  /** `onAnswer`: an answer is different, or is to be read again. */
  constructor(simulation: Simulation, onAnswer: () => void) {
    this.#simulation = simulation;
    this.#onAnswer = onAnswer;
  }

  /** The last answer; undefined while there is none. `ask` puts the question, and may answer at once. */
  read(question: string, ask: (done: (answer: Answer) => void) => void): Answer | undefined {
    const { nowMs } = this.#simulation;
    let asked = this.#asked.get(question);
    if (asked === undefined || (!asked.isUnderWay && nowMs - asked.answeredMs > outdatedMs)) {
      asked = { answer: undefined, answeredMs: Number.NEGATIVE_INFINITY, waitMs: firstWaitMs, isUnderWay: false };
      this.#asked.set(question, asked);
    }
    if (!asked.isUnderWay && nowMs - asked.answeredMs >= asked.waitMs) this.#ask(asked, ask);
    return asked.answer;
  }

  /** Something has happened that may change answers: the next look is near. */
  stir(): void {
    for (const asked of this.#asked.values()) asked.waitMs = firstWaitMs;
  }

  #ask(asked: Asked<Answer>, ask: (done: (answer: Answer) => void) => void): void {
    asked.isUnderWay = true;
    ask((answer) => {
      const isNew = JSON.stringify(answer) !== JSON.stringify(asked.answer);
      asked.waitMs = isNew ? firstWaitMs : Math.min(asked.waitMs * 2, longestWaitMs);
      asked.answer = answer;
      asked.answeredMs = this.#simulation.nowMs;
      asked.isUnderWay = false;
      if (isNew) this.#onAnswer();
      this.#simulation.after(asked.waitMs, () => this.#onAnswer(), { background: true });
    });
  }
}
