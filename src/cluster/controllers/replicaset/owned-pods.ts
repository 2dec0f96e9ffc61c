// The Pods of each set with what every pass asks about them, noted once a change and counted by their labels: a pass over
// thousands of Pods then reads a few counts instead of walking through every Pod.

import type { Pod } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import { controllerOf } from "../ownership.ts";
import { isPodActive, isPodReady, isPodTerminating } from "../pods.ts";

interface OwnedPod {
  readonly pod: Stored<Pod>;
  readonly isActive: boolean;
  readonly isTerminating: boolean;
  readonly isReady: boolean;
}

type Labels = { readonly [key: string]: string } | undefined;

/** Pods of one set that have the same labels. */
export class LabelledPods {
  readonly labels: Labels;
  readonly #pods = new Map<string, OwnedPod>();
  /** How many are active. */
  active = 0;
  /** How many of the active ones are ready. */
  ready = 0;
  /** How many end, and have not ended. */
  terminating = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  get isEmpty(): boolean {
    return this.#pods.size === 0;
  }

  set(pod: Stored<Pod>): void {
    const key = keyOf(pod);
    this.#count(this.#pods.get(key), -1);
    const owned = { pod, isActive: isPodActive(pod), isTerminating: isPodTerminating(pod), isReady: isPodReady(pod) };
    this.#pods.set(key, owned);
    this.#count(owned, 1);
  }

  remove(key: string): void {
    this.#count(this.#pods.get(key), -1);
    this.#pods.delete(key);
  }

  /** Those that are active, and of them, if it is asked for, those that are ready. */
  *activePods(onlyReady = false): IterableIterator<Stored<Pod>> {
    for (const { pod, isActive, isReady } of this.#pods.values()) if (isActive && (isReady || !onlyReady)) yield pod;
  }

  #count(owned: OwnedPod | undefined, change: 1 | -1): void {
    if (owned === undefined) return;
    if (!owned.isActive) this.terminating += owned.isTerminating ? change : 0;
    else {
      this.active += change;
      if (owned.isReady) this.ready += change;
    }
  }
}

const none: readonly LabelledPods[] = [];

export class OwnedPods {
  /** Of owners: `ReplicaSet`. */
  readonly #kind: string;
  /** By the controller's uid. */
  readonly #byOwner = new Map<string, LabelledPods[]>();

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** One change as the watch tells it. */
  note(pod: Stored<Pod>, previous: Stored<Pod> | undefined, deleted: boolean): void {
    const owner = deleted ? undefined : this.#ownerOf(pod);
    const former = previous === undefined ? undefined : this.#ownerOf(previous);
    if (former !== undefined && former !== owner) this.#remove(former, keyOf(pod), undefined);
    if (owner === undefined) return;
    let groups = this.#byOwner.get(owner);
    if (groups === undefined) {
      groups = [];
      this.#byOwner.set(owner, groups);
    }
    const { labels } = pod.metadata;
    let group = groups.find((each) => each.labels === labels || sameValue(each.labels, labels));
    if (group === undefined) {
      group = new LabelledPods(labels);
      groups.push(group);
    }
    group.set(pod);
    const mayHaveMoved = previous !== undefined && previous.metadata.labels !== labels;
    if (mayHaveMoved && groups.length > 1) this.#remove(owner, keyOf(pod), group);
  }

  of(ownerUid: string): readonly LabelledPods[] {
    return this.#byOwner.get(ownerUid) ?? none;
  }

  /** `kept`: where it is now. */
  #remove(owner: string, key: string, kept: LabelledPods | undefined): void {
    const groups = this.#byOwner.get(owner);
    if (groups === undefined) return;
    for (const group of groups) if (group !== kept) group.remove(key);
    const left = groups.filter((group) => !group.isEmpty);
    if (left.length === 0) this.#byOwner.delete(owner);
    else if (left.length < groups.length) this.#byOwner.set(owner, left);
  }

  #ownerOf(pod: Stored<Pod>): string | undefined {
    const reference = controllerOf(pod);
    return reference?.kind === this.#kind ? reference.uid : undefined;
  }
}
