// Which claims a Pod uses.

import type { Pod } from "#cluster/api/generated/types.ts";

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
