// Deletes objects whose owners are gone, and helps owners that are deleted in the foreground or leave orphans
// (pkg/controller/garbagecollector).

import type { OwnerReference } from "#cluster/api/generated/types.ts";
import { customResourceDefinitions } from "#cluster/api/kinds.ts";
import type { JsonValue, KubeObject, ResourceType } from "#cluster/api/objects.ts";
import { groupVersionOf } from "#cluster/api/objects.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, type WatchRule, watchRule } from "../controller.ts";
import { collectableTypes } from "./collectable-types.ts";
import { type GraphNode, OwnerGraph } from "./owner-graph.ts";

export const garbageCollector: ControllerDefinition = {
  name: "garbage-collector-controller",
  serviceAccount: "generic-garbage-collector",
  create: (context) => new GarbageCollector(context),
};

const foreground = "foregroundDeletion";
const orphan = "orphan";

const builtInOfKind = new Map(collectableTypes.map((type) => [`${groupVersionOf(type)}/${type.kind}`, type]));

/** Keys are `delete/<uid>` and `orphan/<uid>`: upstream's two queues. */
export class GarbageCollector implements Controller {
  readonly name = "garbage-collector-controller";
  /** Of the kinds that the server has: a kind that is not there would be asked for again and again. */
  readonly watches: readonly WatchRule<never>[];
  readonly #context: ControllerContext;
  readonly #graph = new OwnerGraph();
  /** Custom kinds that are watched. */
  #custom: readonly ResourceType<unknown>[] = [];
  #enqueue: (key: string) => void = () => undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    const collected = collectableTypes
      .filter((type) => context.client.serves(type))
      .map((type) =>
        watchRule<unknown>({
          resource: type,
          keys: (object, previous, deleted) => {
            if (type.plural === customResourceDefinitions.plural) this.#discover();
            return this.#observe(type, object as KubeObject, previous as KubeObject | undefined, deleted);
          },
        }),
      );
    this.watches = collected;
  }

  start(enqueue: (key: string) => void): void {
    this.#enqueue = enqueue;
  }

  /** Custom kinds come and go with their definitions. */
  #discover(): void {
    const { client, informers } = this.#context;
    const served = client.customTypes();
    const former = this.#custom;
    const isSame = (a: ResourceType<unknown>, b: ResourceType<unknown>): boolean =>
      a.plural === b.plural && a.group === b.group && a.version === b.version;
    this.#custom = served;
    for (const type of former) if (!served.some((one) => isSame(one, type))) informers.forget(type);
    for (const type of served) {
      if (former.some((one) => isSame(one, type))) continue;
      informers.informer(type).addHandler((object, previous, deleted) => {
        const keys = this.#observe(type, object as KubeObject, previous as KubeObject | undefined, deleted);
        for (const key of keys) this.#enqueue(key);
      });
    }
  }

  /** A custom kind is the same in all its versions. */
  #typeOfKind(apiVersion: string, kind: string): ResourceType<unknown> | undefined {
    const known = builtInOfKind.get(`${apiVersion}/${kind}`);
    if (known !== undefined) return known;
    const group = apiVersion.slice(0, Math.max(0, apiVersion.indexOf("/")));
    return this.#custom.find((type) => type.group === group && type.kind === kind);
  }

  reconcile(key: string): Requeue | undefined {
    const slash = key.indexOf("/");
    const node = this.#graph.get(key.slice(slash + 1));
    if (node === undefined) return undefined;
    if (key.startsWith("orphan/")) this.#orphanDependents(node);
    else this.#attemptToDelete(node);
    return undefined;
  }

  // Watches.

  #observe(type: ResourceType<unknown>, object: KubeObject, previous: KubeObject | undefined, deleted: boolean): readonly string[] {
    const { uid = "", finalizers = [] } = object.metadata;
    if (deleted) return this.#removed(uid);
    const before = this.#graph.get(uid);
    const wasDeletingDependents = before?.deletingDependents === true;
    const { node, newOwners } = this.#graph.observe(type, object);
    const keys = newOwners.map((owner) => `delete/${owner.uid}`);
    const references = object.metadata.ownerReferences;
    if (references !== undefined && references !== previous?.metadata.ownerReferences) {
      this.#checkNamespaces(object, node);
      if (this.#mayBeAbsent(node)) keys.push(`delete/${uid}`);
    }
    if (node.beingDeleted && previous?.metadata.deletionTimestamp === undefined) {
      // A blocking owner waits for this one.
      for (const owner of node.owners)
        if (this.#graph.get(owner.uid)?.deletingDependents === true) keys.push(`delete/${owner.uid}`);
    }
    if (node.beingDeleted && finalizers.includes(orphan)) keys.push(`orphan/${uid}`);
    if (node.deletingDependents && !wasDeletingDependents) {
      for (const dependent of node.dependents) keys.push(`delete/${dependent.uid}`);
      keys.push(`delete/${uid}`);
    }
    return keys;
  }

  #removed(uid: string): readonly string[] {
    const node = this.#graph.get(uid);
    const dependents = this.#graph.remove(uid);
    const keys = dependents.map((dependent) => `delete/${dependent.uid}`);
    for (const owner of node?.owners ?? [])
      if (this.#graph.get(owner.uid)?.deletingDependents === true) keys.push(`delete/${owner.uid}`);
    return keys;
  }

  /** An owner that is known to be elsewhere counts as absent. */
  #mayBeAbsent(node: GraphNode): boolean {
    return node.owners.some((reference) => {
      const owner = this.#graph.get(reference.uid);
      return owner !== undefined && !owner.virtual && !this.#canOwn(owner, node);
    });
  }

  #canOwn(owner: GraphNode, dependent: GraphNode): boolean {
    return owner.namespace === "" || owner.namespace === dependent.namespace;
  }

  #checkNamespaces(object: KubeObject, node: GraphNode): void {
    for (const reference of node.owners) {
      const owner = this.#graph.get(reference.uid);
      const elsewhere = owner !== undefined && !owner.virtual && !this.#canOwn(owner, node);
      const impossible = node.namespace === "" && this.#typeOfKind(reference.apiVersion, reference.kind)?.namespaced === true;
      if (elsewhere || impossible) this.#reportNamespace(object, node, reference);
    }
  }

  #reportNamespace(object: KubeObject, node: GraphNode, { apiVersion, kind, name, uid }: OwnerReference): void {
    const owner = `[${apiVersion}/${kind}, namespace: ${node.namespace}, name: ${name}, uid: ${uid}]`;
    this.#context.events.warning(
      object,
      "OwnerRefInvalidNamespace",
      `ownerRef ${owner} does not exist in namespace "${node.namespace}"`,
    );
  }

  // Deleting.

  #attemptToDelete(node: GraphNode): void {
    if (node.beingDeleted && !node.deletingDependents) return;
    const object = this.#read(node);
    if (object === undefined || object.metadata.uid !== node.uid) {
      // As if its watch had told: that it does later finds nothing to wake any more.
      for (const key of this.#removed(node.uid)) this.#enqueue(key);
      return;
    }
    if (node.deletingDependents) {
      this.#continueForeground(node, object);
      return;
    }
    const references = object.metadata.ownerReferences ?? [];
    if (references.length === 0 || node.type === undefined) return;
    this.#deleteUnlessOwned(node, node.type, object, references);
  }

  #deleteUnlessOwned(
    node: GraphNode,
    type: ResourceType<unknown>,
    object: KubeObject,
    references: readonly OwnerReference[],
  ): void {
    const solid: OwnerReference[] = [];
    const gone: OwnerReference[] = [];
    let waiting = false;
    for (const reference of references) {
      const state = this.#ownerState(reference, node);
      if (state === "solid") solid.push(reference);
      else gone.push(reference);
      if (state === "waiting") waiting = true;
    }
    const { client } = this.#context;
    const key = { namespace: node.namespace, name: node.name };
    if (solid.length > 0) {
      if (gone.length === 0) return;
      this.#dropOwners(
        node,
        type,
        gone.map(({ uid }) => uid),
      );
      return;
    }
    let policy: "Foreground" | "Background" | "Orphan" = "Background";
    if (waiting && node.dependents.size > 0) {
      policy = "Foreground";
      // Circles would wait for each other for ever.
      if ([...node.dependents].some((dependent) => dependent.deletingDependents)) this.#unblock(node, type, object);
    } else if (object.metadata.finalizers?.includes(orphan)) policy = "Orphan";
    else if (object.metadata.finalizers?.includes(foreground)) policy = "Foreground";
    const options = { propagationPolicy: policy, uid: node.uid };
    ignoreMissing(() => client.delete(type, key, options));
  }

  #unblock(node: GraphNode, type: ResourceType<unknown>, object: KubeObject): void {
    const ownerReferences = (object.metadata.ownerReferences ?? []).map((reference) => ({
      ...reference,
      blockOwnerDeletion: false,
    }));
    const patch = { metadata: { uid: node.uid, ownerReferences } } as JsonValue;
    ignoreMissing(() => this.#context.client.patch(type, { namespace: node.namespace, name: node.name }, "merge", patch));
  }

  #ownerState(reference: OwnerReference, dependent: GraphNode): "solid" | "absent" | "waiting" {
    const owner = this.#graph.get(reference.uid);
    if (owner !== undefined && !owner.virtual) {
      if (!this.#canOwn(owner, dependent)) return dependent.namespace === "" ? "solid" : "absent";
      return owner.deletingDependents && reference.blockOwnerDeletion === true ? "waiting" : "solid";
    }
    const type = this.#typeOfKind(reference.apiVersion, reference.kind);
    // Kinds that are not collected cannot be asked for; a cluster-scoped object cannot have a namespaced owner.
    if (type === undefined || (type.namespaced && dependent.namespace === "")) return "solid";
    const found = this.#get(type, type.namespaced ? dependent.namespace : "", reference.name);
    return found !== undefined && found.metadata.uid === reference.uid ? "solid" : "absent";
  }

  /** The owner goes when no dependent holds it any more. */
  #continueForeground(node: GraphNode, object: KubeObject): void {
    const blocking = [...node.dependents].filter(
      (dependent) =>
        dependent.owners.some(({ uid, blockOwnerDeletion }) => uid === node.uid && blockOwnerDeletion === true) &&
        !dependent.virtual,
    );
    if (blocking.length === 0) {
      this.#removeFinalizer(node, object, foreground);
      return;
    }
    for (const dependent of blocking) if (!dependent.beingDeleted) this.#attemptToDelete(dependent);
  }

  // Orphaning.

  #orphanDependents(node: GraphNode): void {
    for (const dependent of [...node.dependents]) {
      if (dependent.type === undefined) continue;
      this.#dropOwners(dependent, dependent.type, [node.uid]);
    }
    const object = this.#read(node);
    if (object !== undefined) this.#removeFinalizer(node, object, orphan);
  }

  /** Custom kinds know no strategic merge: they get the list as it is to be. */
  #dropOwners({ namespace, name, uid, owners }: GraphNode, type: ResourceType<unknown>, gone: readonly string[]): void {
    const isCustom = this.#custom.includes(type);
    const ownerReferences = isCustom
      ? owners.filter((owner) => !gone.includes(owner.uid))
      : gone.map((owner) => ({ $patch: "delete", uid: owner }));
    const patch = { metadata: { uid, ownerReferences } } as JsonValue;
    ignoreMissing(() => this.#context.client.patch(type, { namespace, name }, isCustom ? "merge" : "strategic", patch));
  }

  #removeFinalizer(node: GraphNode, object: KubeObject, finalizer: string): void {
    if (node.type === undefined || object.metadata.finalizers?.includes(finalizer) !== true) return;
    const finalizers = object.metadata.finalizers.filter((name) => name !== finalizer);
    const patch: JsonValue = { metadata: { resourceVersion: object.metadata.resourceVersion ?? "", finalizers } };
    const { type, namespace, name } = node;
    ignoreMissing(() => this.#context.client.patch(type, { namespace, name }, "merge", patch));
  }

  #read(node: GraphNode): KubeObject | undefined {
    const type = node.type ?? this.#typeOfKind(node.apiVersion, node.kind);
    if (type === undefined) return undefined;
    return this.#get(type, type.namespaced ? node.namespace : "", node.name);
  }

  #get(type: ResourceType<unknown>, namespace: string, name: string): KubeObject | undefined {
    try {
      return this.#context.client.get(type, { namespace, name }) as KubeObject;
    } catch (error) {
      if (isReason(error, "NotFound")) return undefined;
      throw error;
    }
  }
}

/** Gone already, or replaced by another of the same name. */
function ignoreMissing(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (!isReason(error, "NotFound") && !isReason(error, "Conflict")) throw error;
  }
}
