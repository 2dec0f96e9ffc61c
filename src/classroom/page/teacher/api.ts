// Asks the classroom's server. What it refuses, and what does not come through, is thrown as one error with a word for it.

import type { Me, Refusal, RefusalWord } from "../../wire.ts";

export type TroubleWord = RefusalWord | "no-connection";

export class Trouble extends Error {
  readonly word: TroubleWord;

  constructor(word: TroubleWord) {
    super(word);
    this.word = word;
  }
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export class Api {
  readonly #base: string;
  readonly #fetch: Fetch;

  /** `base` is the site's path, with a slash at its end. */
  constructor(base: string, fetchIt: Fetch = (url, init) => fetch(url, init)) {
    this.#base = base;
    this.#fetch = fetchIt;
  }

  address(path: string): string {
    return `${this.#base}api${path}`;
  }

  /** @throws Trouble */
  async ask<T>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<T> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const reply = await this.#reply(path, { method, credentials: "same-origin", cache: "no-store", ...sent });
    if (reply.ok) return (reply.status === 204 ? undefined : await reply.json()) as T;
    const refusal = (await reply.json().catch(() => undefined)) as Refusal | undefined;
    throw new Trouble(refusal?.error ?? (reply.status === 503 || reply.status === 502 ? "unavailable" : "failed"));
  }

  /** Who the server takes this browser for; undefined where there is no classroom behind these pages.
   * @throws Trouble */
  async me(): Promise<Me | undefined> {
    const reply = await this.#reply("/me", { cache: "no-store" });
    const isJson = reply.headers.get("content-type")?.startsWith("application/json") === true;
    if (reply.ok) return isJson ? ((await reply.json()) as Me) : undefined;
    if (!isJson && reply.status < 500) return undefined;
    const refusal = isJson ? ((await reply.json()) as Refusal) : undefined;
    throw new Trouble(refusal?.error ?? "unavailable");
  }

  async #reply(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(this.address(path), init);
    } catch {
      throw new Trouble("no-connection");
    }
  }
}

export function troubleOf(error: unknown): TroubleWord {
  if (error instanceof Trouble) return error.word;
  console.error(error);
  return "failed";
}
