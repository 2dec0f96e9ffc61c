// The claims of a StatefulSet's Pods: made before the Pod, kept or given to an owner as the retention policy says
// (stateful_pod_control.go).

import { ApiError } from "#cluster/api/errors.ts";
import type { OwnerReference, PersistentVolumeClaim, Pod, StatefulSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext } from "../context.ts";
import { controllerReference } from "../ownership.ts";
import { claimName } from "./stateful-pods.ts";

/** Makes the claims of an ordinal that are missing. Throws the first refusal. */
export function createClaims(
  context: ControllerContext,
  claims: Informer<PersistentVolumeClaim>,
  set: Stored<StatefulSet>,
  ordinal: number,
): void {
  const { client, events } = context;
  const { namespace = "", name: setName } = set.metadata;
  for (const template of set.spec?.volumeClaimTemplates ?? []) {
    const name = claimName(set, template.metadata?.name ?? "", ordinal);
    if (claims.get(`${namespace}/${name}`) !== undefined) continue;
    const labels = { ...template.metadata?.labels, ...set.spec?.selector.matchLabels };
    const { annotations } = template.metadata ?? {};
    const metadata = { namespace, name, labels, ...(annotations === undefined ? {} : { annotations }) };
    try {
      client.create(kinds.persistentVolumeClaims, { metadata, ...(template.spec === undefined ? {} : { spec: template.spec }) });
      events.normal(set, "SuccessfulCreate", `Create Claim ${name} Pod ${setName}-${ordinal} in StatefulSet ${setName} success`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === "AlreadyExists") continue;
      events.warning(
        set,
        "FailedCreate",
        `Create Claim ${name} for Pod ${setName}-${ordinal} in StatefulSet ${setName} failed error: ${error.message}`,
      );
      throw error;
    }
  }
}

/** Writes who takes a Pod's claims along: the set when it is deleted, the Pod when it is scaled away, or nobody. */
export function settleClaims(
  context: ControllerContext,
  claims: Informer<PersistentVolumeClaim>,
  set: Stored<StatefulSet>,
  { pod, ordinal }: { readonly pod: Stored<Pod>; readonly ordinal: number },
  isSurplus: boolean,
): void {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const wanted: OwnerReference[] = [];
  if (whenDeleted === "Delete" && !(isSurplus && whenScaled === "Delete")) wanted.push(claimOwner(controllerReference(set)));
  if (whenScaled === "Delete" && isSurplus) {
    const { name, uid } = pod.metadata;
    wanted.push({ apiVersion: "v1", kind: "Pod", name, uid });
  }
  for (const template of set.spec?.volumeClaimTemplates ?? []) {
    const claim = claims.get(`${set.metadata.namespace ?? ""}/${claimName(set, template.metadata?.name ?? "", ordinal)}`);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) continue;
    const own = claim.metadata.ownerReferences ?? [];
    const uids = new Set([set.metadata.uid, pod.metadata.uid]);
    const kept = own.filter(({ uid }) => !uids.has(uid));
    const same = own.length === kept.length + wanted.length && wanted.every(({ uid }) => own.some((one) => one.uid === uid));
    if (same) continue;
    context.client.update(kinds.persistentVolumeClaims, {
      ...claim,
      metadata: { ...claim.metadata, ownerReferences: [...kept, ...wanted] },
    });
  }
}

/** A set controls its claims, but does not wait for them. */
function claimOwner({ apiVersion, kind, name, uid, controller }: OwnerReference): OwnerReference {
  return { apiVersion, kind, name, uid, ...(controller === undefined ? {} : { controller }) };
}
