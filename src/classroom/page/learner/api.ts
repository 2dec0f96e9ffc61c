// Questions to the classroom's server, and what may come of them.

import type { Refusal } from "../../wire.ts";

export type Answer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** No connection, or a server that cannot now: the same may be asked again later. `why`: what the server said. */
  | { readonly kind: "later"; readonly why?: Refusal["error"] };

export type Method = "GET" | "PUT" | "POST" | "DELETE";

const waitMs = 30_000;
const momentary: readonly Refusal["error"][] = ["too-many-requests", "unavailable", "failed"];

export class ClassroomApi {
  readonly #base: string;

  /** @param base path of the API, with a slash at its end. */
  constructor(base: string) {
    this.#base = base;
  }

  /** For a link. */
  address(path: string): string {
    return `${this.#base}${path}`;
  }

  /** `parting`: the page goes away, the answer may come to nobody. */
  async ask<T>(method: Method, path: string, body?: unknown, { parting = false } = {}): Promise<Answer<T>> {
    try {
      const reply = await fetch(`${this.#base}${path}`, {
        method,
        credentials: "same-origin",
        keepalive: parting,
        signal: AbortSignal.timeout(waitMs),
        ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      const value: unknown = text === "" ? undefined : JSON.parse(text);
      if (reply.ok) return { kind: "ok", value: value as T };
      const refusal = value as Refusal;
      return momentary.includes(refusal.error) ? { kind: "later", why: refusal.error } : { kind: "refused", refusal };
    } catch {
      // No connection, no answer in time, or something in between that is not the classroom.
      return { kind: "later" };
    }
  }

  events(): EventSource {
    return new EventSource(`${this.#base}events`);
  }
}
