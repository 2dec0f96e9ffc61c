// Refusals of the API server. Everything that the server says no to is an ApiError that carries the Status object a
// client receives; wording as in apimachinery's api/errors.

import type { Status, StatusCause } from "./generated/types.ts";

export type StatusReason =
  | ""
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Invalid"
  | "ServerTimeout"
  | "StoreReadError"
  | "Timeout"
  | "TooManyRequests"
  | "BadRequest"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "InternalError"
  | "Expired"
  | "ServiceUnavailable";

export class ApiError extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? "");
    this.status = status;
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): StatusReason {
    return (this.status.reason ?? "") as StatusReason;
  }
}

/** The API server could not be reached at all (its process is down, its node is cut off). */
export class ApiUnreachable extends Error {}

interface Subject {
  readonly group: string;
  /** The plural resource name, or the kind for validation errors. */
  readonly resource: string;
}

function qualified(subject: Subject): string {
  return subject.group === "" ? subject.resource : `${subject.resource}.${subject.group}`;
}

function failure(code: number, reason: StatusReason, message: string, details?: Status["details"]): ApiError {
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason === "" ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

function detailsOf(subject: Subject, name: string): NonNullable<Status["details"]> {
  return {
    ...(name === "" ? {} : { name }),
    ...(subject.group === "" ? {} : { group: subject.group }),
    ...(subject.resource === "" ? {} : { kind: subject.resource }),
  };
}

export function notFound(subject: Subject, name: string): ApiError {
  return failure(404, "NotFound", `${qualified(subject)} "${name}" not found`, detailsOf(subject, name));
}

export function alreadyExists(subject: Subject, name: string): ApiError {
  return failure(409, "AlreadyExists", `${qualified(subject)} "${name}" already exists`, detailsOf(subject, name));
}

export function conflict(subject: Subject, name: string, cause: string): ApiError {
  return failure(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${cause}`,
    detailsOf(subject, name),
  );
}

export const staleObjectCause = "the object has been modified; please apply your changes to the latest version and try again";

export function forbidden(subject: Subject, name: string, cause: string): ApiError {
  const message =
    name === "" ? `${qualified(subject)} is forbidden: ${cause}` : `${qualified(subject)} "${name}" is forbidden: ${cause}`;
  return failure(403, "Forbidden", message, detailsOf(subject, name));
}

/** `causes` in the order found; the message tells equal ones once. `subject.resource` is the kind here. */
export function invalid(subject: Subject, name: string, causes: readonly (StatusCause & { readonly message: string })[]): ApiError {
  const texts = [...new Set(causes.map((cause) => (cause.field ? `${cause.field}: ${cause.message}` : cause.message)))];
  const summary = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return failure(422, "Invalid", `${qualified(subject)} "${name}" is invalid: ${summary}`, { ...detailsOf(subject, name), causes });
}

export function badRequest(message: string): ApiError {
  return failure(400, "BadRequest", message);
}

export function methodNotAllowed(subject: Subject, action: string): ApiError {
  return failure(
    405,
    "MethodNotAllowed",
    `${action} is not supported on resources of kind "${qualified(subject)}"`,
    detailsOf(subject, ""),
  );
}

export function expired(message: string): ApiError {
  return failure(410, "Expired", message);
}

export function internalError(message: string): ApiError {
  return failure(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}

export function otherFailure(code: number, reason: StatusReason, message: string, details?: Status["details"]): ApiError {
  return failure(code, reason, message, details);
}
