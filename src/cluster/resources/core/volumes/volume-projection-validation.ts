// Projected volumes: several sources in one directory, no two at the same path (pkg/apis/core/validation:
// validateProjectionSources). Trust bundles and pod certificates are behind gates that are off: they never come this far.

import type { ProjectedVolumeSource, ServiceAccountTokenProjection, VolumeProjection } from "#cluster/api/generated/types.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateDownwardFile, validateFileMode, validateItem } from "./volume-file-validation.ts";
import { validateFilePath } from "./volume-paths.ts";

const minTokenSeconds = 10 * 60;
const maxTokenSeconds = 2 ** 32;

export function validateProjected({ defaultMode, sources = [] }: ProjectedVolumeSource, path: Path, errors: FieldErrors): void {
  validateFileMode(defaultMode, path.child("defaultMode"), errors);
  const taken = new Set<string>();
  /** `subject` is what upstream shows of a conflict: the source's name or the path. */
  const take = (target: string, subject: string): void => {
    if (target === "") return;
    if (taken.has(target)) errors.invalid(path, subject, "conflicting duplicate paths");
    taken.add(target);
  };
  for (const [index, source] of sources.entries()) validateSource(source, path.child("sources").index(index), path, take, errors);
}

function validateSource(
  source: VolumeProjection,
  path: Path,
  volume: Path,
  take: (target: string, subject: string) => void,
  errors: FieldErrors,
): void {
  const { downwardAPI, serviceAccountToken } = source;
  let count = 0;
  for (const name of ["secret", "configMap"] as const) {
    const keyed = source[name];
    if (keyed === undefined) continue;
    count += 1;
    if (!keyed.name) errors.required(path.child(name, "name"));
    for (const [index, item] of (keyed.items ?? []).entries()) {
      validateItem(item, path.child(name, "items").index(index), errors);
      take(item.path ?? "", keyed.name ?? "");
    }
  }
  if (downwardAPI !== undefined) {
    count += 1;
    for (const file of downwardAPI.items ?? []) {
      validateDownwardFile(file, path.child("downwardAPI"), errors);
      take(file.path ?? "", file.path ?? "");
    }
  }
  if (serviceAccountToken !== undefined) {
    count += 1;
    validateToken(serviceAccountToken, path.child("serviceAccountToken"), volume, errors);
  }
  if (count > 1) errors.forbidden(path, "may not specify more than 1 volume type per source");
}

function validateToken(token: ServiceAccountTokenProjection, path: Path, volume: Path, errors: FieldErrors): void {
  const { expirationSeconds, path: target = "" } = token;
  const at = path.child("expirationSeconds");
  if (expirationSeconds === undefined) errors.required(at);
  else if (expirationSeconds < minTokenSeconds) {
    errors.invalid(at, expirationSeconds, "may not specify a duration less than 10 minutes");
  } else if (expirationSeconds > maxTokenSeconds) {
    errors.invalid(at, expirationSeconds, "may not specify a duration larger than 2^32 seconds");
  }
  // The path is named at the volume, as upstream does.
  if (target === "") errors.required(volume.child("path"));
  else validateFilePath(target, volume.child("path"), errors);
}
