// Writes that the API server makes by itself, as upstream's controllers in its process do: nobody waits for what becomes of them.

import { AnsweredLater } from "#cluster/api/answered-later.ts";
import { ApiError } from "#cluster/api/errors.ts";
import type { Simulation } from "#sim/simulation.ts";

/** How soon the answer of a webhook that has been asked is looked for. */
const answerMs = 200;

/** A refusal is somebody else's business: the next event brings the next try. While a webhook is still to answer, `again` is called soon. */
export function attemptWrite(
  simulation: Simulation,
  write: () => unknown,
  again: () => void = () => attemptWrite(simulation, write),
): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error instanceof AnsweredLater) simulation.after(answerMs, again);
  }
}
