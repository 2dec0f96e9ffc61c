// The history of a DaemonSet's template as ControllerRevisions (pkg/controller/daemon/update.go, controller/history).

import type { ControllerRevision, DaemonSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { compareInt64, type Int64, nextInt64 } from "#cluster/api/wire.ts";
import type { Client } from "#cluster/client/client.ts";
import { sameValue } from "#cluster/client/equality.ts";
import { isReason } from "#cluster/client/retry.ts";
import { controllerReference } from "../ownership.ts";
import { podTemplateHash } from "../pod-template-hash.ts";
import { revisionData } from "../revision-data.ts";
import { revisionLabel } from "./daemon-pods.ts";

/** The revision of the present template, made or brought to the front where needed. */
export function currentRevision(
  client: Client,
  owned: readonly Stored<ControllerRevision>[],
  set: Stored<DaemonSet>,
): Stored<ControllerRevision> {
  const data = revisionData(set.spec?.template);
  const highest = owned.reduce<Int64>((max, { revision }) => (revision > max ? revision : max), 0);
  const equal = owned.filter((revision) => sameValue(revision.data, data)).sort((a, b) => compareInt64(b.revision, a.revision))[0];
  if (equal !== undefined) {
    return equal.revision === highest
      ? equal
      : client.update(kinds.controllerRevisions, { ...equal, revision: nextInt64(highest) });
  }
  const hash = podTemplateHash(set.spec?.template ?? {}, set.status?.collisionCount);
  const { namespace = "" } = set.metadata;
  const name = `${set.metadata.name}-${hash}`;
  try {
    return client.create(kinds.controllerRevisions, {
      metadata: {
        namespace,
        name,
        labels: { ...set.spec?.template.metadata?.labels, [revisionLabel]: hash },
        ...(set.metadata.annotations === undefined ? {} : { annotations: set.metadata.annotations }),
        ownerReferences: [controllerReference(set)],
      },
      data,
      revision: nextInt64(highest),
    });
  } catch (error) {
    if (!isReason(error, "AlreadyExists")) throw error;
    return client.get(kinds.controllerRevisions, { namespace, name });
  }
}

/** Old revisions beyond the limit go, but for those that Pods still have. */
export function trimHistory(
  client: Client,
  owned: readonly Stored<ControllerRevision>[],
  set: Stored<DaemonSet>,
  current: string,
  inUse: ReadonlySet<string>,
): void {
  const limit = set.spec?.revisionHistoryLimit ?? 10;
  const hashOf = (revision: Stored<ControllerRevision>): string => revision.metadata.labels?.[revisionLabel] ?? "";
  const old = owned.filter((revision) => hashOf(revision) !== current && !inUse.has(hashOf(revision)));
  const surplus = old.length - limit;
  if (surplus <= 0) return;
  for (const revision of old.sort((a, b) => compareInt64(a.revision, b.revision)).slice(0, surplus)) {
    try {
      client.delete(kinds.controllerRevisions, splitKey(keyOf(revision)));
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
  }
}
