// The wrong attempts of a lab that a person could type and see refused: the browser's tests make some of them.

import type { LabDefinition, StepDefinition, WrongAttempt } from "#lab/definition.ts";

export interface Mistake {
  readonly step: StepDefinition;
  readonly attempt: WrongAttempt;
}

/**
 * Wrong attempts that fail a single check, so that it is known which sentence must be read. Of one line each: between two commands
 * of a person a step may pass, and the way back leads to before a line. Nor of a check that a minute later may only have to go on
 * holding: its sentence is not said then. Every lab has some.
 */
export function mistakesIn({ steps }: LabDefinition): readonly Mistake[] {
  const all = steps.flatMap((step) => step.wrong.map((attempt) => ({ step, attempt })));
  const isSlow = ({ checks }: StepDefinition, [id]: readonly string[]): boolean =>
    checks.some((check) => check.id === id && (check.forMs ?? 0) >= 60_000);
  return all.filter(
    ({ step, attempt: { commands, fails } }) => fails.length === 1 && !isSlow(step, fails) && !commands.trim().includes("\n"),
  );
}
