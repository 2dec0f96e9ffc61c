// Annotations of pods that mean something: mirror pods, the cost of deletion, security profiles of old
// (pkg/apis/core/validation: ValidatePodSpecificAnnotations, validateSeccompAnnotationsAndFields and the like).

import type { Pod, PodSpec } from "#cluster/api/generated/types.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";
import { latePodRules } from "./late-pod-rules.ts";

export const mirrorAnnotation = "kubernetes.io/config.mirror";
export const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";
export const tolerationsAnnotation = "scheduler.alpha.kubernetes.io/tolerations";
export const podSeccompAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
export const containerSeccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";
export const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

export type Annotations = { readonly [key: string]: string };

export function validatePodAnnotations(annotations: Annotations | undefined, spec: PodSpec, path: Path, errors: FieldErrors): void {
  if (annotations === undefined) return;
  const mirror = annotations[mirrorAnnotation];
  if (mirror !== undefined && !spec.nodeName) {
    errors.invalid(path.key(mirrorAnnotation), mirror, "must set spec.nodeName if mirror pod annotation is set");
  }
  if (hasRuled(annotations)) latePodRules.code.validateRuledAnnotations(annotations, spec, path, errors);
}

/** Whether any has rules for its text, which components' Pods have not. */
function hasRuled(annotations: Annotations): boolean {
  for (const key in annotations) {
    if (key === deletionCostAnnotation || key === tolerationsAnnotation || key === podSeccompAnnotation) return true;
    if (key.startsWith(containerSeccompPrefix) || key.startsWith(appArmorPrefix)) return true;
  }
  return false;
}

/** An update neither adds, changes nor removes what was given to the kubelet once. */
export function validateAnnotationUpdate(pod: Typed<Pod>, old: Typed<Pod>, errors: FieldErrors): void {
  if (pod.metadata.annotations === old.metadata.annotations) return;
  const path = field("metadata", "annotations");
  const { annotations = {} } = pod.metadata;
  const { annotations: before = {} } = old.metadata;
  // Twice, as upstream: what holds for a new Pod, then, at the end, what holds for one that changes.
  validatePodAnnotations(annotations, pod.spec ?? { containers: [] }, path, errors);
  for (const key in before) {
    if (annotations[key] === before[key]) continue;
    if (key.startsWith(appArmorPrefix)) errors.forbidden(path.key(key), "may not remove or update AppArmor annotations");
    if (key === mirrorAnnotation) errors.forbidden(path.key(key), "may not remove or update mirror pod annotation");
  }
  for (const key in annotations) {
    if (before[key] !== undefined) continue;
    if (key.startsWith(appArmorPrefix)) errors.forbidden(path.key(key), "may not add AppArmor annotations");
    if (key === mirrorAnnotation) errors.forbidden(path.key(key), "may not add mirror pod annotation");
  }
  validatePodAnnotations(annotations, pod.spec ?? { containers: [] }, path, errors);
}

/** On creation an annotation and the field that replaced it must say the same. */
export function validateProfilesAgree(pod: Typed<Pod>, errors: FieldErrors): void {
  const { annotations } = pod.metadata;
  if (annotations !== undefined && hasRuled(annotations)) latePodRules.code.validateProfiles(pod, errors);
}
