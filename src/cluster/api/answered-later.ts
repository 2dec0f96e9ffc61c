// The one way in which a request that cannot be answered yet is made once more later.

import { ApiError } from "#cluster/api/errors.ts";

/** What a request waits for. Without a limit it waits until there is an answer. */
export interface Wait {
  /** Calls back when another try makes sense. */
  readonly begin: (resume: () => void) => void;
  /** How often the request is made at all. */
  readonly tries?: number;
  /** How long after its arrival the request is still made once more, in ms. */
  readonly forMs?: number;
  /** Whether each try is recorded as refused; otherwise only the last one is recorded, as what it comes to. */
  readonly isRefusedMeanwhile: boolean;
}

/**
 * Not an answer yet: over HTTP the request waits, and then goes its way once more from the start. In process, and when it has waited
 * long enough, it is a refusal like any other.
 */
export class AnsweredLater extends ApiError {
  readonly wait: Wait;

  constructor(status: ApiError["status"], wait: Wait) {
    super(status);
    this.wait = wait;
  }
}
