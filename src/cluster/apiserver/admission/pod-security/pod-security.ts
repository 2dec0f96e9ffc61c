// PodSecurity: Pods that break the Pod Security Standards of their namespace are refused, workloads that would make such
// Pods are warned of, and so is a namespace that holds some when it is labelled (k8s.io/pod-security-admission/admission).

import { invalid } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { templateKinds } from "#cluster/api/pod-templates.ts";
import { FieldErrors } from "#cluster/resources/field-errors.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../chain.ts";
import { lateDynamicPlugins } from "../dynamic-plugins.ts";
import { isAudited, notePrivileged } from "./pod-security-audit.ts";
import { compareLevels, type LevelVersion, type Policy, policyOf, sameLevel } from "./pod-security-levels.ts";

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
      if (kind !== "Pod") {
        if (policy.warn.level !== "privileged" || isAudited(attributes, policy))
          lateDynamicPlugins.code.warnOfTemplate(attributes, policy);
        return;
      }
      if (policy.enforce.level === "privileged" && policy.warn.level === "privileged") {
        if (policy.audit.level === "privileged") notePrivileged(attributes);
        if (!isAudited(attributes, policy)) return;
      }
      lateDynamicPlugins.code.validatePod(attributes, policy);
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
    const name = object.metadata.name ?? "";
    warnings.push(...lateDynamicPlugins.code.existingPodWarnings(pods.list(name), name, policy.enforce));
  }
}

function isStricter(level: LevelVersion, before: LevelVersion): boolean {
  if (sameLevel(level, before) || level.level === "privileged") return false;
  return level.minor !== before.minor || compareLevels(level.level, before.level) > 0;
}
