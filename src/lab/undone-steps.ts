// What an earlier step had brought about and a later one finds gone, although the reference solutions leave it in place.

import type { StepState, UndoneCheck } from "./lab-run.ts";
import type { ReferenceRun } from "./reference-run.ts";

export interface LostBefore {
  readonly checks: readonly UndoneCheck[];
  /** Id of the last step that began with everything in place. */
  readonly from: string;
}

/** `upTo`: the steps from the first to the one that is begun again. Undefined when that one began with everything in place. */
export function lostBefore(upTo: readonly StepState[], reference: ReferenceRun["undone"]): LostBefore | undefined {
  const lostAt = ({ id, undone }: StepState): readonly UndoneCheck[] =>
    undone.filter(({ step, check }) => !(reference[id] ?? []).includes(`${step}/${check}`));
  const begun = upTo.at(-1);
  const checks = begun === undefined ? [] : lostAt(begun);
  const from = upTo.findLast((step) => lostAt(step).length === 0);
  return checks.length === 0 || from === undefined ? undefined : { checks, from: from.id };
}
