// Writes bindings: volume first, then claim, spec before status, so that a pass that was cut short is finished by the next one
// (pv_controller.go: bind, unbindVolume, updateVolumePhase, updateClaimStatus).

import type { PersistentVolumeClaimStatus } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { sameValue } from "#cluster/client/equality.ts";
import { annotations, type Claim, hasAnnotation, isBoundTo, referenceTo, type Volume } from "#cluster/volumes/matching.ts";
import type { ControllerContext } from "../context.ts";

type Phase = "Available" | "Bound" | "Released" | "Failed";

export class BindingWriter {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  bind(volume: Volume, claim: Claim): void {
    const kept = this.setPhase(this.#bindVolume(volume, claim), "Bound");
    this.setClaimStatus(this.#bindClaim(claim, kept), "Bound", kept);
  }

  #bindVolume(volume: Volume, claim: Claim): Volume {
    const isOwn = volume.spec?.claimRef?.uid === claim.metadata.uid && isBoundTo(volume, claim);
    const marked = isBoundTo(volume, claim) || hasAnnotation(volume, annotations.boundByController);
    if (isOwn && marked) return volume;
    return this.#context.client.update(kinds.persistentVolumes, {
      ...volume,
      metadata: marked ? volume.metadata : annotated(volume, { [annotations.boundByController]: "yes" }),
      spec: { ...volume.spec, ...(isOwn ? {} : { claimRef: referenceTo(claim) }) },
    });
  }

  #bindClaim(claim: Claim, volume: Volume): Claim {
    const isNamed = claim.spec?.volumeName === volume.metadata.name;
    const missing = {
      ...(isNamed || hasAnnotation(claim, annotations.boundByController) ? {} : { [annotations.boundByController]: "yes" }),
      ...(hasAnnotation(claim, annotations.bindCompleted) ? {} : { [annotations.bindCompleted]: "yes" }),
    };
    if (isNamed && Object.keys(missing).length === 0) return claim;
    return this.#context.client.update(kinds.persistentVolumeClaims, {
      ...claim,
      metadata: annotated(claim, missing),
      spec: { ...claim.spec, volumeName: volume.metadata.name },
    });
  }

  /** Takes the controller's binding back; what a person wrote stays, without the uid. */
  unbind(volume: Volume): void {
    const { claimRef, ...spec } = volume.spec ?? {};
    const byController = hasAnnotation(volume, annotations.boundByController);
    const { uid: _uid, ...reference } = claimRef ?? {};
    const { [annotations.boundByController]: _mark, ...others } = volume.metadata.annotations ?? {};
    const unbound = this.#context.client.update(kinds.persistentVolumes, {
      ...volume,
      metadata: { ...volume.metadata, annotations: others },
      spec: byController ? spec : { ...spec, claimRef: reference },
    });
    this.setPhase(unbound, "Available");
  }

  setPhase(volume: Volume, phase: Phase, message = ""): Volume {
    if (volume.status?.phase === phase) return volume;
    const { message: _message, reason: _reason, ...status } = volume.status ?? {};
    return this.#context.client.updateStatus(kinds.persistentVolumes, {
      ...volume,
      status: { ...status, phase, ...(message === "" ? {} : { message }) },
    });
  }

  /** With an event, once for each change. */
  fail(volume: Volume, reason: string, message: string): void {
    if (volume.status?.phase === "Failed") return;
    this.#context.events.warning(this.setPhase(volume, "Failed", message), reason, message);
  }

  setClaimStatus(claim: Claim, phase: "Pending" | "Bound" | "Lost", volume?: Volume): Claim {
    const { accessModes: _modes, capacity, currentVolumeAttributesClassName: current, ...kept } = claim.status ?? {};
    // Later, a resizer writes it.
    const attributesClass = kept.phase === "Pending" && phase === "Bound" ? volume?.spec?.volumeAttributesClassName : current;
    const bound =
      volume === undefined
        ? {}
        : {
            accessModes: volume.spec?.accessModes ?? [],
            ...(attributesClass === undefined ? {} : { currentVolumeAttributesClassName: attributesClass }),
            capacity: claim.status?.phase === "Bound" && capacity !== undefined ? capacity : (volume.spec?.capacity ?? {}),
          };
    const status: PersistentVolumeClaimStatus = { ...kept, phase, ...bound };
    if (sameValue(status, claim.status)) return claim;
    return this.#context.client.updateStatus(kinds.persistentVolumeClaims, { ...claim, status });
  }

  /** Marks a claim as lost, with an event at the change. */
  lose(claim: Claim, reason: string, message: string): void {
    if (claim.status?.phase === "Lost") return;
    this.#context.events.warning(this.setClaimStatus(claim, "Lost"), reason, message);
  }
}

function annotated<O extends Claim | Volume>({ metadata }: O, added: { readonly [name: string]: string }): O["metadata"] {
  return { ...metadata, annotations: { ...metadata.annotations, ...added } };
}
