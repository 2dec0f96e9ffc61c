// PersistentVolumeClaimResize: only a bound claim whose class allows it may grow (plugin/pkg/admission/storage/persistentvolume/resize).
// `claim-growth.ts` says why one may not.

import type { PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { compareAmounts } from "#cluster/quota/resource-list.ts";
import type { Store } from "#cluster/storage/store.ts";
import { type AdmissionPlugin, notAdmitted, ofObjects } from "../chain.ts";
import { lateDynamicPlugins } from "../dynamic-plugins.ts";

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
      const fault = lateDynamicPlugins.code.growthFault(claim, old, (name) => classes.get(name));
      if (fault !== undefined) throw notAdmitted(attributes, fault);
    },
  };
}

function sizeOf(claim: Claim): string {
  return claim.spec?.resources?.requests?.["storage"] ?? "0";
}
