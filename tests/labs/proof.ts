// What is proven of every lab, proof by proof: the start passes no step, the solution passes each step in order, so do its other ways,
// every wrong attempt leaves just its checks unmet, the texts exist in all four languages, and its lesson prints in each what stands in it.
// A capstone's tasks pass in several orders, and each by itself, no other with it.

import { bundleLab, type LabSources, labFromSources, labLocales, labTextsFromSources } from "#lab/catalog.ts";
import type { LabDefinition, StepDefinition, WrongAttempt } from "#lab/definition.ts";
import type { UnmetCheck } from "#lab/lab-run.ts";
import { type LessonText, lessonTexts, playLesson } from "../lessons/play.ts";
import type { TypedResult } from "../typist.ts";
import { type Attempt, playTo, settle, start, unmetNow, watch } from "./attempt.ts";

/** In the usual cluster the Pods of the add-ons are on other nodes with each: metrics-server on node-3, node-2, node-1. */
const seeds = [7, 8, 12] as const;

export interface Proof {
  /** A sentence, or the kind of an attempt and its name. */
  readonly title: string;
  /** The step that it is about. */
  readonly step?: string;
  /** What a learner is told is missing after the attempt. */
  readonly unmet: readonly UnmetCheck[];
  /** What is not as it must be, in lines; none when the proof holds. */
  readonly faults: readonly string[];
}

/** Each proof of a lab as it has been made, steps in the order of the file. Throws FileMistake for files that cannot be read. */
export function* proveLab(sources: LabSources, id: string): Generator<Proof> {
  const lab = labFromSources(sources, id);
  for (const locale of labLocales) yield proveTexts(sources, lab, locale);
  yield proof("the start passes no step", () => ({ faults: faultsOfStart(lab) }));
  const solutions = playSolutions(lab, seeds[0], lab.steps);
  for (const [index, step] of lab.steps.entries()) {
    yield solutions[index] ?? { title: "solution", step: step.id, unmet: [], faults: ["an earlier step did not pass"] };
    if (lab.capstone === true) yield proveWay(lab, index, step.solution, "solution alone");
    for (const commands of step.ways) yield proveWay(lab, index, commands, "way");
    for (const wrong of step.wrong) yield proveWrong(lab, index, wrong);
    yield proveTried(step);
  }
  for (const [turn, seed] of seeds.slice(1).entries()) {
    const order = lab.capstone === true ? otherOrder(lab.steps, turn) : lab.steps;
    const faults = playSolutions(lab, seed, order).flatMap(({ title, faults: found }) =>
      found.length > 0 ? [title, ...found] : [],
    );
    const inOrder = order === lab.steps ? "" : ` in the order ${order.map((step) => step.id).join(", ")}`;
    yield { title: `the solutions pass with seed ${seed}${inOrder}`, unmet: [], faults };
  }
  for (const text of lessonTexts(id)) yield proveLesson(text, lab);
}

/** What is proved of a lab where there is no time for all: one walk along its solutions, and its lesson in one language. */
export function* walkLab(sources: LabSources, id: string): Generator<Proof> {
  const lab = labFromSources(sources, id);
  yield* playSolutions(lab, seeds[0], lab.steps);
  for (const text of lessonTexts(id).slice(0, 1)) yield proveLesson(text, lab);
}

function proveLesson(text: LessonText, lab: LabDefinition): Proof {
  return proof(`its lesson runs as written: ${text.path}`, () => ({ faults: playLesson(text, lab) }));
}

/** From the last to the first; then the second half before the first. */
function otherOrder(steps: readonly StepDefinition[], turn: number): readonly StepDefinition[] {
  const half = Math.ceil(steps.length / 2);
  return turn === 0 ? steps.toReversed() : [...steps.slice(half), ...steps.slice(0, half)];
}

/** An attempt that ends in an error is one that has failed. */
function proof(title: string, make: () => { readonly unmet?: readonly UnmetCheck[]; readonly faults: readonly string[] }): Proof {
  try {
    return { title, unmet: [], ...make() };
  } catch (error) {
    return { title, unmet: [], faults: String(error instanceof Error ? error.stack : error).split("\n") };
  }
}

export function proveTexts(sources: LabSources, lab: LabDefinition, locale: (typeof labLocales)[number]): Proof {
  const texts = labTextsFromSources(sources, lab, locale);
  const steps = lab.steps.map(({ id }) => id).join(", ");
  const told = Object.keys(texts.steps).join(", ");
  const faults = told === steps ? [] : [`the steps are ${steps}; the texts are of ${told}`];
  const bundled = JSON.stringify(bundleLab(sources, lab.id, locale).definition);
  if (bundled !== JSON.stringify(lab)) faults.push("the lab that the site has is another");
  return { title: `texts in ${locale} for every step, check and value`, unmet: [], faults };
}

function faultsOfStart(lab: LabDefinition): readonly string[] {
  const { run } = playTo(lab, 0);
  const held = lab.steps.filter((step) => run.unmetChecks(step.id).length === 0);
  const faults = held.map((step) => `the start already fulfils step ${step.id}`);
  return run.passedSteps === 0 ? faults : [...faults, `${run.passedSteps} steps have passed`];
}

