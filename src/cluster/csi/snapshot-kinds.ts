// The custom kinds of snapshot.storage.k8s.io/v1, and the names that the programs around them share
// (external-snapshotter: client/apis/volumesnapshot/v1, pkg/utils).

import type { ObjectMeta, ObjectReference } from "#cluster/api/generated/types.ts";
import type { ResourceType, Stored } from "#cluster/api/objects.ts";

export const snapshotGroup = "snapshot.storage.k8s.io";
const prefix = "snapshot.storage.kubernetes.io/";

export const finalizers = {
  content: `${prefix}volumesnapshotcontent-bound-protection`,
  bound: `${prefix}volumesnapshot-bound-protection`,
  asSource: `${prefix}volumesnapshot-as-source-protection`,
  claim: `${prefix}pvc-as-source-protection`,
} as const;

export const marks = {
  isDefaultClass: `${prefix}is-default-class`,
  /** Of a content whose snapshot goes. */
  beingDeleted: `${prefix}volumesnapshot-being-deleted`,
  /** Of a content while the driver has not answered. */
  beingCreated: `${prefix}volumesnapshot-being-created`,
} as const;

interface Custom {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

interface SnapshotError {
  readonly message?: string;
  readonly time?: string;
}

export interface VolumeSnapshot extends Custom {
  readonly spec: {
    readonly source: { readonly persistentVolumeClaimName?: string; readonly volumeSnapshotContentName?: string };
    readonly volumeSnapshotClassName?: string;
  };
  readonly status?: {
    readonly boundVolumeSnapshotContentName?: string;
    readonly creationTime?: string;
    readonly readyToUse?: boolean;
    readonly restoreSize?: string;
    readonly error?: SnapshotError;
  };
}

export interface VolumeSnapshotContent extends Custom {
  readonly spec: {
    readonly deletionPolicy: "Delete" | "Retain";
    readonly driver: string;
    readonly source: { readonly volumeHandle?: string; readonly snapshotHandle?: string };
    readonly sourceVolumeMode?: string;
    readonly volumeSnapshotClassName?: string;
    readonly volumeSnapshotRef: ObjectReference;
  };
  readonly status?: {
    readonly snapshotHandle?: string;
    /** Nanoseconds since 1970. */
    readonly creationTime?: number | bigint;
    /** Bytes. */
    readonly restoreSize?: number;
    readonly readyToUse?: boolean;
    readonly error?: SnapshotError;
  };
}

export interface VolumeSnapshotClass extends Custom {
  readonly driver: string;
  readonly deletionPolicy: "Delete" | "Retain";
  readonly parameters?: { readonly [key: string]: string };
}

export type Snapshot = Stored<VolumeSnapshot>;
export type Content = Stored<VolumeSnapshotContent>;
export type SnapshotClass = Stored<VolumeSnapshotClass>;

export const volumeSnapshots: ResourceType<VolumeSnapshot> = {
  group: snapshotGroup,
  version: "v1",
  plural: "volumesnapshots",
  kind: "VolumeSnapshot",
  namespaced: true,
};

export const volumeSnapshotContents: ResourceType<VolumeSnapshotContent> = {
  group: snapshotGroup,
  version: "v1",
  plural: "volumesnapshotcontents",
  kind: "VolumeSnapshotContent",
  namespaced: false,
};

export const volumeSnapshotClasses: ResourceType<VolumeSnapshotClass> = {
  group: snapshotGroup,
  version: "v1",
  plural: "volumesnapshotclasses",
  kind: "VolumeSnapshotClass",
  namespaced: false,
};

/** As listers say that there is none. */
export function noClass(name: string): string {
  return `volumesnapshotclass.${snapshotGroup} ${JSON.stringify(name)} not found`;
}

export function isReady({ status }: VolumeSnapshot | VolumeSnapshotContent): boolean {
  return status?.readyToUse === true;
}

/** The content is that of this very snapshot. */
export function pointsTo({ spec }: Content, { metadata }: Snapshot): boolean {
  const { name, namespace, uid } = spec.volumeSnapshotRef;
  return name === metadata.name && namespace === metadata.namespace && uid === metadata.uid;
}

/** `NAMESPACE/NAME` of the snapshot that a content is kept for. */
export function snapshotKeyOf({ spec }: VolumeSnapshotContent): string {
  return `${spec.volumeSnapshotRef.namespace ?? ""}/${spec.volumeSnapshotRef.name ?? ""}`;
}
