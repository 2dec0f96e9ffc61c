// What is proven of every lab: the start passes no step, the solution passes each step in order, every wrong attempt
// leaves just its checks unmet, and the texts exist in all four languages.

import { describe, expect, it } from "vitest";
import { bundleLab, labFromSources, labIds, labLocales, labTextsFromSources } from "#lab/catalog.ts";
import type { LabDefinition } from "#lab/definition.ts";
import { LabRun } from "#lab/lab-run.ts";
import { World } from "#world/world.ts";
import { readLabSources } from "../labs.ts";
import { Typist } from "../typist.ts";

const sources = readLabSources();
/** Long enough for whatever a step's commands set in motion to settle. */
const settleMs = 120_000;

interface Attempt {
  readonly world: World;
  readonly run: LabRun;
  readonly typist: Typist;
}

function start(lab: LabDefinition): Attempt {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: lab.nodes, files: lab.files });
  world.boot();
  world.runSetup(lab.setup);
  const run = new LabRun(lab, world.observable);
  world.onChange = () => run.observe();
  run.evaluate();
  return { world, run, typist: new Typist(world) };
}

function settle({ world, run }: Attempt): void {
  const { simulation } = world;
  const end = simulation.nowMs + settleMs;
  while (simulation.nowMs < end) {
    simulation.advance(1000);
    run.evaluate();
  }
}

/** Plays the solutions of the steps before `count`, each to its pass. */
function playTo(lab: LabDefinition, count: number): Attempt {
  const attempt = start(lab);
  for (const step of lab.steps.slice(0, count)) {
    attempt.typist.runScript(step.solution);
    settle(attempt);
  }
  return attempt;
}

describe.each(labIds(sources))("lab %s", (id) => {
  const lab = labFromSources(sources, id);

  it.each(labLocales)("has texts in %s for every step, check and value", (locale) => {
    const texts = labTextsFromSources(sources, lab, locale);
    expect(Object.keys(texts.steps)).toEqual(lab.steps.map((step) => step.id));
    expect(bundleLab(sources, id, locale).definition).toEqual(lab);
  });

  it("passes no step at its start", () => {
    const attempt = start(lab);
    expect(attempt.run.passedSteps).toBe(0);
    for (const step of lab.steps) expect(attempt.run.unmetChecks(step.id), step.id).not.toEqual([]);
  });

  it("passes each step in order by its solution", () => {
    const attempt = start(lab);
    for (const [index, step] of lab.steps.entries()) {
      const results = attempt.typist.runScript(step.solution);
      settle(attempt);
      expect({ step: step.id, passed: attempt.run.passedSteps, unmet: attempt.run.unmetChecks(step.id), results }).toMatchObject({
        passed: index + 1,
        unmet: [],
      });
    }
    expect(attempt.run.finished).toBe(true);
  });

  const wrongAttempts = lab.steps.flatMap((step, index) =>
    step.wrong.map((wrong) => ({ name: `${step.id}: ${wrong.id}`, step, index, wrong })),
  );
  it.each(wrongAttempts)("stays open after the wrong attempt $name", ({ step, index, wrong }) => {
    const attempt = playTo(lab, index);
    expect(attempt.run.passedSteps).toBe(index);
    attempt.typist.runScript(wrong.commands);
    settle(attempt);
    expect(attempt.run.unmetChecks(step.id).map(({ check }) => check)).toEqual([...wrong.fails]);
    expect(attempt.run.passedSteps).toBe(index);
  });
});
