// The token that a Pod is given to prove who it is, kept as client-go keeps it (transport/token_source.go): read anew when it was read
// a minute ago, less ten seconds, and when a server has refused it.

import type { Process } from "#sim/program.ts";

/** Where a Pod finds its token and the cluster's authority. */
export const accountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount";
const keptMs = 50_000;

export class AccountToken {
  readonly #self: Process;
  #kept: { readonly header: string; readonly readMs: number } | undefined;

  constructor(self: Process) {
    this.#self = self;
  }

  /** As a request's `authorization`. Throws SysError when it must be read and cannot be. */
  get header(): string {
    const { nowMs } = this.#self;
    if (this.#kept === undefined || nowMs >= this.#kept.readMs + keptMs) {
      this.#kept = { header: `Bearer ${this.#self.readDraft(`${accountDirectory}/token`).trim()}`, readMs: nowMs };
    }
    return this.#kept.header;
  }

  /** A request begun at `sentMs` was answered with 401: what was read before it is no good. */
  refused(sentMs: number): void {
    if (this.#kept !== undefined && this.#kept.readMs <= sentMs) this.#kept = undefined;
  }
}
