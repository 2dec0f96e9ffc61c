// A lab's proof as data: every way and every wrong attempt of every step, played from the lab's start.

import type { LabDefinition, StepDefinition } from "#lab/definition.ts";
import type { UnmetCheck } from "#lab/lab-run.ts";
import type { TypedResult } from "../typist.ts";
import { type Attempt, playTo, settle, unmetNow } from "./attempt.ts";

export interface PlayedAttempt {
  readonly step: string;
  readonly kind: "solution" | "way" | "wrong";
  /** The wrong attempt's id; the others' first command. */
  readonly name: string;
  /** Checks that must stay unmet; none for what must pass. */
  readonly fails: readonly string[];
  readonly unmet: readonly UnmetCheck[];
  /** The step has passed, and no other. */
  readonly passed: boolean;
  readonly good: boolean;
  readonly results: readonly TypedResult[];
}

/** At the lab's start: checks that hold of steps that must not pass; and what the unmet ones say. */
export function playStart(lab: LabDefinition): { readonly passedSteps: number; readonly open: readonly string[] } {
  const { run } = playTo(lab, 0);
  const held = lab.steps.filter((step) => run.unmetChecks(step.id).length === 0);
  return { passedSteps: run.passedSteps, open: held.map((step) => step.id) };
}

/** Each attempt as it has been played, in the order of the file. */
export function* playAttempts(lab: LabDefinition): Generator<PlayedAttempt> {
  for (const [index, step] of lab.steps.entries()) {
    const right = [step.solution, ...step.ways].map((commands, way) => ({
      kind: way === 0 ? ("solution" as const) : ("way" as const),
      name: commands.trim().split("\n")[0] ?? "",
      commands,
      fails: [],
    }));
    const wrong = step.wrong.map(({ id, commands, fails }) => ({ kind: "wrong" as const, name: id, commands, fails }));
    for (const attempt of [...right, ...wrong]) yield play(lab, step, index, attempt);
  }
}

interface ToPlay {
  readonly kind: PlayedAttempt["kind"];
  readonly name: string;
  readonly commands: string;
  readonly fails: readonly string[];
}

function play(lab: LabDefinition, step: StepDefinition, index: number, { commands, ...attempt }: ToPlay): PlayedAttempt {
  const played = playTo(lab, index);
  const results = played.typist.runScript(commands);
  settle(played);
  const unmet = unmetNow(played, step.id);
  const passed = played.run.passedSteps === index + 1;
  const asMeant = JSON.stringify(unmet.map(({ check }) => check)) === JSON.stringify(attempt.fails);
  const good = asMeant && (attempt.kind === "wrong" ? played.run.passedSteps === index : passed);
  return { step: step.id, ...attempt, unmet, passed, good, results };
}

/** Checks that no wrong attempt fails alone, as `step: check`. */
export function untriedAlone(lab: LabDefinition): readonly string[] {
  return lab.steps.flatMap((step) => {
    const alone = step.wrong.filter(({ fails }) => fails.length === 1).map(({ fails }) => fails[0]);
    return step.checks.filter((check) => !alone.includes(check.id)).map((check) => `${step.id}: ${check.id}`);
  });
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
