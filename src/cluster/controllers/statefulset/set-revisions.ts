// The history of a StatefulSet's template as ControllerRevisions (stateful_set_control.go, controller/history).

import type { ControllerRevision, PodTemplateSpec, StatefulSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type JsonValue, keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { compareInt64, type Int64, nextInt64 } from "#cluster/api/wire.ts";
import type { Client } from "#cluster/client/client.ts";
import { sameValue } from "#cluster/client/equality.ts";
import { isReason } from "#cluster/client/retry.ts";
import { controllerReference } from "../ownership.ts";
import { podTemplateHash } from "../pod-template-hash.ts";
import { revisionData } from "../revision-data.ts";

const hashLabel = "controller.kubernetes.io/hash";

export interface SetRevisions {
  /** What Pods below the partition, or not yet updated, are made from. */
  readonly current: Stored<ControllerRevision>;
  readonly update: Stored<ControllerRevision>;
  readonly collisionCount: number;
}

/** The revisions that count for a set; the one of its present template is made, or brought to the front, where needed. */
export function setRevisions(client: Client, owned: readonly Stored<ControllerRevision>[], set: Stored<StatefulSet>): SetRevisions {
  const data = revisionData(set.spec?.template);
  const sorted = [...owned].sort((a, b) => compareInt64(a.revision, b.revision));
  const last = sorted.at(-1);
  const equal = sorted.filter((revision) => sameValue(revision.data, data)).at(-1);
  const next = nextInt64(last?.revision ?? 0);
  let collisionCount = set.status?.collisionCount ?? 0;
  let update = equal;
  if (equal === undefined) ({ update, collisionCount } = created(client, set, data, next, collisionCount));
  else if (equal !== last) update = client.update(kinds.controllerRevisions, { ...equal, revision: next });
  const newest = update as Stored<ControllerRevision>;
  const current = sorted.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? newest;
  return { current: current.metadata.name === newest.metadata.name ? newest : current, update: newest, collisionCount };
}

function created(
  client: Client,
  set: Stored<StatefulSet>,
  data: JsonValue,
  revision: Int64,
  collisions: number,
): { readonly update: Stored<ControllerRevision>; readonly collisionCount: number } {
  const { namespace = "", name, annotations } = set.metadata;
  for (let collisionCount = collisions; ; collisionCount += 1) {
    const hash = podTemplateHash(set.spec?.template ?? {}, collisionCount === 0 ? undefined : collisionCount);
    const key = { namespace, name: `${name}-${hash}` };
    const labels = { ...set.spec?.template.metadata?.labels, [hashLabel]: hash };
    const metadata = {
      ...key,
      labels,
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(set)],
    };
    try {
      return { update: client.create(kinds.controllerRevisions, { metadata, data, revision }), collisionCount };
    } catch (error) {
      if (!isReason(error, "AlreadyExists")) throw error;
      const existing = client.get(kinds.controllerRevisions, key);
      if (sameValue(existing.data, data)) return { update: existing, collisionCount };
    }
  }
}

/** The template that a revision keeps. */
export function templateOf(revision: Stored<ControllerRevision>): PodTemplateSpec {
  const { spec } = revision.data as { readonly spec: { readonly template: PodTemplateSpec & { readonly $patch?: string } } };
  const { $patch: _patch, ...template } = spec.template;
  return template;
}

/** Old revisions beyond the limit go, but for those that count or that Pods still have. */
export function trimRevisions(
  client: Client,
  owned: readonly Stored<ControllerRevision>[],
  set: Stored<StatefulSet>,
  live: ReadonlySet<string>,
): void {
  const limit = set.spec?.revisionHistoryLimit ?? 10;
  // A negative limit keeps all.
  if (limit < 0) return;
  const old = owned.filter(({ metadata }) => !live.has(metadata.name)).sort((a, b) => compareInt64(a.revision, b.revision));
  for (const revision of old.slice(0, Math.max(0, old.length - limit))) {
    try {
      client.delete(kinds.controllerRevisions, splitKey(keyOf(revision)));
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
  }
}
