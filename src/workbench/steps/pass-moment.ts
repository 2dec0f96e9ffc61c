// The moment after a step has passed: its checks are ticked one by one, then the next step opens. What was missing is remembered, so that
// it can be ticked.

import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { LabSession, MissingCheck } from "#lab/session.ts";

export interface PassMoment {
  /** The step that passed last since the lab was opened. */
  readonly step: string;
  /** How many of its sentences are ticked by now. */
  readonly ticked: number;
  /** All is ticked and the next step may open. */
  readonly over: boolean;
}

export interface SeenCheck extends MissingCheck {
  readonly met: boolean;
}

export interface PassMoments {
  readonly moment: ReadonlySignal<PassMoment | undefined>;
  /** What was said to be missing in a step, in the order it was first said, and what of it holds by now. */
  seen(stepId: string): readonly SeenCheck[];
  /** The reader has closed the step: nothing is new about it any more. */
  settle(): void;
  close(): void;
}

export interface Pace {
  /** No time between ticks: the reader wants no motion. */
  readonly calm: () => boolean;
  readonly schedule: (act: () => void, delayMs: number) => void;
}

const tickEveryMs = 180;
/** From the last tick to the next step. */
const restMs = 900;

export function createPassMoments(session: Pick<LabSession, "steps" | "state">, { calm, schedule }: Pace): PassMoments {
  const moment = signal<PassMoment | undefined>(undefined);
  const texts = new Map<string, Map<string, string>>();
  let known: ReadonlySet<string> | undefined;
  /** A moment that another one has overtaken goes no further. */
  let round = 0;

  const seen = (stepId: string): readonly SeenCheck[] => {
    const step = session.steps.value.find(({ id }) => id === stepId);
    return [...(texts.get(stepId) ?? [])].map(([check, text]) => ({ check, text, met: step?.met.includes(check) === true }));
  };
  const begin = (step: string, ticked: number): void => {
    round += 1;
    const mine = round;
    const all = texts.get(step)?.size ?? 0;
    const go = (next: PassMoment, delayMs: number): void => {
      schedule(() => {
        if (mine !== round) return;
        moment.value = next;
        if (next.over) return;
        if (next.ticked < all) go({ ...next, ticked: next.ticked + 1 }, tickEveryMs);
        else go({ ...next, over: true }, restMs);
      }, delayMs);
    };
    if (calm()) {
      moment.value = { step, ticked: all, over: true };
      return;
    }
    moment.value = { step, ticked, over: false };
    go(
      ticked < all ? { step, ticked: ticked + 1, over: false } : { step, ticked, over: true },
      ticked < all ? tickEveryMs : restMs,
    );
  };
  /** Which of a step's sentences were ticked before it passed. */
  let tickedBefore = new Map<string, number>();

  const stop = effect(() => {
    const steps = session.steps.value;
    if (session.state.value.kind !== "ready") {
      known = undefined;
      untracked(() => {
        round += 1;
        moment.value = undefined;
        texts.clear();
      });
      return;
    }
    const passed = new Set(steps.filter(({ status }) => status === "passed").map(({ id }) => id));
    const fresh = known === undefined ? [] : [...passed].filter((id) => known?.has(id) === false);
    known = passed;
    untracked(() => {
      const last = fresh.at(-1);
      if (last !== undefined) begin(last, tickedBefore.get(last) ?? 0);
      for (const { id, missing, status } of steps) {
        if (status === "passed") continue;
        const kept = texts.get(id) ?? new Map<string, string>();
        for (const { check, text } of missing) kept.set(check, text);
        texts.set(id, kept);
      }
      tickedBefore = new Map(steps.map(({ id }) => [id, seen(id).filter(({ met }) => met).length]));
    });
  });
  return {
    moment,
    seen,
    settle: () => {
      round += 1;
      moment.value = undefined;
    },
    close: () => {
      round += 1;
      stop();
    },
  };
}
