// What comes between the choice of a node and the Binding object: plugins that write something first, and wait until others have
// done their part (Reserve and PreBind). The Pod counts as placed meanwhile; the loop goes on with others.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Simulation } from "#sim/simulation.ts";
import { type PreBinding, PreBindingError } from "./framework.ts";

/** How often it is asked whether all is done. */
const pollMs = 1_000;

export interface BindingOutcome {
  /** How long it is waited for (`bindTimeoutSeconds`); 0: not at all. */
  readonly timeoutMs: number;
  /** The Pod is still there and waits. */
  readonly isWanted: () => boolean;
  readonly bound: () => void;
  readonly failed: (message: string) => void;
}

/** Writes what the plugins want to have written and waits. Nothing is told about a Pod that is gone. */
export function runPreBindings(simulation: Simulation, steps: readonly PreBinding[], outcome: BindingOutcome): void {
  const end = (): void => {
    for (const step of steps) step.end();
  };
  const attempt = (act: () => boolean): boolean | undefined => {
    try {
      return act();
    } catch (error) {
      const isExpected = error instanceof ApiError || error instanceof ApiUnreachable || error instanceof PreBindingError;
      if (!isExpected) throw error;
      end();
      outcome.failed(error.message);
      return undefined;
    }
  };
  const begun = attempt(() => {
    for (const step of steps) step.begin();
    return true;
  });
  if (begun === undefined) return;
  const deadlineMs = simulation.nowMs + outcome.timeoutMs;
  const poll = (): void => {
    if (!outcome.isWanted()) {
      end();
      return;
    }
    const done = attempt(() => steps.every((step) => step.isDone()));
    if (done === undefined) return;
    if (done) {
      end();
      outcome.bound();
    } else if (simulation.nowMs >= deadlineMs) {
      end();
      outcome.failed("binding volumes: context deadline exceeded");
    } else simulation.after(pollMs, poll, { background: true });
  };
  simulation.after(Math.min(pollMs, outcome.timeoutMs), poll);
}
