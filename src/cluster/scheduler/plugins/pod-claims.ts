// The claims of a Pod, as the plugins for volumes look at them.

import type { PersistentVolumeClaim, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { claimsOf } from "#cluster/volumes/pod-claims.ts";

/** Those of a Pod's claims that are there. */
export function knownClaims(pod: Stored<Pod>, claims: Informer<PersistentVolumeClaim>): readonly Stored<PersistentVolumeClaim>[] {
  return claimsOf(pod).flatMap(({ name }) => claims.get(`${pod.metadata.namespace ?? ""}/${name}`) ?? []);
}
