// Binds claims to volumes, and decides what becomes of a volume whose claim is gone (pkg/controller/volume/persistentvolume).

import type { PersistentVolume, PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf } from "#cluster/api/objects.ts";
import { claimKeyOf, type Volume } from "#cluster/volumes/matching.ts";
import { once } from "#sim/late.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";

export const volumeBindingController: ControllerDefinition = {
  name: "persistentvolume-binder-controller",
  serviceAccount: "persistent-volume-binder",
  eventSource: "persistentvolume-controller",
  create: (context) => new VolumeBindingController(context),
};

/** Keys: `claim/NAMESPACE/NAME` and `volume/NAME`. No cluster begins with any. */
class VolumeBindingController implements Controller {
  readonly name = "persistentvolume-binder-controller";
  readonly watches;
  readonly #pass;
  #enqueue: (key: string) => void = () => {};

  constructor(context: ControllerContext) {
    const { informers } = context;
    const parts = {
      context,
      claims: informers.informer(kinds.persistentVolumeClaims),
      volumes: informers.informer(kinds.persistentVolumes),
      classes: informers.informer(kinds.storageClasses),
      pods: informers.informer(kinds.pods),
      enqueue: (claim: string) => this.#enqueue(claimKey(claim)),
    };
    this.#pass = once(() => new latePasses.code.BindingPass(parts));
    this.watches = [
      watchRule<PersistentVolumeClaim>({
        resource: kinds.persistentVolumeClaims,
        keys: (claim, _previous, deleted) => (deleted ? volumeKeys(claim.spec?.volumeName) : [claimKey(keyOf(claim))]),
      }),
      watchRule<PersistentVolume>({
        resource: kinds.persistentVolumes,
        keys: (volume, _previous, deleted) => (deleted ? claimKeys(volume) : volumeKeys(volume.metadata.name)),
      }),
    ];
  }

  start(enqueue: (key: string) => void): void {
    this.#enqueue = enqueue;
  }

  reconcile(key: string): Requeue | undefined {
    const slash = key.indexOf("/");
    const name = key.slice(slash + 1);
    return key.startsWith("volume/") ? this.#pass().ofVolume(name) : this.#pass().ofClaim(name);
  }
}

function claimKey(key: string): string {
  return `claim/${key}`;
}

function volumeKeys(name: string | undefined): readonly string[] {
  return name === undefined || name === "" ? [] : [`volume/${name}`];
}

function claimKeys(volume: Volume): readonly string[] {
  const key = claimKeyOf(volume);
  return key === undefined ? [] : [claimKey(key)];
}
