// Refusals of addresses and methods, in the words that clients have for them.

import { otherFailure } from "#cluster/api/errors.ts";
import type { HttpCall } from "./call.ts";

/**
 * Of a request that is refused before a verb begins: who may not make it is told that, and nothing of what else is wrong with it, for
 * authorization comes before routes and formats (DefaultBuildHandlerChain). Throws Forbidden.
 */
export function refusalOf({ server, user, info }: HttpCall, error: Error): Error {
  server.authorize(user, info);
  return error;
}

/** A path of a known group version that names nothing. */
export function unknownPath(): Error {
  return otherFailure(404, "NotFound", "the server could not find the requested resource", {});
}

export function wrongMethod(): Error {
  return otherFailure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}
