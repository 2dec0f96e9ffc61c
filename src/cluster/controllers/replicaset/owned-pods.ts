// The Pods of each set with what every pass asks about them, noted once a change: a pass over thousands of Pods then
// reads a few small records instead of walking through every Pod.

import type { Pod } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { controllerOf } from "../ownership.ts";
import { isPodActive, isPodReady, isPodTerminating } from "../pods.ts";

export interface OwnedPod {
  readonly pod: Stored<Pod>;
  readonly labels: { readonly [key: string]: string } | undefined;
  readonly isActive: boolean;
  readonly isTerminating: boolean;
  readonly isReady: boolean;
}

export function ownedPod(pod: Stored<Pod>): OwnedPod {
  return {
    pod,
    labels: pod.metadata.labels,
    isActive: isPodActive(pod),
    isTerminating: isPodTerminating(pod),
    isReady: isPodReady(pod),
  };
}

const none: ReadonlyMap<string, OwnedPod> = new Map();

export class OwnedPods {
  /** Of owners: `ReplicaSet`. */
  readonly #kind: string;
  /** By the controller's uid, then by key. */
  readonly #byOwner = new Map<string, Map<string, OwnedPod>>();

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** One change as the watch tells it. */
  note(pod: Stored<Pod>, previous: Stored<Pod> | undefined, deleted: boolean): void {
    const key = keyOf(pod);
    const owner = deleted ? undefined : this.#ownerOf(pod);
    const former = previous === undefined ? undefined : this.#ownerOf(previous);
    if (former !== undefined && former !== owner) this.#remove(former, key);
    if (owner === undefined) return;
    const pods = this.#byOwner.get(owner);
    if (pods === undefined) this.#byOwner.set(owner, new Map([[key, ownedPod(pod)]]));
    else pods.set(key, ownedPod(pod));
  }

  of(ownerUid: string): Iterable<OwnedPod> {
    return (this.#byOwner.get(ownerUid) ?? none).values();
  }

  #remove(owner: string, key: string): void {
    const pods = this.#byOwner.get(owner);
    pods?.delete(key);
    if (pods?.size === 0) this.#byOwner.delete(owner);
  }

  #ownerOf(pod: Stored<Pod>): string | undefined {
    const reference = controllerOf(pod);
    return reference?.kind === this.#kind ? reference.uid : undefined;
  }
}
