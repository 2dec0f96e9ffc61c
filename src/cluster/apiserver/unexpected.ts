// Tells a refusal that the server means to give from a mistake of ours, which becomes a 500 as a panic does upstream.

import { DecodeError } from "#cluster/api/decode.ts";
import { ApiError, ApiUnreachable, internalError } from "#cluster/api/errors.ts";
import { SelectorError } from "#cluster/api/labels.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Simulation } from "#sim/simulation.ts";

const refusals = [ApiError, ApiUnreachable, DecodeError, PatchError, SelectorError];

/** What a client is to be told: `thrown` itself when it is a refusal, else an internal error, with the fault noted. */
export function asRefusal(simulation: Simulation, subject: string, thrown: unknown): Error {
  if (isOwnError(thrown) && refusals.some((refusal) => thrown instanceof refusal)) return thrown;
  return internalError(simulation.faults.note("kube-apiserver", subject, thrown).message);
}
