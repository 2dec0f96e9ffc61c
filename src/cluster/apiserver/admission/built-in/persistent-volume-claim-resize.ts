// PersistentVolumeClaimResize: only a bound claim whose class allows it may grow (plugin/pkg/admission/storage/persistentvolume/resize).

import type { PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { compareAmounts } from "#cluster/quota/resource-list.ts";
import type { Store } from "#cluster/storage/store.ts";
import { classOf } from "#cluster/volumes/classes.ts";
import { type AdmissionPlugin, notAdmitted, ofObjects } from "../chain.ts";

type Claim = PersistentVolumeClaim & KubeObject;

export function persistentVolumeClaimResize(store: Store): AdmissionPlugin {
  const classes = store.table("storageclasses.storage.k8s.io");
  return {
    name: "PersistentVolumeClaimResize",
    operations: ["UPDATE"],
    kind: "PersistentVolumeClaim",
    handles: ofObjects,
    validate(attributes) {
      if (attributes.old === undefined) return;
      const [claim, old] = [attributes.object as Claim, attributes.old as Claim];
      if (compareAmounts(sizeOf(claim), sizeOf(old)) <= 0) return;
      if (old.status?.phase !== "Bound") throw notAdmitted(attributes, "Only bound persistent volume claims can be expanded");
      if (!mayGrow(claim, old)) {
        throw notAdmitted(
          attributes,
          "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
        );
      }
    },
  };

  function mayGrow(claim: Claim, old: Claim): boolean {
    const name = classOf(claim.metadata.annotations, claim.spec?.storageClassName);
    return (
      name !== "" &&
      name === classOf(old.metadata.annotations, old.spec?.storageClassName) &&
      classes.get(name)?.["allowVolumeExpansion"] === true
    );
  }
}

function sizeOf(claim: Claim): string {
  return claim.spec?.resources?.requests?.["storage"] ?? "0";
}
