// PersistentVolumeClaims in quotas: their number and size, all together and by storage class
// (pkg/quota/v1/evaluator/core/persistent_volume_claims.go).

import type { PersistentVolumeClaim, ScopedResourceSelectorRequirement } from "#cluster/api/generated/types.ts";
import { formatQuantity, parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import { countName, type Evaluator, selectsValue } from "./evaluator.ts";
import { compareAmounts, type ResourceList } from "./resource-list.ts";

const objectCount = countName("", "persistentvolumeclaims");
const names = ["persistentvolumeclaims", "requests.storage"];
const ofClass = ".storageclass.storage.k8s.io/";
const classAnnotation = "volume.beta.kubernetes.io/storage-class";

export const claimEvaluator: Evaluator = {
  group: "",
  plural: "persistentvolumeclaims",
  handles: (operation, subresource) =>
    (subresource === "" || subresource === "status") && (operation === "CREATE" || operation === "UPDATE"),
  matchingResources: (wanted) =>
    wanted.filter(
      (name) => name === objectCount || names.includes(name) || names.some((suffix) => name.endsWith(`${ofClass}${suffix}`)),
    ),
  isInScope: (selector, object) => isClaimInScope(selector, object as PersistentVolumeClaim),
  usage: (object) => usage(object as PersistentVolumeClaim),
};

function usage(claim: PersistentVolumeClaim): ResourceList {
  const storage = storageOf(claim);
  const storageClass = claim.metadata?.annotations?.[classAnnotation] ?? claim.spec?.storageClassName ?? "";
  return {
    [objectCount]: "1",
    persistentvolumeclaims: "1",
    "requests.storage": storage,
    ...(storageClass === ""
      ? {}
      : { [`${storageClass}${ofClass}persistentvolumeclaims`]: "1", [`${storageClass}${ofClass}requests.storage`]: storage }),
  };
}

/** What is asked for, or already allocated when that is more; in whole bytes. */
function storageOf(claim: PersistentVolumeClaim): string {
  const requested = wholeBytes(claim.spec?.resources?.requests?.["storage"] ?? "0");
  const allocated = claim.status?.allocatedResources?.["storage"];
  return allocated !== undefined && compareAmounts(allocated, requested) > 0 ? wholeBytes(allocated) : requested;
}

function wholeBytes(amount: string): string {
  const quantity = parseQuantity(String(amount));
  const whole = typeof quantity.amount === "number" && quantity.amount % 1000 === 0;
  return formatQuantity(whole ? quantity : { amount: quantityValue(quantity) * 1000, format: quantity.format });
}

function isClaimInScope(selector: ScopedResourceSelectorRequirement, claim: PersistentVolumeClaim): boolean {
  if (selector.scopeName !== "VolumeAttributesClass") return false;
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = claim.status ?? {};
  const classes = [
    claim.spec?.volumeAttributesClassName,
    currentVolumeAttributesClassName,
    modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => name !== undefined && name !== "") as readonly string[];
  if (classes.length === 0) return selectsValue(selector, "");
  return classes.some((name) => selectsValue(selector, name));
}
