// What happens in the class, as the server tells it: one connection, while somebody looks at the page.

import type { ClassroomApi } from "./api.ts";

/** A page that is out of sight for longer gives its connection back: a browser has six of them for all its pages. */
const hiddenMs = 20_000;
const againMs = 30_000;

export class EventStream {
  readonly #api: ClassroomApi;
  readonly #happened: (kinds: readonly string[]) => void;
  readonly #onVisibility = (): void => this.#look();
  #source: EventSource | undefined;
  #closing: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;

  /** @param happened told of kinds of happenings: of all of them when the connection was gone for a while. */
  constructor(api: ClassroomApi, happened: (kinds: readonly string[]) => void) {
    this.#api = api;
    this.#happened = happened;
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#look();
  }

  end(): void {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    clearTimeout(this.#closing);
    clearTimeout(this.#again);
    this.#close();
  }

  #look(): void {
    clearTimeout(this.#closing);
    if (document.visibilityState === "visible") this.#open();
    else this.#closing = setTimeout(() => this.#close(), hiddenMs);
  }

  #open(): void {
    if (this.#source !== undefined) return;
    const source = this.#api.events();
    this.#source = source;
    let isFirst = true;
    source.addEventListener("changed", ({ data }: MessageEvent<string>) => {
      // The first one says only that the connection is there: what was missed before it is asked for.
      this.#happened(isFirst ? ["message", "plan", "work", "results", "exam"] : (JSON.parse(data) as readonly string[]));
      isFirst = false;
    });
    source.addEventListener("error", () => {
      isFirst = true;
      // The browser comes back by itself, but not after an answer that was no stream, such as a proxy's.
      if (source.readyState !== EventSource.CLOSED || this.#source !== source) return;
      this.#close();
      this.#again = setTimeout(() => this.#look(), againMs);
    });
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
  }
}
