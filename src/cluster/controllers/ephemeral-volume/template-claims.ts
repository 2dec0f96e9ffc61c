// The claims that a Pod's templates come to.

import { ApiError } from "#cluster/api/errors.ts";
import type { PersistentVolumeClaim, Pod, Volume } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft, Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { TryAgain } from "../controller.ts";
import { controllerReference } from "../ownership.ts";

export function claimKeys({ metadata, spec }: Stored<Pod>): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name: volume, ephemeral }) =>
    ephemeral === undefined ? [] : [`${metadata.namespace ?? ""}/${metadata.name}-${volume}`],
  );
}

/** One that is in the way stays: when it goes, its turn comes. What fails is told, and tried again. */
export function makeClaims(client: Client, events: EventRecorder, claims: Informer<PersistentVolumeClaim>, pod: Stored<Pod>): void {
  for (const volume of pod.spec?.volumes ?? []) {
    const draft = claimOf(pod, volume);
    if (draft === undefined) continue;
    const problem = problemWith(client, claims, pod, draft);
    if (problem === undefined) continue;
    const message = `ephemeral volume ${volume.name}: ${problem}`;
    events.warning(pod, "FailedBinding", message);
    throw new TryAgain(message);
  }
}

function problemWith(
  client: Client,
  claims: Informer<PersistentVolumeClaim>,
  { metadata }: Stored<Pod>,
  draft: NamedDraft,
): string | undefined {
  const namespace = metadata.namespace ?? "";
  const { name } = draft.metadata;
  const there = claims.get(`${namespace}/${name}`);
  if (there !== undefined) {
    const isOwn =
      there.metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === metadata.uid) === true;
    const pod = `${namespace}/${metadata.name}`;
    return isOwn ? undefined : `PVC ${namespace}/${name} was not created for pod ${pod} (pod is not owner)`;
  }
  try {
    client.create(kinds.persistentVolumeClaims, draft);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return `create PVC ${name}: ${error.message}`;
    throw error;
  }
}

type NamedDraft = Draft<PersistentVolumeClaim> & { metadata: { name: string } };

function claimOf(pod: Stored<Pod>, volume: Volume): NamedDraft | undefined {
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
