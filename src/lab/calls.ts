// The page's calls to the worker that have an answer: each waits for it under a number of its own.

import type { DeskQuestions, Outcome, Question } from "./desk.ts";
import type { PageMessage, WorkerMessage } from "./protocol.ts";
import type { BrowsedPage } from "./session.ts";

/** The lab stopped or began anew before it had answered. */
export class CallDropped extends Error {}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: CallDropped) => void;
}

export class Calls {
  readonly #post: (message: PageMessage) => boolean;
  readonly #waiting = new Map<string, Waiting>();
  #next = 1;

  /** `post` returns false when there is nobody to send to. */
  constructor(post: (message: PageMessage) => boolean) {
    this.#post = post;
  }

  ask<Name extends keyof DeskQuestions>(about: Name, asked: DeskQuestions[Name]["asked"]): Promise<DeskQuestions[Name]["answer"]> {
    const call = this.#next++;
    const question = { about, ...asked } as Question;
    return this.#call(`ask ${call}`, { kind: "ask", call, question });
  }

  /** Why the file was refused; undefined when it is saved. */
  saveFile(path: string, text: string): Promise<string | undefined> {
    return this.#call(`saved ${path}`, { kind: "input", input: { kind: "file-write", path, text } });
  }

  browse(url: string): Promise<BrowsedPage> {
    const page = String(this.#next++);
    return this.#call(`page ${page}`, { kind: "input", input: { kind: "page-open", page, url } });
  }

  receive(message: Extract<WorkerMessage, { readonly kind: "answer" | "outcome" }>): void {
    if (message.kind === "answer") this.#settle(`ask ${message.call}`, message.answer);
    else this.#settle(...settlementOf(message.outcome));
  }

  /** Nothing that is under way will be answered any more. */
  drop(): void {
    for (const { reject } of this.#waiting.values()) reject(new CallDropped());
    this.#waiting.clear();
  }

  #call<Answer>(name: string, message: PageMessage): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // The same file saved twice: who came first learns that the later text counts.
      this.#waiting.get(name)?.resolve(undefined);
      this.#waiting.set(name, { resolve: resolve as (answer: unknown) => void, reject });
      if (this.#post(message)) return;
      this.#waiting.delete(name);
      reject(new CallDropped());
    });
  }

  #settle(name: string, answer: unknown): void {
    this.#waiting.get(name)?.resolve(answer);
    this.#waiting.delete(name);
  }
}

function settlementOf(outcome: Outcome): [string, unknown] {
  return outcome.kind === "saved" ? [`saved ${outcome.path}`, outcome.refused] : [`page ${outcome.page}`, outcome.result];
}
