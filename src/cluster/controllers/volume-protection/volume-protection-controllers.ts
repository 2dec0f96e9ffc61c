// Keeps claims until no Pod uses them, volumes until they are not bound and their classes until neither names them: all carry a
// finalizer that is taken away here (pkg/controller/volume/pvcprotection, pvprotection, vacprotection).

import type { PersistentVolume, PersistentVolumeClaim, Pod, VolumeAttributesClass } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { isReason } from "#cluster/client/retry.ts";
import { claimsOf, type NamedClaim } from "#cluster/volumes/pod-claims.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import { isPodEnded } from "../pods.ts";

const claimFinalizer = "kubernetes.io/pvc-protection";
const volumeFinalizer = "kubernetes.io/pv-protection";
const byClaim = "claims of pods";

export const claimProtectionController: ControllerDefinition = {
  name: "persistentvolumeclaim-protection-controller",
  serviceAccount: "pvc-protection-controller",
  create({ client, informers }) {
    const claims = informers.informer(kinds.persistentVolumeClaims);
    const pods = informers.informer(kinds.pods);
    pods.addIndex(byClaim, claimKeys);
    const isUsed = (key: string, claim: Stored<PersistentVolumeClaim>): boolean => {
      for (const pod of pods.byIndex(byClaim, key)) if (uses(pod, claim)) return true;
      // A Pod that has not been heard of yet keeps it too.
      return client.list(kinds.pods, { namespace: claim.metadata.namespace ?? "" }).items.some((pod) => uses(pod, claim));
    };
    return {
      name: "persistentvolumeclaim-protection-controller",
      watches: [
        watchRule<PersistentVolumeClaim>({ resource: kinds.persistentVolumeClaims, keys: (claim) => [keyOf(claim)] }),
        watchRule<Pod>({
          resource: kinds.pods,
          keys: (pod, _previous, deleted) => (deleted || isPodEnded(pod) || !pod.spec?.nodeName ? claimKeys(pod) : []),
        }),
      ],
      reconcile(key) {
        const claim = claims.get(key);
        if (claim !== undefined) protect(client, kinds.persistentVolumeClaims, claim, claimFinalizer, () => isUsed(key, claim));
        return undefined;
      },
    };
  },
};

export const volumeProtectionController: ControllerDefinition = {
  name: "persistentvolume-protection-controller",
  serviceAccount: "pv-protection-controller",
  create({ client, informers }) {
    const volumes = informers.informer(kinds.persistentVolumes);
    return {
      name: "persistentvolume-protection-controller",
      watches: [watchRule<PersistentVolume>({ resource: kinds.persistentVolumes, keys: (volume) => [volume.metadata.name] })],
      reconcile(key) {
        const volume = volumes.get(key);
        if (volume === undefined) return undefined;
        protect(client, kinds.persistentVolumes, volume, volumeFinalizer, () => volume.status?.phase === "Bound");
        return undefined;
      },
    };
  },
};

const classFinalizer = "kubernetes.io/vac-protection";
const byAttributesClass = "classes of attributes";

export const attributesClassProtectionController: ControllerDefinition = {
  name: "volumeattributesclass-protection-controller",
  serviceAccount: "volumeattributesclass-protection-controller",
  create({ client, informers }) {
    const classes = informers.informer(kinds.volumeAttributesClasses);
    const claims = informers.informer(kinds.persistentVolumeClaims);
    const volumes = informers.informer(kinds.persistentVolumes);
    claims.addIndex(byAttributesClass, (claim) => latePasses.code.classesOfClaim(claim));
    volumes.addIndex(byAttributesClass, (volume) => latePasses.code.classesOfVolume(volume));
    return {
      name: "volumeattributesclass-protection-controller",
      watches: [
        watchRule<VolumeAttributesClass>({ resource: kinds.volumeAttributesClasses, keys: ({ metadata }) => [metadata.name] }),
        watchRule<PersistentVolumeClaim>({
          resource: kinds.persistentVolumeClaims,
          keys: (...change) => latePasses.code.noLongerNamedBy(...change),
        }),
        watchRule<PersistentVolume>({
          resource: kinds.persistentVolumes,
          keys: (...change) => latePasses.code.noLongerNamedOf(...change),
        }),
      ],
      reconcile(key) {
        const found = classes.get(key);
        const isUsed = (): boolean =>
          claims.countByIndex(byAttributesClass, key) + volumes.countByIndex(byAttributesClass, key) > 0;
        if (found !== undefined) protect(client, kinds.volumeAttributesClasses, found, classFinalizer, isUsed);
        return undefined;
      },
    };
  },
};

/** Adds the finalizer that is missing; takes it from an object that is going and is not used. */
function protect<T>(client: Client, type: ResourceType<T>, object: Stored<T>, finalizer: string, isUsed: () => boolean): void {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  const has = finalizers.includes(finalizer);
  const going = deletionTimestamp !== undefined;
  if (going ? !has || isUsed() : has) return;
  const changed = going ? finalizers.filter((one) => one !== finalizer) : [...finalizers, finalizer];
  try {
    client.update(type, { ...object, metadata: { ...object.metadata, finalizers: changed } });
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
  }
}

const noKeys: readonly string[] = [];

/** Most Pods have no claims: what asks about each change of each Pod looks first. */
function mayClaim({ spec }: Stored<Pod>): boolean {
  for (const { persistentVolumeClaim, ephemeral } of spec?.volumes ?? [])
    if (persistentVolumeClaim !== undefined || ephemeral !== undefined) return true;
  return false;
}

/** Claims that a Pod names or has made for itself. */
function claimKeys(pod: Stored<Pod>): readonly string[] {
  if (!mayClaim(pod)) return noKeys;
  return claimsOf(pod).map(({ name }) => `${pod.metadata.namespace}/${name}`);
}

/** Whether a Pod keeps a claim: one that was scheduled, as long as there is the object, even when it has ended. */
function uses(pod: Stored<Pod>, claim: Stored<PersistentVolumeClaim>): boolean {
  const { metadata, spec } = pod;
  if (!spec?.nodeName) return false;
  const isShutDown = metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
  const isOwn = claim.metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === metadata.uid) === true;
  const isKept = ({ isEphemeral }: NamedClaim): boolean => !isEphemeral || (isOwn && !isShutDown);
  return claimsOf(pod).some((used) => used.name === claim.metadata.name && isKept(used));
}
