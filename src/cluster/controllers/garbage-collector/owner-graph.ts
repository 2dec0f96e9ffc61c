// Who owns whom, by uid, as far as watches have told (pkg/controller/garbagecollector/graph.go).

import type { OwnerReference } from "#cluster/api/generated/types.ts";
import type { KubeObject, ResourceType } from "#cluster/api/objects.ts";

export interface GraphNode {
  readonly uid: string;
  readonly type: ResourceType<unknown> | undefined;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  owners: readonly OwnerReference[];
  readonly dependents: Set<GraphNode>;
  beingDeleted: boolean;
  /** Has the finalizer foregroundDeletion while being deleted. */
  deletingDependents: boolean;
  /** Known only from a dependent's reference. */
  virtual: boolean;
}

const noOwners: readonly OwnerReference[] = [];

export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** Adds or updates an object; `newOwners` are owners that nothing was known of so far. */
  observe(type: ResourceType<unknown>, object: KubeObject): { readonly node: GraphNode; readonly newOwners: readonly GraphNode[] } {
    const { uid = "", namespace = "", name = "", ownerReferences = noOwners } = object.metadata;
    let node = this.#nodes.get(uid);
    if (node === undefined || node.virtual) {
      const dependents = node?.dependents ?? new Set<GraphNode>();
      node = {
        uid,
        type,
        apiVersion: object.apiVersion,
        kind: object.kind,
        namespace,
        name,
        owners: noOwners,
        dependents,
        beingDeleted: false,
        deletingDependents: false,
        virtual: false,
      };
      this.#replace(node);
    }
    const newOwners = this.#setOwners(node, ownerReferences);
    node.beingDeleted = object.metadata.deletionTimestamp !== undefined;
    node.deletingDependents = node.beingDeleted && object.metadata.finalizers?.includes("foregroundDeletion") === true;
    return { node, newOwners };
  }

  /** Returns the dependents that the object leaves behind. */
  remove(uid: string): readonly GraphNode[] {
    const node = this.#nodes.get(uid);
    if (node === undefined) return [];
    this.#nodes.delete(uid);
    for (const owner of node.owners) this.#nodes.get(owner.uid)?.dependents.delete(node);
    return [...node.dependents];
  }

  /** Owners stay the same objects for their dependents, also when a virtual node becomes real. */
  #replace(node: GraphNode): void {
    this.#nodes.set(node.uid, node);
  }

  #setOwners(node: GraphNode, owners: readonly OwnerReference[]): readonly GraphNode[] {
    const former = node.owners;
    if (former === owners) return [];
    node.owners = owners;
    const created: GraphNode[] = [];
    for (const { uid } of former) if (!owners.some((owner) => owner.uid === uid)) this.#nodes.get(uid)?.dependents.delete(node);
    for (const owner of owners) {
      let known = this.#nodes.get(owner.uid);
      if (known === undefined) {
        known = virtualNode(owner, node.namespace);
        this.#nodes.set(owner.uid, known);
        created.push(known);
      }
      known.dependents.add(node);
    }
    return created;
  }
}

function virtualNode(owner: OwnerReference, namespace: string): GraphNode {
  return {
    uid: owner.uid,
    type: undefined,
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    namespace,
    name: owner.name,
    owners: noOwners,
    dependents: new Set(),
    beingDeleted: false,
    deletingDependents: false,
    virtual: true,
  };
}
