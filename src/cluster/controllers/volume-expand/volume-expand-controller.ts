// Tells claims that ask for more than they have that somebody else makes their volumes larger: no volume of this controller manager's own
// kinds can grow (pkg/controller/volume/expand).

import type { PersistentVolume, PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { compareAmounts } from "#cluster/quota/resource-list.ts";
import { growthOf } from "#cluster/volumes/growth.ts";
import { type Claim, isBoundTo } from "#cluster/volumes/matching.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, TryAgain, watchRule } from "../controller.ts";

const name = "persistentvolume-expander-controller";

export const volumeExpandController: ControllerDefinition = {
  name,
  serviceAccount: "expand-controller",
  eventSource: "volume_expand",
  create: (context) => new VolumeExpandController(context),
};

class VolumeExpandController implements Controller {
  readonly name = name;
  readonly watches = [
    watchRule<PersistentVolumeClaim>({
      resource: kinds.persistentVolumeClaims,
      keys: (claim, previous) => (claim.status?.phase === "Bound" && hasGrown(claim, previous) ? [keyOf(claim)] : []),
    }),
  ];
  readonly #context: ControllerContext;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#claims = context.informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = context.informers.informer(kinds.persistentVolumes);
  }

  reconcile(key: string): undefined {
    const claim = this.#claims.get(key);
    if (claim === undefined) return;
    const volume = this.#volumes.get(claim.spec?.volumeName ?? "");
    if (volume === undefined || !isBoundTo(volume, claim))
      throw new TryAgain(`persistent Volume is not bound to PVC being updated : ${key}`);
    const { requested, capacity } = growthOf(claim);
    if (compareAmounts(requested, capacity) <= 0) return;
    this.#context.events.normal(claim, "ExternalExpanding", "waiting for an external controller to expand this PVC");
  }
}

function hasGrown(claim: Claim, previous: Claim | undefined): boolean {
  if (previous === undefined) return true;
  const [now, before] = [growthOf(claim), growthOf(previous)];
  return compareAmounts(now.requested, before.requested) > 0 || compareAmounts(now.capacity, before.capacity) > 0;
}
