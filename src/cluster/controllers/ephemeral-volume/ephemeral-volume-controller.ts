// Makes the claims that Pods bring along as templates: POD-VOLUME, owned by the Pod (pkg/controller/volume/ephemeral).

import type { PersistentVolumeClaim, Pod, Volume } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Draft, keyOf, type Stored } from "#cluster/api/objects.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
import { controllerReference } from "../ownership.ts";

const name = "ephemeral-volume-controller";
/** Index: Pods by the claims that their templates come to. */
const byClaim = "ephemeralClaim";

export const ephemeralVolumeController: ControllerDefinition = {
  name,
  serviceAccount: name,
  create({ client, informers }) {
    const pods = informers.informer(kinds.pods);
    pods.addIndex(byClaim, claimKeys);
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
        for (const volume of pod.spec?.volumes ?? []) {
          const draft = claimOf(pod, volume);
          // One that is in the way stays: when it goes, its turn comes.
          if (draft === undefined || claims.get(`${pod.metadata.namespace ?? ""}/${draft.metadata.name}`) !== undefined) continue;
          client.create(kinds.persistentVolumeClaims, draft);
        }
        return undefined;
      },
    };
  },
};

const noKeys: readonly string[] = [];

/** Claims that a Pod's templates come to. */
function claimKeys(pod: Stored<Pod>): readonly string[] {
  if (!hasTemplates(pod)) return noKeys;
  const { metadata, spec } = pod;
  return (spec?.volumes ?? []).flatMap(({ name: volume, ephemeral }) =>
    ephemeral === undefined ? [] : [`${metadata.namespace ?? ""}/${metadata.name}-${volume}`],
  );
}

function hasTemplates({ spec }: Pod): boolean {
  return spec?.volumes?.some(({ ephemeral }) => ephemeral !== undefined) === true;
}

function claimOf(pod: Stored<Pod>, volume: Volume): (Draft<PersistentVolumeClaim> & { metadata: { name: string } }) | undefined {
  const template = volume.ephemeral?.volumeClaimTemplate;
  if (template === undefined) return undefined;
  const { labels, annotations } = template.metadata ?? {};
  return {
    metadata: {
      namespace: pod.metadata.namespace ?? "",
      name: `${pod.metadata.name}-${volume.name}`,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(pod)],
    },
    spec: template.spec,
  };
}
