// Read, change, write again: for objects that several components change.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";

export function isReason(error: unknown, reason: ApiError["reason"]): boolean {
  return error instanceof ApiError && error.reason === reason;
}

/** Whether a refusal names a cause among its details, as `NamespaceTerminating` (apimachinery: HasStatusCause). */
export function hasCause(error: unknown, reason: string): boolean {
  return error instanceof ApiError && error.status.details?.causes?.some((cause) => cause.reason === reason) === true;
}

const maxTries = 5;

/** Calls `attempt`, which reads and writes, until it is not refused with Conflict; gives up after five tries. */
export function retryOnConflict<R>(attempt: () => R): R {
  for (let tries = 1; ; tries += 1) {
    try {
      return attempt();
    } catch (error) {
      if (tries >= maxTries || !isReason(error, "Conflict")) throw error;
    }
  }
}

/** For loops that come round again by themselves: what is refused, or reaches no server, waits for the next round. */
export function unlessRefused<R>(act: () => R): R | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof ApiError || error instanceof ApiUnreachable) return undefined;
    throw error;
  }
}
