// Refusals of addresses and methods, in the words that clients have for them.

import { otherFailure } from "#cluster/api/errors.ts";

/** A path of a known group version that names nothing. */
export function unknownPath(): Error {
  return otherFailure(404, "NotFound", "the server could not find the requested resource", {});
}

export function wrongMethod(): Error {
  return otherFailure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}
