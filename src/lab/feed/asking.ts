// The page's side of the questions: numbers them and hands each answer to whoever asked.

import type { PageMessage, WorkerMessage } from "../protocol.ts";
import type { Answer, Asked, QuestionName } from "./questions.ts";

interface Open {
  readonly resolve: (answer: Answer<QuestionName>) => void;
  readonly reject: (error: Error) => void;
}

export class Asking {
  readonly #post: (message: PageMessage) => void;
  readonly #open = new Map<number, Open>();
  #next = 1;

  constructor(post: (message: PageMessage) => void) {
    this.#post = post;
  }

  /** Rejects when the world cannot answer, or ends before it has. */
  ask<Name extends QuestionName>(name: Name, asked: Asked<Name>): Promise<Answer<Name>> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#open.set(id, { resolve: (answer) => resolve(answer as Answer<Name>), reject });
      this.#post({ kind: "ask", id, name, asked });
    });
  }

  receive(message: Extract<WorkerMessage, { readonly kind: "answer" | "unanswered" }>): void {
    const open = this.#open.get(message.id);
    this.#open.delete(message.id);
    if (message.kind === "answer") open?.resolve(message.answer);
    else open?.reject(new Error(message.detail));
  }

  /** The world has ended: nothing will be answered any more. */
  abandon(): void {
    for (const { reject } of this.#open.values()) reject(new Error("the world has ended"));
    this.#open.clear();
  }
}
