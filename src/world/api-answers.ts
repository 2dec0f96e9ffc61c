// Refusals of the API server that the world expects.

import { ApiError } from "#cluster/api/errors.ts";

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.reason === "NotFound";
}