/** In which its steps may be done. */
export function ordersOf(lab: LabDefinition): readonly (readonly StepDefinition[])[] {
  return lab.capstone === true ? [lab.steps, otherOrder(lab.steps, 0), otherOrder(lab.steps, 1)] : [lab.steps];
}

/** One run through the lab: a proof a step, up to one that does not pass. */
export function playSolutions(lab: LabDefinition, seed: number, order: readonly StepDefinition[]): readonly Proof[] {
  const proofs: Proof[] = [];
  const attempt = start(lab, seed);
  for (const step of order) {
    const made = proof(`solution: ${firstLine(step.solution)}`, () => mustPass(attempt, step, step.solution));
    proofs.push({ ...made, step: step.id });
    if (!attempt.run.hasPassed(step.id)) break;
  }
  return proofs;
}

function proveWay(lab: LabDefinition, index: number, commands: string, kind: string): Proof {
  const step = lab.steps[index] as StepDefinition;
  const made = proof(`${kind}: ${firstLine(commands)}`, () => mustPass(begin(lab, index), step, commands));
  return { ...made, step: step.id };
}

/** A lab when a step's turn has come; a capstone as it stands at the start. */
function begin(lab: LabDefinition, index: number): Attempt {
  return playTo(lab, lab.capstone === true ? 0 : index);
}

function mustPass(attempt: Attempt, step: StepDefinition, commands: string) {
  const before = attempt.run.passedSteps;
  const results = attempt.typist.runScript(commands);
  settle(attempt);
  const unmet = unmetNow(attempt, step.id);
  const faults: string[] = unmet.map(({ check }) => `does not hold: ${check}`);
  const passed = attempt.run.passedSteps - before;
  if (unmet.length === 0 && (passed === 0 || !attempt.run.hasPassed(step.id)))
    faults.push("the checks hold, but the step did not pass in its turn");
  if (passed > 1) faults.push(`steps pass with it whose turn has not come: ${passed - 1}`);
  return { unmet, faults: faults.length > 0 ? [...faults, ...transcript(results)] : [] };
}

function proveWrong(lab: LabDefinition, index: number, wrong: WrongAttempt): Proof {
  const step = lab.steps[index] as StepDefinition;
  const made = proof(`wrong: ${wrong.id}`, () => {
    const attempt = begin(lab, index);
    const before = attempt.run.passedSteps;
    // Between two lines a person may have the step right, and it passes; within one there must be no such moment.
    if (!wrong.commands.trim().includes("\n")) watch(attempt);
    const results = attempt.typist.runScript(wrong.commands);
    settle(attempt);
    const unmet = unmetNow(attempt, step.id);
    const checks = unmet.map(({ check }) => check);
    const faults = wrong.fails.filter((check) => !checks.includes(check)).map((check) => `holds, and must not: ${check}`);
    for (const check of checks) if (!wrong.fails.includes(check)) faults.push(`does not hold, and is not meant to fail: ${check}`);
    if (faults.length === 0 && checks.join() !== wrong.fails.join()) faults.push(`fails is in the order of the checks: ${checks}`);
    // A mistake that the shell itself turns away changes nothing, and whoever reads the lab's texts cannot make it.
    const refused = results.find(({ output }) => /: event not found$/m.test(output));
    if (refused !== undefined) faults.push(`bash takes a part of it for an event of its history: ${refused.command}`);
    const passed = attempt.run.passedSteps;
    if (passed !== before) faults.push(`${passed} steps have passed, and not ${before}`);
    return { unmet, faults: faults.length > 0 ? [...faults, ...transcript(results)] : [] };
  });
  return { ...made, step: step.id };
}

/** Every check is failed alone by some wrong attempt: no check is there for nothing. */
function proveTried(step: StepDefinition): Proof {
  const alone = step.wrong.filter(({ fails }) => fails.length === 1).map(({ fails }) => fails[0]);
  const untried = step.checks.filter((check) => !alone.includes(check.id));
  const faults = untried.map((check) => `no wrong attempt fails this check alone: ${check.id}`);
  return { title: "every check is failed alone", step: step.id, unmet: [], faults };
}

function firstLine(commands: string): string {
  return commands.trim().split("\n")[0] ?? "";
}

/** What was typed, and what was printed. */
function transcript(results: readonly TypedResult[]): readonly string[] {
  return results.flatMap(({ command, code, output }) => [
    ...`$ ${command}`.split("\n").map((line, index) => (index === 0 ? line : `  ${line}`)),
    ...output
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `  ${line}`),
    ...(code === 0 ? [] : [`  exit code ${code}`]),
  ]);
}

/** Milliseconds that a look at a step's checks takes, by step, with the step done. */
export function timeChecks(lab: LabDefinition): ReadonlyMap<string, number> {
  const looks = 50;
  const attempt: Attempt = playTo(lab, 0);
  return new Map(
    lab.steps.map((step): readonly [string, number] => {
      attempt.typist.runScript(step.solution);
      settle(attempt);
      const startedMs = performance.now();
      for (let look = 0; look < looks; look += 1) attempt.run.unmetChecks(step.id);
      return [step.id, (performance.now() - startedMs) / looks];
    }),
  );
}
