// The volumes of a pod (pkg/apis/core/validation: ValidateVolumes, validateVolumeSource): one source each, names that are
// labels and differ. What a source must be is in the other files named volume-*.

import type { ObjectMeta, Volume } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateBy } from "../selector-validation.ts";
import { type SourceRule, type VolumeSource, type VolumeSourceName, volumeSources } from "./volume-sources.ts";

/** The volumes that were found valid, by name: what mounts may refer to. */
export type VolumesByName = ReadonlyMap<string, Volume>;

const noVolumes: VolumesByName = new Map();

/** `pod` is the metadata of a pod, absent for a template. */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  pod: ObjectMeta | undefined,
  path: Path,
  errors: FieldErrors,
): VolumesByName {
  if (volumes === undefined || volumes.length === 0) return noVolumes;
  const valid = new Map<string, Volume>();
  const podName = pod?.name ?? "";
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    const before = errors.causes.length;
    validateSource(volume, podName, at, errors);
    if (!volume.name) errors.required(at.child("name"));
    else validateBy(dns1123LabelReasons, volume.name, at.child("name"), errors);
    if (valid.has(volume.name)) errors.duplicate(at.child("name"), volume.name);
    if (errors.causes.length === before) valid.set(volume.name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && podName !== "" && isMadeForPod(claim, podName, volumes)) {
      const detail = "must not reference a PVC that gets created for an ephemeral volume";
      errors.invalid(at.child("persistentVolumeClaim", "claimName"), claim, detail);
    }
  }
  return valid;
}

function isMadeForPod(claim: string, podName: string, volumes: readonly Volume[]): boolean {
  return volumes.some((volume) => volume.ephemeral !== undefined && claim === `${podName}-${volume.name}`);
}

function validateBySource<N extends VolumeSourceName>(name: N, source: VolumeSource<N>, path: Path, errors: FieldErrors): void {
  const rule: SourceRule<N> = volumeSources[name];
  rule.validate?.(source, path.child(rule.validatedAs ?? name), errors);
}

function validateSource(volume: Volume, podName: string, path: Path, errors: FieldErrors): void {
  let count = 0;
  for (const name in volumeSources) {
    const source = volume[name as VolumeSourceName];
    if (source === undefined) continue;
    count += 1;
    const { repeatedAs = name } = volumeSources[name as VolumeSourceName];
    if (count > 1) errors.forbidden(path.child(repeatedAs), "may not specify more than 1 volume type");
    else {
      validateBySource(name as VolumeSourceName, source, path, errors);
      if (name === "ephemeral") validateClaimName(volume.name, podName, path, errors);
    }
    if (name === "iscsi") validateInitiatorLength(volume, path, errors);
  }
  if (count === 0) errors.required(path, "must specify a volume type");
}

/** The claim that is made for an ephemeral volume is named after the pod and the volume. */
function validateClaimName(volumeName: string, podName: string, path: Path, errors: FieldErrors): void {
  if (podName === "" || !volumeName) return;
  const claim = `${podName}-${volumeName}`;
  for (const reason of dns1123SubdomainReasons(claim))
    errors.invalid(path.child("name"), volumeName, `PVC name "${claim}": ${reason}`);
}

function validateInitiatorLength({ name, iscsi }: Volume, path: Path, errors: FieldErrors): void {
  if (iscsi?.initiatorName === undefined || `${name}:${iscsi.targetPortal}`.length <= 64) return;
  const detail =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  errors.invalid(path.child("name"), name, detail);
}
