// Creating and deleting Pods for what controls them: what its events tell, and what is still to be seen of it before the
// controller acts again (pkg/controller/controller_utils.go).

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Draft, keyOf, type ResourceType, type Stored, splitKey } from "#cluster/api/objects.ts";
import type { EventSubject } from "#cluster/client/event-recorder.ts";
import { hasCause, isReason } from "#cluster/client/retry.ts";
import type { ControllerContext } from "./context.ts";
import { Expectations } from "./expectations.ts";
import { OwnWrites } from "./own-writes.ts";

/** What one pass does for one owner. */
export interface PodChanges {
  readonly create: number;
  /** The Pod to be created, by its number from 0 on. */
  make(index: number): Draft<Pod>;
  readonly remove: readonly Stored<Pod>[];
}

type Failure = ApiError | ApiUnreachable;

export class PodControl {
  readonly #context: ControllerContext;
  readonly #expectations = new Expectations();
  readonly #ownWrites: OwnWrites;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#ownWrites = new OwnWrites(context.informers);
  }

  /** Before a pass. Throws StaleCopy where the copies do not show yet what was written for the owner. */
  requireSeen(key: string, owner: Stored<unknown>): void {
    this.#ownWrites.requireSeen(key, owner.metadata.uid);
  }

  /** The owner's status. */
  updateStatus<T>(resource: ResourceType<T>, owner: Stored<T>): Stored<T> {
    const written = this.#context.client.updateStatus(resource, owner);
    this.#ownWrites.wrote(keyOf(owner), owner.metadata.uid, resource, written);
    return written;
  }

  /** Whether everything that was done for the owner has been seen. */
  satisfied(key: string): boolean {
    return this.#expectations.satisfied(key, this.#context.simulation.nowMs);
  }

  forget(key: string): void {
    this.#expectations.forget(key);
    this.#ownWrites.forget(key);
  }

  /** A Pod of the owner came, changed or went. */
  seen(key: string, pod: Stored<Pod>, previous: Stored<Pod> | undefined, deleted: boolean): void {
    if (deleted || pod.metadata.deletionTimestamp !== undefined) this.#expectations.deletionSeen(key, pod.metadata.uid);
    else if (previous === undefined) this.#expectations.creationSeen(key);
  }

  /** Answers the first failure; what could be done besides has been done. */
  run(key: string, owner: EventSubject, changes: PodChanges): Failure | undefined {
    const { create, remove } = changes;
    if (create === 0 && remove.length === 0) return undefined;
    const uids = remove.map(({ metadata }) => metadata.uid);
    this.#expectations.expect(key, create, uids, this.#context.simulation.nowMs);
    try {
      const failure = this.#create(key, owner, changes);
      return this.#remove(key, owner, remove) ?? failure;
    } catch (error) {
      // What was done and what not is unknown: the next pass looks.
      this.#expectations.forget(key);
      throw error;
    }
  }

  /** In batches of 1, 2, 4 … so that a refusal costs few requests; a batch with a failure is the last. */
  #create(key: string, owner: EventSubject, { create, make }: PodChanges): Failure | undefined {
    const { client, events } = this.#context;
    let first: Failure | undefined;
    let [tried, created] = [0, 0];
    for (let batch = 1; tried < create && first === undefined; batch *= 2) {
      for (const end = Math.min(create, tried + batch); tried < end; tried += 1) {
        try {
          const pod = client.create(kinds.pods, make(tried));
          this.#ownWrites.wrote(key, owner.metadata?.uid ?? "", kinds.pods, pod);
          events.normal(owner, "SuccessfulCreate", `Created pod: ${pod.metadata.name}`);
          created += 1;
        } catch (error) {
          const failure = failureOf(error);
          // The namespace is on its way out: nothing to tell, nothing to try again.
          if (hasCause(failure, "NamespaceTerminating")) continue;
          if (failure instanceof ApiError) events.warning(owner, "FailedCreate", `Error creating: ${failure.message}`);
          first ??= failure;
        }
      }
    }
    if (created < create) this.#expectations.creationSeen(key, create - created);
    return first;
  }

  #remove(key: string, owner: EventSubject, victims: readonly Stored<Pod>[]): Failure | undefined {
    const { client, events } = this.#context;
    let first: Failure | undefined;
    for (const pod of victims) {
      try {
        client.delete(kinds.pods, splitKey(keyOf(pod)));
        events.normal(owner, "SuccessfulDelete", `Deleted pod: ${pod.metadata.name}`);
      } catch (error) {
        this.#expectations.deletionSeen(key, pod.metadata.uid);
        const failure = failureOf(error);
        if (isReason(failure, "NotFound")) continue;
        if (failure instanceof ApiError) events.warning(owner, "FailedDelete", `Error deleting: ${failure.message}`);
        first ??= failure;
      }
    }
    return first;
  }
}

/** Anything else is a fault of the program. */
function failureOf(error: unknown): Failure {
  if (error instanceof ApiError || error instanceof ApiUnreachable) return error;
  throw error;
}
