// Rules that volumes and claims share: access modes, volume modes, names of classes.

import { classAnnotation } from "#cluster/volumes/classes.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { subdomainName } from "../../name-rules.ts";

export const volumeModes = ["Block", "Filesystem"];
const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** One that only one pod may have goes with no other. */
export function validateAccessModes(modes: readonly string[], path: Path, errors: FieldErrors): void {
  for (const mode of modes) if (!accessModes.includes(mode)) errors.notSupported(path, mode, accessModes);
  if (modes.includes("ReadWriteOncePod") && modes.some((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode))) {
    errors.forbidden(path, "may not use ReadWriteOncePod with other access modes");
  }
}

export function validateClassName(name: string | undefined, path: Path, errors: FieldErrors): void {
  if (name) for (const reason of subdomainName(name, false)) errors.invalid(path, name, reason);
}

export function classWarnings(annotations: { readonly [name: string]: string } | undefined): readonly string[] {
  return annotations?.[classAnnotation] === undefined
    ? []
    : [`metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`];
}
