// Lives a run through once more: the same world as the learner's, the same inputs at the same virtual times, the checks looked at by
// the same rules (`LabWatch`). A step has passed when it passes here.

import { docs } from "#cluster/api/generated/docs.ts";
import type { LabDefinition } from "#lab/definition.ts";
import { LabWatch } from "#lab/lab-watch.ts";
import { makeWorld, prepareWorld } from "#lab/lab-world.ts";
import { mostOf, worthOf } from "#lab/score.ts";
import type { Fault } from "#sim/faults.ts";
import { Journal } from "#sim/journal.ts";
import type { WorldInput } from "#world/input.ts";
import { type ReplayedStep, type ReplayRefusal, refuse } from "./replay-result.ts";
import type { SubmittedRun } from "./submitted-run.ts";

export type ReplayedRun = { readonly ok: true; readonly steps: readonly ReplayedStep[] } | ReplayRefusal;

/** The tools (`#world/tools.ts`) must be there, and `run` be of this lab's world. Throws when the lab's own set-up fails. */
export function replayRun(lab: LabDefinition, run: SubmittedRun): ReplayedRun {
  const world = makeWorld(lab, run);
  const faults: Fault[] = [];
  world.simulation.faults.contain((fault) => void faults.push(fault));
  for (const server of world.cluster.apiServers) server.docs = docs;
  prepareWorld(world, lab);
  const watch = new LabWatch(world, lab, () => {});
  const journal = new Journal<WorldInput>(world.simulation, (input) => world.apply(input));
  watch.begin();
  // What has passed stays passed: when all has, the rest changes nothing.
  journal.replay(run.entries, run.untilMs, () => faults.length === 0 && watch.run?.finished !== true);
  const [fault] = faults;
  if (fault !== undefined) return refuse("failed", wordsOf(fault));
  return {
    ok: true,
    steps: (watch.run?.steps ?? []).map(({ id, openedMs, passedMs }) => ({
      id,
      openedMs,
      passedMs,
      points: passedMs === undefined ? 0 : pointsOf(lab, run, id),
    })),
  };
}

/** As the lab's page counts them. */
function pointsOf(lab: LabDefinition, { hints, solutions }: SubmittedRun, stepId: string): number {
  const step = lab.steps.find(({ id }) => id === stepId);
  if (step === undefined) return 0;
  if (lab.capstone === true) return mostOf(step);
  return worthOf(new Map(hints).get(stepId) ?? 0, solutions.includes(stepId));
}

function wordsOf({ timeMs, room, subject, error }: Fault): string {
  return `${new Date(timeMs).toISOString()} ${room}: ${subject}\n${error.stack ?? error.message}`;
}
