// The claims of a Pod, as the plugins for volumes look at them.

import type { PersistentVolumeClaim, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";

export interface NamedClaim {
  readonly name: string;
  /** The Pod brings the claim along itself. */
  readonly isEphemeral: boolean;
}

/** Names of the claims that a Pod mounts. */
export function claimsOf(pod: Pod): readonly NamedClaim[] {
  return (pod.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }): readonly NamedClaim[] => {
    if (ephemeral !== undefined) return [{ name: `${pod.metadata?.name ?? ""}-${name}`, isEphemeral: true }];
    return persistentVolumeClaim === undefined ? [] : [{ name: persistentVolumeClaim.claimName, isEphemeral: false }];
  });
}

/** Those of a Pod's claims that are there. */
export function knownClaims(pod: Stored<Pod>, claims: Informer<PersistentVolumeClaim>): readonly Stored<PersistentVolumeClaim>[] {
  return claimsOf(pod).flatMap(({ name }) => claims.get(`${pod.metadata.namespace ?? ""}/${name}`) ?? []);
}
