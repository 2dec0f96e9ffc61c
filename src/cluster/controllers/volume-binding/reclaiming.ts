// Which volumes the controller manager can delete itself: of the types built into it only hostPath, and that only in /tmp of its own
// file system (pkg/volume/hostpath, hostPathDeleter).

import type { Volume } from "#cluster/volumes/matching.ts";

/** Types that it has code for, none of which deletes. */
const builtInTypes = ["local", "nfs"] as const;

/** The text of the failure; undefined when the volume can go. */
export function whyNotDeletable(volume: Volume): string | undefined {
  const { hostPath } = volume.spec ?? {};
  if (hostPath === undefined) {
    const isBuiltIn = builtInTypes.some((type) => volume.spec?.[type] !== undefined);
    const reason = isBuiltIn ? "no deletable volume plugin matched" : "no volume plugin matched";
    return `error getting deleter volume plugin for volume "${volume.metadata.name}": ${reason}`;
  }
  if (/\/tmp\/.+/.test(hostPath.path)) return undefined;
  return `host_path deleter only supports /tmp/.+ but received provided ${hostPath.path}`;
}
