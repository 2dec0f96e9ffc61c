// The claims of a StatefulSet's Pods: made before the Pod, kept or given to an owner as the retention policy says
// (stateful_pod_control.go).

import { ApiError } from "#cluster/api/errors.ts";
import type { OwnerReference, PersistentVolumeClaim, StatefulSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext } from "../context.ts";
import { TryAgain } from "../controller.ts";
import { controllerReference } from "../ownership.ts";
import { claimName } from "./stateful-pods.ts";

/** Claims of a Pod could not be made, or are on their way out: the Pod waits. */
export class ClaimsUnready extends TryAgain {}

/** Makes the claims of an ordinal that are missing. Throws ClaimsUnready, after a look at all of them. */
export function createClaims(
  context: ControllerContext,
  claims: Informer<PersistentVolumeClaim>,
  set: Stored<StatefulSet>,
  ordinal: number,
): void {
  const { client, events } = context;
  const { namespace = "", name: setName } = set.metadata;
  const troubles: string[] = [];
  for (const template of set.spec?.volumeClaimTemplates ?? []) {
    const name = claimName(set, template.metadata?.name ?? "", ordinal);
    const present = claims.get(`${namespace}/${name}`);
    if (present !== undefined) {
      if (present.metadata.deletionTimestamp !== undefined) troubles.push(`pvc ${name} is being deleted`);
      continue;
    }
    const labels = { ...template.metadata?.labels, ...set.spec?.selector.matchLabels };
    const { annotations } = template.metadata ?? {};
    const metadata = { namespace, name, labels, ...(annotations === undefined ? {} : { annotations }) };
    try {
      client.create(kinds.persistentVolumeClaims, { metadata, ...(template.spec === undefined ? {} : { spec: template.spec }) });
      events.normal(set, "SuccessfulCreate", `Create Claim ${name} Pod ${setName}-${ordinal} in StatefulSet ${setName} success`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      troubles.push(`failed to create PVC ${name}: ${error.message}`);
      if (error.reason === "AlreadyExists") continue;
      events.warning(
        set,
        "FailedCreate",
        `Create Claim ${name} for Pod ${setName}-${ordinal} in StatefulSet ${setName} failed error: ${error.message}`,
      );
    }
  }
  const [first] = troubles;
  if (first !== undefined) throw new ClaimsUnready(troubles.length === 1 ? first : `[${troubles.join(", ")}]`);
}

/** Whom a reference can mean. */
type Owner = Parameters<typeof controllerReference>[0];

/** Who a Pod is or, with an empty uid, will be. */
export const podOwner = (name: string, uid: string): Owner => ({ apiVersion: "v1", kind: "Pod", metadata: { name, uid } });

const means = (reference: OwnerReference, { apiVersion, kind, metadata }: Owner): boolean =>
  reference.apiVersion === apiVersion && reference.kind === kind && reference.name === metadata.name;

/**
 * Writes who takes a Pod's claims along: the set when it is deleted, the Pod when it is scaled away, or nobody. Claims of a set or Pod
 * that was there before under the name are left alone, and so are those that somebody else controls
 * (stateful_set_utils.go: isClaimOwnerUpToDate, updateClaimOwnerRefForSetAndPod).
 */
export function settleClaims(
  { client, events }: ControllerContext,
  claims: Informer<PersistentVolumeClaim>,
  set: Stored<StatefulSet>,
  { pod, ordinal }: { readonly pod: Owner; readonly ordinal: number },
  isSurplus: boolean,
): void {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const leavesAll = whenDeleted !== "Delete" && whenScaled !== "Delete";
  for (const template of set.spec?.volumeClaimTemplates ?? []) {
    const name = claimName(set, template.metadata?.name ?? "", ordinal);
    const claim = claims.get(`${set.metadata.namespace ?? ""}/${name}`);
    if (claim === undefined) continue;
    const references = claim.metadata.ownerReferences ?? [];
    const isStale = references.some((one) => [set, pod].some((owner) => means(one, owner) && one.uid !== owner.metadata.uid));
    const isForeign = (one: OwnerReference): boolean => one.controller === true && !means(one, set) && !means(one, pod);
    const hasForeign = !leavesAll && references.some(isForeign);
    if (hasForeign || (!leavesAll && isStale)) {
      // The release's spelling.
      const text =
        "has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim";
      events.warning(set, "ConflictingController", `PersistentVolumeClaim ${name} ${text}`);
    }
    if (isStale) continue;
    const wanted: OwnerReference[] = [];
    if (!hasForeign && whenDeleted === "Delete" && !(isSurplus && whenScaled === "Delete")) wanted.push(controllerReference(set));
    if (!hasForeign && whenScaled === "Delete" && isSurplus) wanted.push(controllerReference(pod));
    const own = references.filter(({ uid }) => uid === set.metadata.uid || uid === pod.metadata.uid);
    const same = own.length === wanted.length && wanted.every(({ uid }) => own.some((one) => one.uid === uid && one.controller));
    if (same) continue;
    const kept = references.filter((one) => !means(one, set) && !means(one, pod));
    client.update(kinds.persistentVolumeClaims, {
      ...claim,
      metadata: { ...claim.metadata, ownerReferences: [...kept, ...wanted] },
    });
  }
}

/** Whether a claim still waits to go with the Pod that had this name before: a new Pod must not come to it. */
export function hasStaleClaim(claims: Informer<PersistentVolumeClaim>, set: Stored<StatefulSet>, ordinal: number): boolean {
  if (set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== "Delete") return false;
  const next = podOwner(`${set.metadata.name}-${ordinal}`, "");
  return (set.spec.volumeClaimTemplates ?? []).some((template) => {
    const claim = claims.get(`${set.metadata.namespace ?? ""}/${claimName(set, template.metadata?.name ?? "", ordinal)}`);
    return claim?.metadata.ownerReferences?.some((one) => means(one, next)) === true;
  });
}
