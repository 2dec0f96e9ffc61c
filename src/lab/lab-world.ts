// The world of a lab: its cluster, the learner's files, the set-up done, the steady clients at work.

import { World } from "#world/world.ts";
import type { LabDefinition } from "./definition.ts";

/** The world before anything has happened in it: for who wants to see that too. */
export function makeWorld(lab: LabDefinition, at: { readonly startMs: number; readonly seed: number }): World {
  return new World({ ...lab.cluster, files: lab.files, startMs: at.startMs, seed: at.seed });
}

/** Until the learner comes. Throws when the cluster does not come up or the set-up fails. */
export function prepareWorld(world: World, lab: LabDefinition): void {
  world.boot();
  world.runSetup(lab.setup);
  world.startTraffic(lab.traffic);
}

/** A world in which the learner has just come. Throws as `prepareWorld` does. */
export function startWorld(lab: LabDefinition, at: { readonly startMs: number; readonly seed: number }): World {
  const world = makeWorld(lab, at);
  prepareWorld(world, lab);
  return world;
}
