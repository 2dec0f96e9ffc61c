// The world of a lab: its cluster, the learner's files, the set-up done, the steady clients at work.

import { lateMachineTools } from "#world/late-machine-tools.ts";
import { World } from "#world/world.ts";
import type { LabDefinition } from "./definition.ts";
import { LabRun } from "./lab-run.ts";

/** The world before anything has happened in it: for whoever wants to see that too. */
export function makeWorld(lab: LabDefinition, at: { readonly startMs: number; readonly seed: number }): World {
  return new World({ ...lab.cluster, files: lab.files, startMs: at.startMs, seed: at.seed });
}

/** The learner's way through a lab in its world. Throws when an expression of the lab is not CEL. */
export function labRun(world: World, lab: LabDefinition, openedMs?: number): LabRun {
  const run = new LabRun(lab, world.observable, openedMs);
  run.onFault.add((fault) => void world.simulation.faults.note("lab", "a check", fault));
  run.onOpen.add(({ tags = {}, power = {}, cables = {}, watches = {} }) => {
    for (const [name, to] of Object.entries(tags)) world.cluster.registry.moveTag(name, to);
    for (const [node, change] of Object.entries(power)) world.cluster.powerOf(node)?.[change]();
    for (const [node, change] of Object.entries(cables)) world.cluster.node(node)?.network.cable[change]();
    for (const [copy, delay] of Object.entries(watches)) {
      const [component = "", resource = ""] = copy.split("/");
      lateMachineTools.code.setWatchDelay(world.cluster.watchDelays, { component, resource, delay });
    }
  });
  return run;
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
