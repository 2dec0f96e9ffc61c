// Keeps Pods with a name, a number and claims of their own (pkg/controller/statefulset). `set-pass.ts` is one pass.

import type { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { SelectorMatchers } from "#cluster/api/labels.ts";
import { type JsonValue, keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import {
  adoptionPatch,
  byController,
  byOrphanNamespace,
  controllerOf,
  controllerReference,
  controllerUids,
  orphanNamespaces,
  releasePatch,
} from "../ownership.ts";
import { SetPass } from "./set-pass.ts";
import { ordinalOf } from "./stateful-pods.ts";

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
    watchRule<Pod>({ resource: kinds.pods, keys: (pod, previous) => this.#setsOfPod(pod, previous) }),
  ];
  readonly #context: ControllerContext;
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #revisions: Informer<ControllerRevision>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #selectors = new SelectorMatchers();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#sets = context.informers.informer(kinds.statefulSets);
    this.#pods = context.informers.informer(kinds.pods);
    this.#revisions = context.informers.informer(kinds.controllerRevisions);
    this.#claims = context.informers.informer(kinds.persistentVolumeClaims);
    this.#pods.addIndex(byController, controllerUids);
    this.#pods.addIndex(byOrphanNamespace, orphanNamespaces);
    this.#revisions.addIndex(byController, controllerUids);
  }

  reconcile(key: string): Requeue | undefined {
    const set = this.#sets.get(key);
    if (set === undefined) return undefined;
    const pods = this.#claimPods(set);
    const revisions = [...this.#revisions.byIndex(byController, set.metadata.uid)];
    return new SetPass(this.#context, this.#claims, set, pods, revisions).run();
  }

  /** Pods that are named after the set and match its selector. */
  #claimPods(set: Stored<StatefulSet>): readonly Stored<Pod>[] {
    const matches = this.#selectors.of(set.spec?.selector);
    const own: Stored<Pod>[] = [];
    const isDeleting = set.metadata.deletionTimestamp !== undefined;
    for (const pod of this.#pods.byIndex(byController, set.metadata.uid)) {
      if (matches(pod.metadata.labels)) own.push(pod);
      else if (!isDeleting) this.#patch(pod, releasePatch(set.metadata.uid, pod.metadata.uid));
    }
    if (isDeleting) return own;
    for (const pod of this.#pods.byIndex(byOrphanNamespace, set.metadata.namespace ?? "")) {
      if (!matches(pod.metadata.labels) || ordinalOf(set, pod) === undefined || pod.metadata.deletionTimestamp !== undefined)
        continue;
      const adopted = this.#patch(pod, adoptionPatch(controllerReference(set), pod.metadata.uid));
      if (adopted !== undefined) own.push(adopted);
    }
    return own;
  }

  /** Undefined when the Pod is gone. */
  #patch(pod: Stored<Pod>, patch: JsonValue): Stored<Pod> | undefined {
    try {
      return this.#context.client.patch(kinds.pods, splitKey(keyOf(pod)), "strategic", patch);
    } catch (error) {
      if (isReason(error, "NotFound") || isReason(error, "Invalid")) return undefined;
      throw error;
    }
  }

  #setsOfPod(pod: Stored<Pod>, previous: Stored<Pod> | undefined): readonly string[] {
    const keys = new Set<string>();
    for (const one of [pod, previous]) {
      const reference = one === undefined ? undefined : controllerOf(one);
      if (reference?.kind !== "StatefulSet") continue;
      const key = `${pod.metadata.namespace ?? ""}/${reference.name}`;
      if (this.#sets.get(key)?.metadata.uid === reference.uid) keys.add(key);
    }
    if (controllerOf(pod) === undefined) {
      for (const set of this.#sets.listNamespace(pod.metadata.namespace ?? "")) {
        if (ordinalOf(set, pod) !== undefined && this.#selectors.of(set.spec?.selector)(pod.metadata.labels)) keys.add(keyOf(set));
      }
    }
    return [...keys];
  }
}
