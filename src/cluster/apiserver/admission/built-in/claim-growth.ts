// Why a claim may not grow; that one is to, only clients bring about.

import type { PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { classOf } from "#cluster/volumes/classes.ts";

type Claim = PersistentVolumeClaim & KubeObject;

/** Undefined: it may. */
export function growthFault(claim: Claim, old: Claim, classNamed: (name: string) => KubeObject | undefined): string | undefined {
  if (old.status?.phase !== "Bound") return "Only bound persistent volume claims can be expanded";
  const name = classOf(claim.metadata.annotations, claim.spec?.storageClassName);
  const mayGrow =
    name !== "" &&
    name === classOf(old.metadata.annotations, old.spec?.storageClassName) &&
    classNamed(name)?.["allowVolumeExpansion"] === true;
  return mayGrow
    ? undefined
    : "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
}
