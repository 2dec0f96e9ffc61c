// Refusals of addresses and methods, in the words that clients have for them.

import { ApiError, otherFailure } from "#cluster/api/errors.ts";
import type { HttpCall } from "./call.ts";

/**
 * Whoever may not make a request is told that, and nothing of what else is wrong with its route, method, formats or options, for
 * authorization comes before all of these (DefaultBuildHandlerChain). Throws what `serve` throws, or Forbidden in its place.
 */
export function refuseStrangersFirst({ server, user, info }: HttpCall, serve: () => void): void {
  try {
    serve();
  } catch (error) {
    if (error instanceof ApiError && faultsOfRequests.has(error.code)) server.authorize(user, info);
    throw error;
  }
}

const faultsOfRequests: ReadonlySet<number> = new Set([400, 404, 405, 406, 415, 422]);

/** A path of a known group version that names nothing. */
export function unknownPath(): Error {
  return otherFailure(404, "NotFound", "the server could not find the requested resource", {});
}

export function wrongMethod(): Error {
  return otherFailure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}
