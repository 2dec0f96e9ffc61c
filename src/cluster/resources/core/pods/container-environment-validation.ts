// Environment variables (pkg/apis/core/validation: ValidateEnv, ValidateEnvFrom, validateFileKeyRefVolumes).

import type { Container, EnvFromSource, EnvVar, EnvVarSource, PodSpec } from "#cluster/api/generated/types.ts";
import {
  configMapKeyReasons,
  dns1123LabelReasons,
  dns1123SubdomainReasons,
  maskTrailingDash,
  relaxedEnvironmentNameReasons,
} from "#cluster/api/names.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { validateBy } from "../selector-validation.ts";
import { validateNoBacksteps } from "../volumes/volume-paths.ts";
import { environmentFieldPaths, validateFieldReference, validateResourceReference } from "./container-reference-validation.ts";
import { forEachContainer, someContainer } from "./container-visiting.ts";

export function validateEnvironment(variables: readonly EnvVar[], path: Path, errors: FieldErrors): void {
  for (const [index, variable] of variables.entries()) {
    const at = path.index(index);
    if (!variable.name) errors.required(at.child("name"));
    else validateBy(relaxedEnvironmentNameReasons, variable.name, at.child("name"), errors);
    if (variable.valueFrom !== undefined) validateSource(variable.valueFrom, variable.value ?? "", at.child("valueFrom"), errors);
  }
}

function validateSource(source: EnvVarSource, value: string, path: Path, errors: FieldErrors): void {
  const { fieldRef, resourceFieldRef, fileKeyRef } = source;
  let count = 0;
  if (fieldRef !== undefined) {
    count += 1;
    validateFieldReference(fieldRef, environmentFieldPaths, path.child("fieldRef"), errors);
  }
  if (resourceFieldRef !== undefined) {
    count += 1;
    validateResourceReference(resourceFieldRef, false, path.child("resourceFieldRef"), errors);
  }
  for (const name of ["configMapKeyRef", "secretKeyRef"] as const) {
    const reference = source[name];
    if (reference === undefined) continue;
    count += 1;
    validateBy(dns1123SubdomainReasons, reference.name ?? "", path.child(name, "name"), errors);
    if (!reference.key) errors.required(path.child(name, "key"));
    else validateBy(configMapKeyReasons, reference.key, path.child(name, "key"), errors);
  }
  if (fileKeyRef !== undefined) {
    count += 1;
    validateFileKey(fileKeyRef, path.child("fileKeyRef"), errors);
  }
  if (count === 0) {
    const detail = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    errors.invalid(path, "", detail);
  } else if (value !== "") errors.invalid(path, "", "may not be specified when `value` is not empty");
  else if (count > 1) errors.invalid(path, "", "may not have more than one field specified at a time");
}

function validateFileKey(reference: NonNullable<EnvVarSource["fileKeyRef"]>, path: Path, errors: FieldErrors): void {
  const { key, volumeName, path: target } = reference;
  if (!key) errors.required(path.child("key"));
  else validateBy(relaxedEnvironmentNameReasons, key, path.child("key"), errors);
  if (!volumeName) errors.required(path.child("volumeName"));
  else validateBy(dns1123LabelReasons, volumeName, path.child("volumeName"), errors);
  if (!target) errors.required(path.child("path"));
  else validateNoBacksteps(target, path.child("path"), errors);
}

export function validateEnvironmentSources(sources: readonly EnvFromSource[], path: Path, errors: FieldErrors): void {
  for (const [index, source] of sources.entries()) {
    const at = path.index(index);
    if (source.prefix) validateBy(relaxedEnvironmentNameReasons, source.prefix, at.child("prefix"), errors);
    let count = 0;
    for (const name of ["configMapRef", "secretRef"] as const) {
      const reference = source[name];
      if (reference === undefined) continue;
      count += 1;
      const target = at.child(name, "name");
      if (!reference.name) errors.required(target);
      // Upstream checks it as a prefix: a dash at its end is let pass.
      else
        for (const reason of dns1123SubdomainReasons(maskTrailingDash(reference.name)))
          errors.invalid(target, reference.name, reason);
    }
    if (count === 0) errors.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`");
    else if (count > 1) errors.invalid(path, "", "may not have more than one field specified at a time");
  }
}

/** Variables that are read from a file: only files in an empty directory of the pod can be read. */
export function validateFileKeyVolumes(spec: PodSpec, path: Path, errors: FieldErrors): void {
  if (!someContainer(spec, usesFileKey)) return;
  forEachContainer(spec, path, (container, at) => {
    for (const [index, { valueFrom }] of (container.env ?? []).entries()) {
      if (valueFrom?.fileKeyRef === undefined) continue;
      const { volumeName } = valueFrom.fileKeyRef;
      const name = at().child("env").index(index).child("valueFrom", "fileKeyRef", "volumeName");
      const volume = spec.volumes?.findLast((candidate) => candidate.name === volumeName);
      if (volume === undefined) errors.notFound(name, volumeName ?? "");
      else if (volume.emptyDir === undefined) errors.invalid(name, volumeName, "referenced volume must be of type emptyDir");
    }
  });
}

function usesFileKey({ env }: Container): boolean {
  return env?.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined) === true;
}
