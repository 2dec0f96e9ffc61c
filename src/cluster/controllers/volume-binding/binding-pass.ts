// A pass of the volume binder over one claim or one volume.

import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import { classOfClaim, waitsForConsumer } from "#cluster/volumes/classes.ts";
import {
  annotations,
  type Claim,
  claimKeyOf,
  findMatchingVolume,
  hasAnnotation,
  isBoundTo,
  mismatch,
  type Volume,
} from "#cluster/volumes/matching.ts";
import type { ControllerContext } from "../context.ts";
import type { Requeue } from "../controller.ts";
import { BindingWriter } from "./binding.ts";
import { Provisioning } from "./provisioning.ts";
import { whyNotDeletable } from "./reclaiming.ts";

/** `--pvclaimbinder-sync-period`: what is not settled is looked at again. */
const syncPeriodMs = 15_000;
const again: Requeue = { requeueAfterMs: syncPeriodMs, background: true };

export interface BindingParts {
  readonly context: ControllerContext;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
  /** A claim is to be looked at. */
  readonly enqueue: (claimKey: string) => void;
}

export class BindingPass {
  readonly #context: ControllerContext;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #writer: BindingWriter;
  readonly #provisioning: Provisioning;
  readonly #enqueue: (claimKey: string) => void;

  constructor(parts: BindingParts) {
    this.#context = parts.context;
    this.#claims = parts.claims;
    this.#volumes = parts.volumes;
    this.#enqueue = parts.enqueue;
    this.#writer = new BindingWriter(parts.context);
    this.#provisioning = new Provisioning(parts);
  }

  ofVolume(name: string): Requeue | undefined {
    const volume = this.#volumes.get(name);
    return volume === undefined ? undefined : this.#syncVolume(volume);
  }

  ofClaim(key: string): Requeue | undefined {
    const claim = this.#claims.get(key);
    if (claim === undefined) return undefined;
    if (!hasAnnotation(claim, annotations.bindCompleted)) return this.#syncUnbound(claim);
    this.#syncBound(claim);
    return undefined;
  }

  // Claims.

  #syncUnbound(claim: Claim): Requeue | undefined {
    const wanted = claim.spec?.volumeName ?? "";
    if (wanted !== "") return this.#syncNamed(claim, this.#volumes.get(wanted));
    const delaysBinding = waitsForConsumer(this.#provisioning.classOf(claim));
    const alike = [...this.#volumes.list()].filter((volume) => hasSameAttributes(volume, claim));
    const volume = findMatchingVolume(alike, claim, { delaysBinding });
    if (volume !== undefined) {
      this.#writer.bind(volume, claim);
      return undefined;
    }
    if (this.#provisioning.assignDefault(claim)) return undefined;
    if (delaysBinding && !hasAnnotation(claim, annotations.selectedNode)) this.#provisioning.explainWait(claim);
    else if (classOfClaim(claim) !== "") {
      this.#provisioning.request(claim);
      return again;
    } else {
      const message = "no persistent volumes available for this claim and no storage class is set";
      this.#context.events.normal(claim, "FailedBinding", message);
    }
    this.#writer.setClaimStatus(claim, "Pending");
    return again;
  }

  /** The claim says itself which volume it wants. */
  #syncNamed(claim: Claim, volume: Volume | undefined): Requeue | undefined {
    if (volume !== undefined && isBoundTo(volume, claim)) {
      this.#writer.bind(volume, claim);
      return undefined;
    }
    if (volume !== undefined && volume.spec?.claimRef === undefined) {
      const isAlike = hasSameAttributes(volume, claim);
      const problem = mismatch(volume, claim) ?? (isAlike ? undefined : "volumeAttributesClassName does not match");
      if (problem === undefined) {
        this.#writer.bind(volume, claim);
        return undefined;
      }
      const message = `Cannot bind to requested volume "${volume.metadata.name}": ${problem}`;
      this.#context.events.warning(claim, "VolumeMismatch", message);
    } else if (volume !== undefined) {
      const message = `volume "${volume.metadata.name}" already bound to a different claim.`;
      this.#context.events.warning(claim, "FailedBinding", message);
    }
    this.#writer.setClaimStatus(claim, "Pending");
    return again;
  }

  #syncBound(claim: Claim): void {
    const name = claim.spec?.volumeName ?? "";
    const volume = this.#volumes.get(name);
    const { claimRef } = volume?.spec ?? {};
    if (name === "")
      this.#writer.lose(claim, "ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
    else if (volume === undefined)
      this.#writer.lose(claim, "ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
    else if (claimRef === undefined || claimRef.uid === claim.metadata.uid) this.#writer.bind(volume, claim);
    else this.#writer.lose(claim, "ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly");
  }

  // Volumes.

  #syncVolume(volume: Volume): Requeue | undefined {
    const reference = volume.spec?.claimRef;
    if (reference === undefined || (reference.uid ?? "") === "") {
      this.#writer.setPhase(volume, "Available");
      return undefined;
    }
    const key = claimKeyOf(volume) as string;
    const claim = this.#claimNow(key, reference.uid);
    if (claim === undefined) return this.#release(volume);
    const bound = claim.spec?.volumeName ?? "";
    if (bound === "") this.#enqueue(key);
    else if (bound === volume.metadata.name) this.#writer.setPhase(volume, "Bound");
    else if (hasAnnotation(volume, annotations.provisionedBy) && volume.spec?.persistentVolumeReclaimPolicy === "Delete") {
      return this.#release(volume);
    } else this.#writer.unbind(volume);
    return undefined;
  }

  /** The claim that a volume means; a cache that is behind must not cost anybody his data, so the server is asked too. */
  #claimNow(key: string, uid: string | undefined): Claim | undefined {
    const known = this.#claims.get(key);
    if (known !== undefined && known.metadata.uid === uid) return known;
    const [namespace = "", name = ""] = key.split("/");
    try {
      const claim = this.#context.client.get(kinds.persistentVolumeClaims, { namespace, name });
      return claim.metadata.uid === uid ? claim : undefined;
    } catch (error) {
      if (isReason(error, "NotFound")) return undefined;
      throw error;
    }
  }

  #release(volume: Volume): Requeue | undefined {
    const { phase } = volume.status ?? {};
    const released = phase === "Released" || phase === "Failed" ? volume : this.#writer.setPhase(volume, "Released");
    const policy = released.spec?.persistentVolumeReclaimPolicy;
    if (policy === "Recycle") {
      this.#writer.fail(released, "VolumeFailedRecycle", "Recycle failed: recycler Pods are not part of this cluster");
      return undefined;
    }
    return policy === "Delete" ? this.#delete(released) : undefined;
  }

  #delete(volume: Volume): Requeue | undefined {
    // What a provisioner has made it takes away itself.
    const provisioner = volume.metadata.annotations?.[annotations.provisionedBy];
    if (provisioner !== undefined && !provisioner.startsWith("kubernetes.io/")) return undefined;
    const problem = whyNotDeletable(volume);
    if (problem !== undefined) {
      this.#writer.fail(volume, "VolumeFailedDelete", problem);
      return again;
    }
    this.#context.client.delete(kinds.persistentVolumes, { namespace: "", name: volume.metadata.name });
    return undefined;
  }
}

function hasSameAttributes(volume: Volume, claim: Claim): boolean {
  return (volume.spec?.volumeAttributesClassName ?? "") === (claim.spec?.volumeAttributesClassName ?? "");
}
