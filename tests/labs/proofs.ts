// What is proven of every lab: the start passes no step, the solution passes each step in order, every wrong attempt
// leaves just its checks unmet, and the texts exist in all four languages.

import { describe, expect, it } from "vitest";
import { bundleLab, labFromSources, labIds, labLocales, labTextsFromSources } from "#lab/catalog.ts";
import { readLabSources } from "../labs.ts";
import { playTo, settle, start, unmetNow, watch } from "./attempt.ts";
import { untriedAlone } from "./proof.ts";

const sources = readLabSources();

/** In the usual cluster the Pods of the add-ons are on other nodes with each: metrics-server on node-3, node-2, node-1. */
const seeds = [7, 8, 12];

/** The labs whose names begin within a range of letters: the proofs take as long as the rest of the tests, so two files share them. */
export function proveLabs(first: string, last: string): void {
  describe.each(labIds(sources).filter((id) => id >= first && id.slice(0, 1) <= last))("lab %s", proveLab);
}

function proveLab(id: string): void {
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

  it.each(seeds)("passes each step in order by its solution, with seed %s", (seed) => {
    const attempt = start(lab, seed);
    for (const [index, step] of lab.steps.entries()) {
      const results = attempt.typist.runScript(step.solution);
      settle(attempt);
      expect({ step: step.id, passed: attempt.run.passedSteps, unmet: unmetNow(attempt, step.id), results }).toMatchObject({
        passed: index + 1,
        unmet: [],
      });
    }
    expect(attempt.run.finished).toBe(true);
  });

  const otherWays = lab.steps.flatMap((step, index) => step.ways.map((commands) => ({ step: step.id, index, commands })));
  it.each(otherWays)("passes $step as well with: $commands", ({ step, index, commands }) => {
    const attempt = playTo(lab, index);
    const results = attempt.typist.runScript(commands);
    settle(attempt);
    expect({ passed: attempt.run.passedSteps, unmet: unmetNow(attempt, step), results }).toMatchObject({
      passed: index + 1,
      unmet: [],
    });
  });

  it("has for every check a wrong attempt that fails it alone", () => {
    expect(untriedAlone(lab)).toEqual([]);
  });

  const wrongAttempts = lab.steps.flatMap((step, index) =>
    step.wrong.map((wrong) => ({ name: `${step.id}: ${wrong.id}`, step, index, wrong })),
  );
  it.each(wrongAttempts)("stays open after the wrong attempt $name", ({ step, index, wrong }) => {
    const attempt = playTo(lab, index);
    expect(attempt.run.passedSteps).toBe(index);
    // Between two lines a person may have the step right, and it passes; within one there must be no such moment.
    if (!wrong.commands.trim().includes("\n")) watch(attempt);
    attempt.typist.runScript(wrong.commands);
    settle(attempt);
    expect(unmetNow(attempt, step.id).map(({ check }) => check)).toEqual([...wrong.fails]);
    expect(attempt.run.passedSteps).toBe(index);
  });
}
