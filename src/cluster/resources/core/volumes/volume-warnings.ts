// What a client is told about a pod's volumes that are accepted all the same (pkg/api/pod/warnings.go): kinds that have gone
// out of use, and files that are in each other's way.

import type { Volume, VolumeProjection } from "#cluster/api/generated/types.ts";
import type { Path } from "../../field-errors.ts";
import { claimSpecWarnings } from "./claim-spec.ts";

/** In upstream's order. */
const oldVolumes: readonly (readonly [keyof Volume, string, string?])[] = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+", "storageOS"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

/** A file of a volume; `source` is what messages say it comes from. */
interface File {
  readonly path: string;
  readonly source: string;
}

export function volumeWarnings(volumes: readonly Volume[], path: Path): readonly string[] {
  const warnings: string[] = [];
  for (const [index, volume] of volumes.entries()) {
    for (const [name, text, shownAs = name] of oldVolumes) {
      if (name === "cephfs" && volume.ephemeral !== undefined) {
        const at = path.index(index).child("ephemeral", "volumeClaimTemplate", "spec");
        warnings.push(...claimSpecWarnings(volume.ephemeral.volumeClaimTemplate?.spec, at));
      }
      if (volume[name] !== undefined) warnings.push(`${path.index(index).child(shownAs)}: ${text}`);
    }
  }
  return [...warnings, ...volumes.flatMap(overlaps)];
}

/** Of two files at one path the later wins; a file at the path of a directory cannot be written. */
function overlaps({ name, configMap, secret, downwardAPI, projected }: Volume): readonly string[] {
  const shown = `volume ${JSON.stringify(name)}`;
  const told = (kind: string, files: readonly File[]) =>
    clashes(files).map((clash) => `${shown} (${kind}): overlapping paths: ${clash}`);
  const empty = (projected?.sources ?? []).filter((source) => Object.keys(source).length === 0);
  return [
    ...told(`ConfigMap ${JSON.stringify(configMap?.name ?? "")}`, filesOf(configMap?.items, "")),
    ...told(`Secret ${JSON.stringify(secret?.secretName ?? "")}`, filesOf(secret?.items, "")),
    ...told("DownwardAPI", filesOf(downwardAPI?.items, "")),
    ...empty.map(() => `${shown} (Projected) has no sources provided`),
    ...told("Projected", (projected?.sources ?? []).flatMap(projectedFiles)),
  ];
}

function filesOf(items: readonly { readonly path?: string }[] | undefined, source: string): readonly File[] {
  return (items ?? []).map(({ path = "" }) => ({ path, source }));
}

/** Of a whole ConfigMap or Secret nobody knows the files yet. */
function projectedFiles({ configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection): readonly File[] {
  if (configMap?.items !== undefined) return filesOf(configMap.items, `ConfigMap ${JSON.stringify(configMap.name ?? "")}`);
  if (secret?.items !== undefined) return filesOf(secret.items, `Secret ${JSON.stringify(secret.name ?? "")}`);
  if (downwardAPI?.items !== undefined) return filesOf(downwardAPI.items, "DownwardAPI");
  return serviceAccountToken === undefined ? [] : filesOf([serviceAccountToken], "ServiceAccountToken");
}

/** `"a/b" with "a"`: each file with those before it that are at its path, above it or below. */
function clashes(files: readonly File[]): readonly string[] {
  const cut = files.map(({ path, source }) => ({ path: path.replace(/\/+$/, ""), source }));
  return cut.flatMap((file, index) =>
    cut
      .slice(0, index)
      .filter((earlier) => file.path !== "" && earlier.path !== "" && (isWithin(file, earlier) || isWithin(earlier, file)))
      .map((earlier) => `${shownFile(file)} with ${shownFile(earlier)}`),
  );
}

function isWithin(file: File, other: File): boolean {
  return `${file.path}/`.startsWith(`${other.path}/`);
}

function shownFile({ path, source }: File): string {
  return source === "" ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
}
