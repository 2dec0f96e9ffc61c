// Makes the claims that Pods bring along as templates: POD-VOLUME, owned by the Pod (pkg/controller/volume/ephemeral).

import type { PersistentVolumeClaim, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf } from "#cluster/api/objects.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";

const name = "ephemeral-volume-controller";
/** Index: Pods by the claims that their templates come to. */
const byClaim = "ephemeralClaim";

export const ephemeralVolumeController: ControllerDefinition = {
  name,
  serviceAccount: name,
  eventSource: "ephemeral_volume",
  create({ client, events, informers }) {
    const pods = informers.informer(kinds.pods);
    pods.addIndex(byClaim, (pod) => (hasTemplates(pod) ? latePasses.code.claimKeys(pod) : noKeys));
    const claims = informers.informer(kinds.persistentVolumeClaims);
    return {
      name,
      watches: [
        watchRule<Pod>({
          resource: kinds.pods,
          keys: (pod, previous, deleted) => (deleted || previous !== undefined || !hasTemplates(pod) ? [] : [keyOf(pod)]),
        }),
        // A claim that was in the way, or was taken away.
        watchRule<PersistentVolumeClaim>({
          resource: kinds.persistentVolumeClaims,
          keys: (claim, _previous, deleted) => (deleted ? [...pods.byIndex(byClaim, keyOf(claim))].map(keyOf) : []),
        }),
      ],
      reconcile(key) {
        const pod = pods.get(key);
        if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
        latePasses.code.makeClaims(client, events, claims, pod);
        return undefined;
      },
    };
  },
};

const noKeys: readonly string[] = [];

function hasTemplates({ spec }: Pod): boolean {
  return spec?.volumes?.some(({ ephemeral }) => ephemeral !== undefined) === true;
}
