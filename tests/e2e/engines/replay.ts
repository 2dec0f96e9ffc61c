// A run that was shared, lived through once more: bundled, this module does it in any JavaScript engine.

import type { LabDefinition } from "#lab/definition.ts";
import { readLink } from "#lab/lab-file.ts";
import { labRun, makeWorld, prepareWorld } from "#lab/lab-world.ts";
import { Journal } from "#sim/journal.ts";
import type { WorldInput } from "#world/input.ts";
import { provideTools } from "#world/tools.ts";

/** Whatever a learner or a check could see at the end: what each terminal showed, each step, each object. */
export async function replay(lab: LabDefinition, link: string): Promise<string> {
  provideTools();
  const read = await readLink(lab.id, link);
  if (!read.ok) throw new Error(`the link is ${read.refusal}`);
  const world = makeWorld(lab, read.saved);
  const { simulation } = world;
  const shown = new Map<string, string[]>();
  world.onTerminalOutput.add((terminal, bytes) => {
    const pieces = shown.get(terminal) ?? [];
    shown.set(terminal, pieces);
    for (const byte of bytes) pieces.push(String.fromCharCode(byte));
  });
  prepareWorld(world, lab);
  const run = labRun(world, lab);
  world.onChange.add(() => {
    run.observe();
    run.evaluate();
  });
  new Journal<WorldInput>(simulation, (input) => world.apply(input)).replay(read.saved.entries, read.saved.nowMs);
  const objects = [...world.cluster.apiServer.store.tables].flatMap(([resource, table]) =>
    table.list("").map((object) => `${resource} ${JSON.stringify(object)}`),
  );
  const screens = [...shown].map(([terminal, pieces]) => `terminal ${terminal}\n${pieces.join("")}`);
  return [
    `${simulation.nowMs} ms, ${simulation.processedEvents} events`,
    ...screens,
    ...run.steps.map((step) => JSON.stringify(step)),
    ...objects,
  ].join("\n");
}
