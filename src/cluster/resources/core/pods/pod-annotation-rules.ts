// The texts of annotations that mean something: tolerations, the cost of deletion, security profiles of old
// (pkg/apis/core/validation: ValidatePodSpecificAnnotations, validateSeccompAnnotationsAndFields and the like).

import type { AppArmorProfile, Pod, PodSpec, SeccompProfile, Toleration } from "#cluster/api/generated/types.ts";
import { readJson } from "#cluster/api/json-text.ts";
import { wordsOf } from "#sim/errors.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";
import { validateDescendingPath } from "../volumes/volume-paths.ts";
import { forEachContainer } from "./container-visiting.ts";
import {
  type Annotations,
  appArmorPrefix,
  containerSeccompPrefix,
  deletionCostAnnotation,
  podSeccompAnnotation,
  tolerationsAnnotation,
} from "./pod-annotation-validation.ts";
import { validateTolerations } from "./pod-scheduling-validation.ts";

export function validateRuledAnnotations(annotations: Annotations, spec: PodSpec, path: Path, errors: FieldErrors): void {
  if (annotations[tolerationsAnnotation]) validateTolerationsText(annotations[tolerationsAnnotation], path, errors);
  const cost = annotations[deletionCostAnnotation];
  if (cost !== undefined && !isDeletionCost(cost)) {
    errors.invalid(path.key(deletionCostAnnotation), cost, "must be a 32bit integer");
  }
  for (const key in annotations) {
    const value = annotations[key] as string;
    if (key === podSeccompAnnotation || key.startsWith(containerSeccompPrefix)) validateSeccompText(value, path.child(key), errors);
  }
  for (const key in annotations) {
    if (key.startsWith(appArmorPrefix)) validateAppArmorText(key, annotations[key] as string, spec, path.key(key), errors);
  }
}

function validateTolerationsText(text: string, path: Path, errors: FieldErrors): void {
  try {
    const tolerations = readJson(text) as readonly Toleration[];
    if (Array.isArray(tolerations)) validateTolerations(tolerations, path.child(tolerationsAnnotation), errors);
  } catch (error) {
    errors.invalid(path, tolerationsAnnotation, wordsOf(error));
  }
}

/** A whole number of 32 bits as Go writes it: no sign in front, no zeros. */
function isDeletionCost(text: string): boolean {
  const cost = Number(text);
  return /^(?:0|-?[1-9]\d*)$/.test(text) && cost >= -2_147_483_648 && cost <= 2_147_483_647;
}

function validateSeccompText(profile: string, path: Path, errors: FieldErrors): void {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return;
  if (profile.startsWith("localhost/")) validateDescendingPath(profile.slice("localhost/".length), path, errors);
  else errors.invalid(path, profile, "must be a valid seccomp profile");
}

function validateAppArmorText(key: string, profile: string, spec: PodSpec, path: Path, errors: FieldErrors): void {
  const name = key.slice(appArmorPrefix.length);
  let found = false;
  forEachContainer(spec, path, (container) => {
    found ||= container.name === name;
  });
  if (!found) errors.invalid(path, name, "container not found");
  if (profile === "" || profile === "runtime/default" || profile === "unconfined" || profile.startsWith("localhost/")) return;
  errors.invalid(path, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`);
}

/** On creation an annotation and the field that replaced it must say the same. */
export function validateProfiles(pod: Typed<Pod>, errors: FieldErrors): void {
  const { annotations } = pod.metadata;
  const { spec } = pod;
  if (annotations === undefined || spec === undefined) return;
  const path = field("spec");
  const ofPod = annotations[podSeccompAnnotation];
  const { seccompProfile, appArmorProfile } = spec.securityContext ?? {};
  if (ofPod !== undefined && seccompProfile !== undefined) {
    requireSame("seccomp", ofPod, seccompProfile, path.child("securityContext", "seccompProfile"), errors);
  }
  forEachContainer(spec, path, ({ name, securityContext }, at) => {
    const annotation = annotations[containerSeccompPrefix + name];
    const own = securityContext?.seccompProfile;
    if (annotation === undefined || own === undefined) return;
    requireSame("seccomp", annotation, own, at().child("securityContext", "seccompProfile"), errors);
  });
  if (spec.os?.name === "windows") return;
  forEachContainer(spec, path, ({ name, securityContext }, at) => {
    const annotation = annotations[appArmorPrefix + name];
    const own = securityContext?.appArmorProfile ?? appArmorProfile;
    if (annotation === undefined || own === undefined) return;
    requireSame("apparmor", annotation, own, at().child("securityContext", "appArmorProfile"), errors);
  });
}

function requireSame(
  word: "seccomp" | "apparmor",
  annotation: string,
  profile: SeccompProfile | AppArmorProfile,
  path: Path,
  errors: FieldErrors,
): void {
  const differs = () => errors.forbidden(path.child("type"), `${word} type in annotation and field must match`);
  if (profile.type === "Unconfined") {
    if (annotation !== "unconfined") differs();
  } else if (profile.type === "RuntimeDefault") {
    const isDefault = annotation === "runtime/default" || (word === "seccomp" && annotation === "docker/default");
    if (!isDefault) differs();
  } else if (profile.type === "Localhost") {
    if (!annotation.startsWith("localhost/")) differs();
    else if (annotation.slice("localhost/".length) !== profile.localhostProfile) {
      errors.forbidden(path.child("localhostProfile"), `${word} profile in annotation and field must match`);
    }
  }
}
