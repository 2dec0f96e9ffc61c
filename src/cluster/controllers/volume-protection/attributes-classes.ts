// Which VolumeAttributesClasses claims and volumes name.

import type { PersistentVolume, PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { WatchRule } from "../controller.ts";

export function classesOfClaim({ spec, status }: Stored<PersistentVolumeClaim>): readonly string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names)].filter((name) => name !== undefined && name !== "") as string[];
}

export function classesOfVolume({ spec }: Stored<PersistentVolume>): readonly string[] {
  return spec?.volumeAttributesClassName ? [spec.volumeAttributesClassName] : [];
}

/** The names that an object has ceased to name. */
function noLonger<T>(namesOf: (object: Stored<T>) => readonly string[]): WatchRule<T>["keys"] {
  return (object, previous, deleted) => {
    if (deleted) return namesOf(object);
    const names = namesOf(object);
    return previous === undefined ? [] : namesOf(previous).filter((name) => !names.includes(name));
  };
}

export const noLongerNamedBy = noLonger(classesOfClaim);
export const noLongerNamedOf = noLonger(classesOfVolume);
