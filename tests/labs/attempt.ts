// A learner's attempt at a lab: a world, the lab's run in it, and someone who types.

import type { LabDefinition } from "#lab/definition.ts";
import type { LabRun, UnmetCheck } from "#lab/lab-run.ts";
import { labRun, startWorld } from "#lab/lab-world.ts";
import type { World } from "#world/world.ts";
import { Typist } from "../typist.ts";

/** Long enough for whatever a step's commands set in motion to settle. */
const settleMs = 120_000;
/** As long goes by once a step has passed before the next one's commands, where it is not the step that is proved. */
const restMs = 20_000;
/** A request of a check is answered, or given up, in this time. */
const answerMs = 4000;
/** As soon after a change a lab in the browser looks at its checks. */
const lookMs = 100;

export interface Attempt {
  readonly world: World;
  readonly run: LabRun;
  readonly typist: Typist;
}

export function start(lab: LabDefinition, seed = 7): Attempt {
  const world = startWorld(lab, { startMs: Date.UTC(2026, 0, 15, 9), seed });
  const run = labRun(world, lab);
  world.onChange.add(() => run.observe());
  run.evaluate();
  return { world, run, typist: new Typist(world) };
}

/** From now on the checks are looked at after each change, as in the browser: a step that is right for a moment passes. */
export function watch({ world, run }: Attempt): void {
  let isDue = false;
  world.onChange.add(() => {
    if (isDue) return;
    isDue = true;
    const look = (): void => {
      isDue = false;
      run.evaluate();
    };
    world.simulation.after(lookMs, look, { background: true });
  });
}

/** With a step named: not much longer than until it has passed. */
export function settle({ world, run }: Attempt, stepId?: string): void {
  const { simulation } = world;
  let end = simulation.nowMs + settleMs;
  let waitsForPass = stepId !== undefined;
  while (simulation.nowMs < end) {
    simulation.advance(1000);
    run.evaluate();
    if (!waitsForPass || stepId === undefined || !run.hasPassed(stepId)) continue;
    waitsForPass = false;
    end = Math.min(end, simulation.nowMs + restMs);
  }
}

/** Checks of any step that do not hold, once what they ask over the network is answered: of a step that has passed nobody asks. */
export function unmetNow({ world, run }: Attempt, stepId: string): readonly UnmetCheck[] {
  run.unmetChecks(stepId);
  world.simulation.advance(answerMs);
  return run.unmetChecks(stepId);
}

/** Plays the solutions of the steps before `count`, each to its pass. */
export function playTo(lab: LabDefinition, count: number): Attempt {
  const attempt = start(lab);
  for (const step of lab.steps.slice(0, count)) {
    attempt.typist.runScript(step.solution);
    settle(attempt, step.id);
  }
  return attempt;
}
