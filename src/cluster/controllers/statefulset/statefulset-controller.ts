// Keeps Pods with a name, a number and claims of their own (pkg/controller/statefulset). `set-pass.ts` is one pass.

import type { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { SelectorMatchers } from "#cluster/api/labels.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import { OwnWrites } from "../own-writes.ts";
import { claim, concernedOwners, indexByOwner, isControlledBy } from "../ownership.ts";
import { ordinalOf } from "./ordinals.ts";

export const statefulSetController: ControllerDefinition = {
  name: "statefulset-controller",
  serviceAccount: "statefulset-controller",
  create: (context) => new StatefulSetController(context),
};

class StatefulSetController implements Controller {
  readonly name = "statefulset-controller";
  readonly watches = [
    watchRule<StatefulSet>({ resource: kinds.statefulSets, keys: (set) => [keyOf(set)] }),
    watchRule<ControllerRevision>({ resource: kinds.controllerRevisions, keys: () => [] }),
    watchRule<PersistentVolumeClaim>({ resource: kinds.persistentVolumeClaims, keys: () => [] }),
    watchRule<Pod>({ resource: kinds.pods, keys: (pod, previous, deleted) => this.#setsOfPod(pod, previous, deleted) }),
  ];
  readonly #context: ControllerContext;
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #revisions: Informer<ControllerRevision>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #selectors = new SelectorMatchers();
  readonly #ownWrites: OwnWrites;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#ownWrites = new OwnWrites(context.informers);
    this.#sets = context.informers.informer(kinds.statefulSets);
    this.#pods = context.informers.informer(kinds.pods);
    this.#revisions = context.informers.informer(kinds.controllerRevisions);
    this.#claims = context.informers.informer(kinds.persistentVolumeClaims);
    indexByOwner(this.#pods);
    indexByOwner(this.#revisions);
  }

  reconcile(key: string): Requeue | undefined {
    const set = this.#sets.get(key);
    if (set === undefined) {
      this.#ownWrites.forget(key);
      return undefined;
    }
    this.#ownWrites.requireSeen(key, set.metadata.uid);
    const { client } = this.#context;
    const matches = this.#selectors.of(set.spec?.selector);
    // Revisions that are its own stay so whatever their labels say.
    const revisions = claim(
      client,
      this.#revisions,
      set,
      (one) => isControlledBy(one, set.metadata.uid) || matches(one.metadata.labels),
    );
    const pods = claim(client, this.#pods, set, (pod) => matches(pod.metadata.labels) && ordinalOf(set, pod) !== undefined);
    const parts = { context: this.#context, ownWrites: this.#ownWrites, claims: this.#claims };
    return new latePasses.code.SetPass(parts, set, pods, revisions).run();
  }

  #setsOfPod(pod: Stored<Pod>, previous: Stored<Pod> | undefined, deleted: boolean): readonly string[] {
    return concernedOwners(
      pod,
      previous,
      deleted,
      this.#sets,
      (set) => ordinalOf(set, pod) !== undefined && this.#selectors.of(set.spec?.selector)(pod.metadata.labels),
    );
  }
}
