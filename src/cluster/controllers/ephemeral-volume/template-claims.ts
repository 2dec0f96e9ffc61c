// The claims that a Pod's templates come to.

import type { PersistentVolumeClaim, Pod, Volume } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft, Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { controllerReference } from "../ownership.ts";

export function claimKeys({ metadata, spec }: Stored<Pod>): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name: volume, ephemeral }) =>
    ephemeral === undefined ? [] : [`${metadata.namespace ?? ""}/${metadata.name}-${volume}`],
  );
}

/** One that is in the way stays: when it goes, its turn comes. */
export function makeClaims(client: Client, claims: Informer<PersistentVolumeClaim>, pod: Stored<Pod>): void {
  for (const volume of pod.spec?.volumes ?? []) {
    const draft = claimOf(pod, volume);
    if (draft === undefined || claims.get(`${pod.metadata.namespace ?? ""}/${draft.metadata.name}`) !== undefined) continue;
    client.create(kinds.persistentVolumeClaims, draft);
  }
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
