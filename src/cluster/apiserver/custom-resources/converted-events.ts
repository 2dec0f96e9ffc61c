// What a conversion webhook means for writes and watches: nothing is written that could not be shown, and the events of a watch are
// told one after another, each when it has been converted.

import { AnsweredLater } from "#cluster/api/answered-later.ts";
import { ApiError } from "#cluster/api/errors.ts";
import { groupVersionOf, type KubeObject, type Status } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { StoreEvent } from "#cluster/storage/events.ts";
import type { WebhookAnswers } from "../admission/dynamic/webhook-answers.ts";
import { presentedAll, storedForm } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";

/** Makes sure that the object can be stored and shown, before anything is done that cannot be undone. */
export function requireForms(request: ResourceRequest, object: KubeObject): void {
  const { definition, answers, dryRun } = request;
  if (!dryRun) definition.converter?.convert(storedForm(request, object), groupVersionOf(definition), answers);
}

/** Throws AnsweredLater until all have been converted, ApiError where that fails. */
export function convertEvents(
  definition: ResourceDefinition,
  events: readonly StoreEvent[],
  answers: WebhookAnswers | undefined,
): void {
  const states = events.flatMap(({ object, previous }) => (previous === undefined ? [object] : [object, previous]));
  presentedAll(definition, states, answers);
}

export interface EventListener {
  tell(event: StoreEvent): void;
  /** No further event is told. */
  fail(status: Status): void;
}

export class ConvertedEvents {
  readonly #definition: ResourceDefinition;
  readonly #listener: EventListener;
  #waiting: StoreEvent[] = [];

  constructor(definition: ResourceDefinition, listener: EventListener) {
    this.#definition = definition;
    this.#listener = listener;
  }

  push(event: StoreEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length === 1) this.#convert(new Map());
  }

  #convert(answers: WebhookAnswers): void {
    for (;;) {
      const [event] = this.#waiting;
      if (event === undefined) return;
      try {
        convertEvents(this.#definition, [event], answers);
      } catch (error) {
        if (error instanceof AnsweredLater) error.wait.begin(() => this.#convert(answers));
        else if (error instanceof ApiError) {
          this.#waiting = [];
          this.#listener.fail(error.status);
        } else throw error;
        return;
      }
      answers.clear();
      this.#listener.tell(event);
      this.#waiting.shift();
    }
  }
}
