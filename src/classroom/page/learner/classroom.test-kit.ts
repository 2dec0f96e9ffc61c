// A browser's storage and document, and a classroom's server behind `fetch` that can be out of reach.

import { vi } from "vitest";
import { progressChanged } from "../../../course/progress.ts";
import type { HeldRun, LessonWork, RunPart, Work } from "../../wire.ts";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Storage, an event target for a document, and `fetch`; stubbed until `vi.unstubAllGlobals`. */
export class TestBrowser {
  readonly kept = new Map<string, string>();
  readonly #listeners: (() => void)[] = [];
  readonly asked: Asked[] = [];
  isOnline = true;
  answer: (asked: Asked) => { readonly status: number; readonly body?: unknown } = () => ({
    status: 404,
    body: { error: "not-found" },
  });

  constructor() {
    const { kept } = this;
    vi.stubGlobal("localStorage", {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    });
    vi.stubGlobal("document", {
      dispatchEvent: ({ type }: Event) => {
        if (type === progressChanged) for (const act of this.#listeners) act();
        return true;
      },
    });
    vi.stubGlobal("fetch", (path: string, { method, body }: { method: string; body?: string }) => this.#fetch(path, method, body));
  }

  onProgress(act: () => void): void {
    this.#listeners.push(act);
  }

  /** Questions of one kind, and empties the list. */
  take(method: string): readonly Asked[] {
    return this.asked.splice(0).filter((asked) => asked.method === method);
  }

  #fetch(path: string, method: string, body: string | undefined): Promise<Response> {
    if (!this.isOnline) return Promise.reject(new TypeError("Failed to fetch"));
    const asked = { method, path: path.replace("/api/", ""), body: body === undefined ? undefined : JSON.parse(body) };
    this.asked.push(asked);
    const { status, body: given } = this.answer(asked);
    return Promise.resolve(new Response(given === undefined ? null : JSON.stringify(given), { status }));
  }
}

/** What a server keeps of one learner's work; joins as the real one does. */
export class TestWork {
  lessons: Record<string, LessonWork> = {};
  last: string | null = null;

  readonly answer = ({ method, body }: Asked): { readonly status: number; readonly body: unknown } => {
    if (method === "PUT") {
      const { lessons, last } = body as Work;
      for (const [lesson, given] of Object.entries(lessons)) {
        const kept = this.lessons[lesson];
        const steps = [...new Set([...(kept?.steps ?? []), ...given.steps])];
        const questions = [...new Set([...(kept?.questions ?? []), ...given.questions])];
        this.lessons[lesson] = { ...given, steps, questions };
      }
      this.last = last ?? this.last;
    }
    return { status: 200, body: { lessons: this.lessons, last: this.last } };
  };
}

/** What a server keeps of one run, and which browser has sent it; answers as the real one does. */
export class TestRun {
  seed = 0;
  entries: RunPart["entries"] = [];
  claims: string[] = [];
  writer: string | null = null;
  revision = 0;

  readonly answer = ({ method, body }: Asked): { readonly status: number; readonly body: unknown } => {
    if (method === "GET") return this.#told();
    const { seed, from, entries, claims, writer, takesOver } = body as RunPart;
    if (this.writer !== null && this.writer !== writer && this.revision !== takesOver)
      return { status: 409, body: { error: "elsewhere" } };
    const held = seed === this.seed ? this.entries.length : 0;
    if (from > held) return { status: 409, body: { error: "gap", detail: String(held) } };
    this.put(writer, seed, [...(seed === this.seed ? this.entries.slice(0, from) : []), ...entries]);
    this.claims.push(...claims);
    return { status: 200, body: { held: this.entries.length } };
  };

  /** A browser has sent it so. */
  put(writer: string | null, seed: number, entries: RunPart["entries"]): void {
    Object.assign(this, { writer, seed, entries, revision: this.revision + 1 });
  }

  #told(): { readonly status: number; readonly body: unknown } {
    if (this.revision === 0) return { status: 404, body: { error: "not-found" } };
    const { seed, entries, writer, revision } = this;
    const run = { seed, startMs: 1000, nowMs: 9000, format: 1, world: null, entries, hints: {}, solutions: [] };
    return { status: 200, body: { lab: "pods", run, savedAt: 1, writer, revision } satisfies HeldRun };
  }
}
