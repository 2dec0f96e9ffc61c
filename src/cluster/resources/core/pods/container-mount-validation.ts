// Where containers see volumes: mounts and raw devices (pkg/apis/core/validation: ValidateVolumeMounts, ValidateVolumeDevices).

import type { Container, VolumeDevice, VolumeMount } from "#cluster/api/generated/types.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { hasBackstep, validateDescendingPath } from "../volumes/volume-paths.ts";
import type { VolumesByName } from "../volumes/volume-validation.ts";

const propagations = ["Bidirectional", "HostToContainer", "None"];
const readOnlyModes = ["Disabled", "Enabled", "IfPossible"];

export function validateMounts(container: Container, volumes: VolumesByName, path: Path, errors: FieldErrors): void {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const taken = new Set<string>();
  for (const [index, mount] of volumeMounts.entries()) {
    const at = path.index(index);
    const { name = "", mountPath = "", subPath = "", subPathExpr = "" } = mount;
    if (name === "") errors.required(at.child("name"));
    if (!volumes.has(name)) errors.notFound(at.child("name"), name);
    if (mountPath === "") errors.required(at.child("mountPath"));
    if (taken.has(mountPath)) errors.invalid(at.child("mountPath"), mountPath, "must be unique");
    taken.add(mountPath);
    if (volumeDevices.some((device) => device.name === name)) {
      errors.invalid(at.child("name"), name, "must not already exist in volumeDevices");
    }
    if (volumeDevices.some((device) => device.devicePath === mountPath)) {
      errors.invalid(at.child("mountPath"), mountPath, "must not already exist as a path in volumeDevices");
    }
    // From here on upstream names the list, not the mount.
    if (subPath !== "") validateDescendingPath(subPath, path.child("subPath"), errors);
    if (subPathExpr !== "") {
      if (subPath !== "") errors.invalid(at.child("subPathExpr"), subPathExpr, "subPathExpr and subPath are mutually exclusive");
      validateDescendingPath(subPathExpr, path.child("subPathExpr"), errors);
    }
    validatePropagation(mount, container, path.child("mountPropagation"), errors);
    validateRecursiveReadOnly(mount, path.child("recursiveReadOnly"), errors);
  }
}

function validatePropagation({ mountPropagation }: VolumeMount, container: Container, path: Path, errors: FieldErrors): void {
  if (mountPropagation === undefined) return;
  if (!propagations.includes(mountPropagation)) errors.notSupported(path, mountPropagation, propagations);
  if (mountPropagation === "Bidirectional" && container.securityContext?.privileged !== true) {
    errors.forbidden(path, "Bidirectional mount propagation is available only to privileged containers");
  }
}

function validateRecursiveReadOnly(mount: VolumeMount, path: Path, errors: FieldErrors): void {
  const { recursiveReadOnly, readOnly, mountPropagation } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === "Disabled") return;
  if (!readOnlyModes.includes(recursiveReadOnly)) {
    errors.notSupported(path, recursiveReadOnly, readOnlyModes);
    return;
  }
  if (readOnly !== true) errors.forbidden(path, "may only be specified when readOnly is true");
  if (mountPropagation !== undefined && mountPropagation !== "None") {
    errors.forbidden(path, "may only be specified when mountPropagation is None or not specified");
  }
}

export function validateDevices(
  devices: readonly VolumeDevice[],
  mounts: readonly VolumeMount[],
  volumes: VolumesByName,
  path: Path,
  errors: FieldErrors,
): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [index, { name = "", devicePath = "" }] of devices.entries()) {
    const at = path.index(index);
    const volume = volumes.get(name);
    if (name === "") errors.required(at.child("name"));
    if (names.has(name)) errors.invalid(at.child("name"), name, "must be unique");
    if (volume === undefined) errors.notFound(at.child("name"), name);
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      errors.invalid(at.child("name"), name, detail);
    }
    if (devicePath === "") errors.required(at.child("devicePath"));
    if (paths.has(devicePath)) errors.invalid(at.child("devicePath"), devicePath, "must be unique");
    if (hasBackstep(devicePath)) errors.invalid(at.child("devicePath"), devicePath, "can not contain backsteps ('..')");
    else paths.add(devicePath);
    if (mounts.some((mount) => mount.name === name)) {
      errors.invalid(at.child("name"), name, "must not already exist in volumeMounts");
    }
    if (mounts.some((mount) => mount.mountPath === devicePath)) {
      errors.invalid(at.child("devicePath"), devicePath, "must not already exist as a path in volumeMounts");
    }
    if (name !== "") names.add(name);
  }
}
