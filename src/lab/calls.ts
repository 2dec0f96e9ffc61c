// The page's calls to the worker that have an answer: each waits for it under a number of its own.

import type { BrowsedPage } from "#world/browser.ts";
import type { Outcome, PageMessage, WorkerMessage } from "./protocol.ts";
import type { Answer, Asked, QuestionName } from "./questions.ts";

/** The lab stopped or began anew before it had answered. */
export class CallDropped extends Error {}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Calls {
  readonly #post: (message: PageMessage) => boolean;
  /** By what they wait for; files are saved in order, so that the first to ask is the first to be told. */
  readonly #waiting = new Map<string, Waiting[]>();
  #next = 1;

  /** `post` returns false when there is nobody to send to. */
  constructor(post: (message: PageMessage) => boolean) {
    this.#post = post;
  }

  /** Rejects also when the world cannot answer. */
  ask<Name extends QuestionName>(name: Name, asked: Asked<Name>): Promise<Answer<Name>> {
    const id = this.#next++;
    return this.#call(`ask ${id}`, { kind: "ask", id, name, asked });
  }

  /** Why the file was refused; undefined when it is saved. */
  saveFile(path: string, text: string): Promise<string | undefined> {
    return this.#call(`saved ${path}`, { kind: "input", input: { kind: "file-write", path, text } });
  }

  browse(url: string): Promise<BrowsedPage> {
    const page = String(this.#next++);
    return this.#call(`page ${page}`, { kind: "input", input: { kind: "page-open", page, url } });
  }

  receive(message: Extract<WorkerMessage, { readonly kind: "answer" | "unanswered" | "outcome" }>): void {
    if (message.kind === "answer") this.#settle(`ask ${message.id}`, message.answer);
    else if (message.kind === "outcome") this.#settle(...settlementOf(message.outcome));
    else this.#take(`ask ${message.id}`)?.reject(new Error(message.detail));
  }

  /** Nothing that is under way will be answered any more. */
  drop(): void {
    for (const { reject } of [...this.#waiting.values()].flat()) reject(new CallDropped());
    this.#waiting.clear();
  }

  #call<Answer>(name: string, message: PageMessage): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.#post(message)) return reject(new CallDropped());
      const waiting = { resolve: resolve as (answer: unknown) => void, reject };
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), waiting]);
    });
  }

  #settle(name: string, answer: unknown): void {
    this.#take(name)?.resolve(answer);
  }

  #take(name: string): Waiting | undefined {
    const [first, ...others] = this.#waiting.get(name) ?? [];
    if (others.length === 0) this.#waiting.delete(name);
    else this.#waiting.set(name, others);
    return first;
  }
}

function settlementOf(outcome: Outcome): [string, unknown] {
  return outcome.kind === "saved" ? [`saved ${outcome.path}`, outcome.refused] : [`page ${outcome.page}`, outcome.result];
}
