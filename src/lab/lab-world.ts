// The world of a lab: its cluster, the learner's files, the set-up done, the steady clients at work.

import { World } from "#world/world.ts";
import type { LabDefinition } from "./definition.ts";

/** A world in which the learner has just come. Throws when the cluster does not come up or the set-up fails. */
export function startWorld(lab: LabDefinition, at: { readonly startMs: number; readonly seed: number }): World {
  const world = new World({ ...lab.cluster, files: lab.files, startMs: at.startMs, seed: at.seed });
  world.boot();
  world.runSetup(lab.setup);
  world.startTraffic(lab.traffic);
  return world;
}
