// The reference solutions of a lab, played from its start in a world of their own: what the cluster would have come to, and what of earlier
// steps each solution undoes on its way.

import { storedObjects } from "#world/stored-objects.ts";
import { type ComparedObject, comparedObjects } from "./compared-objects.ts";
import type { LabDefinition } from "./definition.ts";
import { labRun, startWorld } from "./lab-world.ts";
import { Typist } from "./typist.ts";

export interface ReferenceRun {
  /** By step: checks of earlier steps that do not hold when its turn comes, as `step/check`. */
  readonly undone: { readonly [stepId: string]: readonly string[] };
  readonly objects: readonly ComparedObject[];
}

/** Long enough for whatever a step's commands set in motion to settle: as the lab's proof gives them. */
const settleMs = 120_000;
const lookMs = 1000;

/** Throws when a solution does not lead to its step's end in the world of that seed. */
export function playReference(lab: LabDefinition, at: { readonly startMs: number; readonly seed: number }): ReferenceRun {
  const world = startWorld(lab, at);
  const run = labRun(world, lab);
  world.onChange.add(() => run.observe());
  run.evaluate();
  const typist = new Typist(world, "reference");
  for (const { id, solution } of lab.steps) {
    if (!run.hasPassed(id)) typist.runScript(solution);
    const endMs = world.simulation.nowMs + settleMs;
    while (world.simulation.nowMs < endMs) {
      world.simulation.advance(lookMs);
      run.evaluate();
    }
    if (!run.hasPassed(id)) throw new Error(`lab ${lab.id}: the solution of ${id} does not pass with seed ${at.seed}`);
  }
  const undone = run.steps.map(({ id, undone: checks }) => [id, checks.map(({ step, check }) => `${step}/${check}`)] as const);
  return { undone: Object.fromEntries(undone), objects: comparedObjects(storedObjects(world)) };
}
