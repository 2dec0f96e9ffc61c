// What all API objects have in common, and how a kind is named. Stored objects are deeply immutable: a change is a new
// object that shares what it did not change.

import type { ListMeta, ObjectMeta, Status } from "./generated/types.ts";
import type { JsonValue } from "./wire.ts";

/** Any object as stored: kind, version and metadata are always there. */
export type KubeObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
};

/** A generated type as stored. `Stored<Pod>` has apiVersion, kind and metadata for certain. */
export type Stored<T> = Omit<T, "apiVersion" | "kind" | "metadata"> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta & {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
  };
};

/** What a client sends to create: the same, with only the metadata it chooses. */
export type Draft<T> = Omit<T, "apiVersion" | "kind" | "status"> & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: unknown;
};

/** In the order of Go's ObjectMeta, in which objects are written. */
export const metadataFields = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
] as const satisfies readonly (keyof ObjectMeta)[];

/** Names an object within its resource; namespace is "" for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** A typed handle on a served resource; one constant a kind, in `api/kinds.ts`. */
export interface ResourceType<T> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Never present: carries the type. */
  readonly objectType?: T;
}

/** The last key: all who watch ask for that of the same object, one after the other, and the very same text is found fastest in maps. */
let lastName: string | undefined;
let lastNamespace: string | undefined;
let lastKey = "";

/** `namespace/name`, or `name` alone for cluster-scoped objects. */
export function keyOf(object: { readonly metadata?: ObjectMeta }): string {
  const { namespace, name } = object.metadata ?? {};
  if (namespace === undefined || namespace === "") return name ?? "";
  if (name === lastName && namespace === lastNamespace) return lastKey;
  lastName = name;
  lastNamespace = namespace;
  lastKey = `${namespace}/${name ?? ""}`;
  return lastKey;
}

export function splitKey(key: string): ObjectKey {
  const slash = key.indexOf("/");
  return slash < 0 ? { namespace: "", name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** `pods`, `deployments.apps` */
export function qualifiedResource({ group, plural }: { readonly group: string; readonly plural: string }): string {
  return group === "" ? plural : `${plural}.${group}`;
}

export function groupVersionOf(resource: { readonly group: string; readonly version: string }): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

export type { JsonValue, ListMeta, ObjectMeta, Status };
