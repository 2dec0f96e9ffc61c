// PodSecurity: Pods that break the Pod Security Standards of their namespace are refused, workloads that would make such
// Pods are warned of, and so is a namespace that holds some when it is labelled (k8s.io/pod-security-admission/admission).

import { invalid } from "#cluster/api/errors.ts";
import type { PodSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { podTemplateOf, templateKinds } from "#cluster/api/pod-templates.ts";
import { FieldErrors } from "#cluster/resources/field-errors.ts";
import type { Store } from "#cluster/storage/store.ts";
import { type AdmissionAttributes, type AdmissionPlugin, notAdmitted } from "../chain.ts";
import { lateDynamicPlugins } from "../dynamic-plugins.ts";
import { compareLevels, type LevelVersion, levelText, type Policy, policyOf, sameLevel } from "./pod-security-levels.ts";

/** Others carry a Pod and are checked as one. */
const ignoredSubresources: ReadonlySet<string> = new Set([
  "exec",
  "attach",
  "binding",
  "eviction",
  "log",
  "portforward",
  "proxy",
  "status",
]);
const maxPodsToCheck = 3000;

export function podSecurity(store: Store): AdmissionPlugin {
  const namespaces = store.table("namespaces");
  const pods = store.table("pods");
  /** Namespaces never change, so each is read once. */
  const policies = new WeakMap<KubeObject, Policy>();
  return {
    name: "PodSecurity",
    operations: ["CREATE", "UPDATE"],
    kind: ["Pod", "Namespace", ...templateKinds],
    handles: ({ kind }, _operation, subresource) => (kind === "Pod" ? !ignoredSubresources.has(subresource) : subresource === ""),
    validate(attributes) {
      const { kind, group } = attributes.definition;
      if (kind === "Namespace") {
        if (group === "") validateNamespace(attributes);
        return;
      }
      const namespace = namespaces.get(attributes.namespace);
      if (namespace?.metadata.labels === undefined) {
        if (kind === "Pod") notePrivileged(attributes);
        return;
      }
      let policy = policies.get(namespace);
      if (policy === undefined) {
        policy = policyOf(namespace.metadata.labels);
        policies.set(namespace, policy);
      }
      if (kind === "Pod") validatePod(attributes, policy);
      else warnOfTemplate(attributes, policy);
    },
  };

  function validateNamespace(attributes: AdmissionAttributes): void {
    const { object, old, warnings, definition } = attributes;
    if (old !== undefined && old.metadata.labels === object.metadata.labels) return;
    const errors = new FieldErrors();
    const policy = policyOf(object.metadata.labels, errors);
    const before = new FieldErrors();
    const oldPolicy = policyOf(old?.metadata.labels, before);
    if (!errors.isEmpty && JSON.stringify(errors.causes) !== JSON.stringify(before.causes)) {
      throw invalid({ group: "", resource: definition.kind }, object.metadata.name ?? "", errors.causes);
    }
    if (old === undefined || !isStricter(policy.enforce, oldPolicy.enforce)) return;
    warnings.push(...existingPodWarnings(object.metadata.name ?? "", policy.enforce));
  }

  /** One of the Pods of each controller is looked at before the others. */
  function existingPodWarnings(namespace: string, enforce: LevelVersion): readonly string[] {
    const ordered = firstOfEachController(pods.list(namespace));
    const found = new Map<string, string[]>();
    for (const pod of ordered.slice(0, maxPodsToCheck)) {
      const { podView, violationsOf } = lateDynamicPlugins.code;
      const violations = violationsOf(enforce, podView(pod["spec"] as PodSpec, pod.metadata.annotations));
      if (violations.length === 0) continue;
      const reasons = lateDynamicPlugins.code.reasonText(violations);
      const names = found.get(reasons) ?? [];
      names.push(pod.metadata.name ?? "");
      found.set(reasons, names);
    }
    const texts = [...found].map(([reasons, names]) => `${podsText(names)}: ${reasons}`).sort();
    const heading = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(enforce)}"`;
    const cut = `new PodSecurity enforce level only checked against the first ${maxPodsToCheck} of ${ordered.length} existing pods`;
    return [...(ordered.length > maxPodsToCheck ? [cut] : []), ...(texts.length === 0 ? [] : [heading]), ...texts];
  }
}

function isStricter(level: LevelVersion, before: LevelVersion): boolean {
  if (sameLevel(level, before) || level.level === "privileged") return false;
  return level.minor !== before.minor || compareLevels(level.level, before.level) > 0;
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

function validatePod(attributes: AdmissionAttributes, policy: Policy): void {
  const { object, old, operation, warnings, audit } = attributes;
  if (policy.enforce.level === "privileged" && policy.warn.level === "privileged") {
    if (policy.audit.level === "privileged") notePrivileged(attributes);
    if (!isAudited(attributes, policy)) return;
  }
  const spec = object["spec"] as PodSpec;
  if (operation === "UPDATE" && !changesImages(spec, old?.["spec"] as PodSpec | undefined)) return;
  audit?.annotate(`${annotationPrefix}enforce-policy`, levelText(policy.enforce));
  annotateViolations(attributes, policy, spec, object.metadata.annotations);
  const { detailText, podView, violationsOf } = lateDynamicPlugins.code;
  const pod = podView(spec, object.metadata.annotations);
  const violations = violationsOf(policy.enforce, pod);
  if (violations.length > 0) {
    throw notAdmitted(attributes, `violates PodSecurity "${levelText(policy.enforce)}": ${detailText(violations)}`);
  }
  warnings.push(...warningsOf(policy.warn, spec, object.metadata.annotations));
}

function warnOfTemplate(attributes: AdmissionAttributes, policy: Policy): void {
  const { object, warnings } = attributes;
  if (policy.warn.level === "privileged" && !isAudited(attributes, policy)) return;
  const template = podTemplateOf(object);
  if (template?.spec === undefined) return;
  annotateViolations(attributes, policy, template.spec, template.metadata?.annotations);
  warnings.push(...warningsOf(policy.warn, template.spec, template.metadata?.annotations));
}

const annotationPrefix = "pod-security.kubernetes.io/";

function notePrivileged({ audit }: AdmissionAttributes): void {
  audit?.annotate(`${annotationPrefix}enforce-policy`, "privileged:latest");
}

/** Whether violations of the level to audit are to be noted. */
function isAudited({ audit }: AdmissionAttributes, policy: Policy): boolean {
  return audit !== undefined && policy.audit.level !== "privileged";
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
  const { detailText, podView, violationsOf } = lateDynamicPlugins.code;
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
