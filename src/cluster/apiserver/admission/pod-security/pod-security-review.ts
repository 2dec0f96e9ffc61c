// What PodSecurity does where a namespace asks for more than `privileged`. A fresh cluster has no such namespace, so this comes late.

import type { PodSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { podTemplateOf } from "#cluster/api/pod-templates.ts";
import { type AdmissionAttributes, notAdmitted } from "../chain.ts";
import { annotationPrefix, isAudited } from "./pod-security-audit.ts";
import { detailText, podView, reasonText, violationsOf } from "./pod-security-checks.ts";
import { type LevelVersion, levelText, type Policy } from "./pod-security-levels.ts";

const maxPodsToCheck = 3000;

/** Warnings of the Pods that a namespace already holds. One of the Pods of each controller is looked at before the others. */
export function existingPodWarnings(pods: readonly KubeObject[], namespace: string, enforce: LevelVersion): readonly string[] {
  const ordered = firstOfEachController(pods);
  const found = new Map<string, string[]>();
  for (const pod of ordered.slice(0, maxPodsToCheck)) {
    const violations = violationsOf(enforce, podView(pod["spec"] as PodSpec, pod.metadata.annotations));
    if (violations.length === 0) continue;
    const reasons = reasonText(violations);
    const names = found.get(reasons) ?? [];
    names.push(pod.metadata.name ?? "");
    found.set(reasons, names);
  }
  const texts = [...found].map(([reasons, names]) => `${podsText(names)}: ${reasons}`).sort();
  const heading = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(enforce)}"`;
  const cut = `new PodSecurity enforce level only checked against the first ${maxPodsToCheck} of ${ordered.length} existing pods`;
  return [...(ordered.length > maxPodsToCheck ? [cut] : []), ...(texts.length === 0 ? [] : [heading]), ...texts];
}

function firstOfEachController(pods: readonly KubeObject[]): readonly KubeObject[] {
  const seen = new Set<string>();
  const others: KubeObject[] = [];
  const first = pods.filter((pod) => {
    const controller = pod.metadata.ownerReferences?.find((reference) => reference.controller === true)?.uid;
    if (controller === undefined) return true;
    if (seen.has(controller)) others.push(pod);
    else {
      seen.add(controller);
      return true;
    }
    return false;
  });
  return [...first, ...others];
}

/** `web-1 (and 2 other pods)` */
function podsText(names: readonly string[]): string {
  const first = [...names].sort()[0] ?? "";
  if (names.length === 1) return first;
  return `${first} (and ${names.length - 1} other ${names.length === 2 ? "pod" : "pods"})`;
}

/** @throws ApiError Forbidden, in the words of the standard's checks. */
export function validatePod(attributes: AdmissionAttributes, policy: Policy): void {
  const { object, old, operation, warnings, audit } = attributes;
  const spec = object["spec"] as PodSpec;
  if (operation === "UPDATE" && !changesImages(spec, old?.["spec"] as PodSpec | undefined)) return;
  audit?.annotate(`${annotationPrefix}enforce-policy`, levelText(policy.enforce));
  annotateViolations(attributes, policy, spec, object.metadata.annotations);
  const pod = podView(spec, object.metadata.annotations);
  const violations = violationsOf(policy.enforce, pod);
  if (violations.length > 0) {
    throw notAdmitted(attributes, `violates PodSecurity "${levelText(policy.enforce)}": ${detailText(violations)}`);
  }
  warnings.push(...warningsOf(policy.warn, spec, object.metadata.annotations));
}

export function warnOfTemplate(attributes: AdmissionAttributes, policy: Policy): void {
  const { object, warnings } = attributes;
  const template = podTemplateOf(object);
  if (template?.spec === undefined) return;
  annotateViolations(attributes, policy, template.spec, template.metadata?.annotations);
  warnings.push(...warningsOf(policy.warn, template.spec, template.metadata?.annotations));
}

function annotateViolations(
  attributes: AdmissionAttributes,
  policy: Policy,
  spec: PodSpec,
  annotations: { readonly [key: string]: string } | undefined,
): void {
  if (!isAudited(attributes, policy)) return;
  for (const text of warningsOf(policy.audit, spec, annotations))
    attributes.audit?.annotate(`${annotationPrefix}audit-violations`, text);
}

function warningsOf(
  level: LevelVersion,
  spec: PodSpec,
  annotations: { readonly [key: string]: string } | undefined,
): readonly string[] {
  const violations = violationsOf(level, podView(spec, annotations));
  return violations.length === 0 ? [] : [`would violate PodSecurity "${levelText(level)}": ${detailText(violations)}`];
}

/** Of what may change in a Pod only new containers and images matter. */
function changesImages(spec: PodSpec, old: PodSpec | undefined): boolean {
  if (old === undefined) return true;
  const sameImages = (now: PodSpec["containers"] = [], before: PodSpec["containers"] = []): boolean =>
    now.length === before.length && now.every(({ image }, index) => image === before[index]?.image);
  if (!sameImages(spec.containers, old.containers) || !sameImages(spec.initContainers, old.initContainers)) return true;
  const known = new Map((old.ephemeralContainers ?? []).map(({ name, image }) => [name, image]));
  return (spec.ephemeralContainers ?? []).some(({ name, image }) => !known.has(name) || known.get(name) !== image);
}
