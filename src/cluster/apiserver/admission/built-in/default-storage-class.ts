// DefaultStorageClass: a claim that names no class gets the default one (plugin/pkg/admission/storage/storageclass/setdefault).

import type { PersistentVolumeClaimSpec } from "#cluster/api/generated/types.ts";
import type { Store } from "#cluster/storage/store.ts";
import { classAnnotation } from "#cluster/volumes/classes.ts";
import { type AdmissionPlugin, ofObjects } from "../chain.ts";
import { defaultClass } from "./default-class.ts";

export function defaultStorageClass(store: Store): AdmissionPlugin {
  const classes = store.table("storageclasses.storage.k8s.io");
  return {
    name: "DefaultStorageClass",
    operations: ["CREATE"],
    kind: "PersistentVolumeClaim",
    handles: ofObjects,
    mutate({ object }) {
      const spec = object["spec"] as PersistentVolumeClaimSpec | undefined;
      if (spec === undefined || spec.storageClassName !== undefined) return object;
      if (object.metadata.annotations?.[classAnnotation] !== undefined) return object;
      const name = defaultClass(
        classes,
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
      );
      return name === undefined ? object : { ...object, spec: { ...spec, storageClassName: name } };
    },
  };
}
