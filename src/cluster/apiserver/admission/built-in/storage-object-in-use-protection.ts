// StorageObjectInUseProtection: volumes, claims and attribute classes get a finalizer that their protection controllers take
// away when nobody uses them any more (plugin/pkg/admission/storage/storageobjectinuseprotection).

import { type AdmissionPlugin, ofObjects } from "../chain.ts";

const finalizers: { readonly [kind: string]: string } = {
  PersistentVolume: "kubernetes.io/pv-protection",
  PersistentVolumeClaim: "kubernetes.io/pvc-protection",
  VolumeAttributesClass: "kubernetes.io/vac-protection",
};

export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  operations: ["CREATE"],
  kind: Object.keys(finalizers),
  handles: ofObjects,
  mutate({ object, definition }) {
    const finalizer = finalizers[definition.kind];
    const present = object.metadata.finalizers ?? [];
    if (finalizer === undefined || present.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...present, finalizer] } };
  },
};
