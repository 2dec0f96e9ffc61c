// What a StatefulSet must be (pkg/apis/apps/validation: ValidateStatefulSetSpec, ValidateStatefulSetStatus).

import type { PodTemplateSpec, StatefulSet, StatefulSetSpec, Volume } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons } from "#cluster/api/names.ts";
import { validateClaimSpec } from "../core/volumes/claim-spec.ts";
import type { Typed } from "../definition.ts";
import { FieldErrors, field } from "../field-errors.ts";
import { goPartition, goStatefulSetStrategy } from "../workload-go-values.ts";
import {
  isEmptySelector,
  readableMatcher,
  validateCollisionCount,
  validateCounts,
  validateEndless,
  validateNonnegative,
  validateOwnSelector,
  validateParts,
  validatePodTemplate,
  validateTemplateLabels,
} from "../workload-validation.ts";

type Subject = Typed<StatefulSet>;

const spec = field("spec");
const status = field("status");

/** An update may keep a service name, claims and a template that today's rules would refuse. */
export function validateStatefulSet(object: Subject, old: Subject | undefined, errors: FieldErrors): void {
  const given = object.spec ?? ({} as StatefulSetSpec);
  validatePolicies(given, errors);
  if (old === undefined) {
    for (const [index, claim] of (given.volumeClaimTemplates ?? []).entries()) {
      validateClaimSpec(claim.spec ?? {}, spec.child("volumeClaimTemplates").index(index).child("spec"), errors);
    }
  }
  validateCounts(given, ["replicas", "minReadySeconds"], spec, errors);
  validateNonnegative(given.ordinals?.start, spec.child("ordinals.start"), errors);
  if (old === undefined && given.serviceName) {
    for (const reason of dns1123LabelReasons(given.serviceName)) {
      errors.invalid(spec.child("serviceName"), given.serviceName, reason);
    }
  }
  validateOwnSelector(given.selector, "statefulset", spec.child("selector"), errors);
  const template = given.template ?? {};
  const path = spec.child("template");
  const matches = readableMatcher(given.selector);
  if (matches === undefined) errors.invalid(spec.child("selector"), given.selector, "");
  else {
    if (given.selector === undefined || !isEmptySelector(given.selector)) validateTemplateLabels(template, matches, path, errors);
    if (old === undefined || isValidTemplate(old.spec)) validatePodTemplate(withClaims(given), path, errors);
  }
  validateEndless(template, "StatefulSet", path, errors);
}

function validatePolicies(given: StatefulSetSpec, errors: FieldErrors): void {
  const { podManagementPolicy = "", updateStrategy = {}, persistentVolumeClaimRetentionPolicy: retention } = given;
  const policyPath = spec.child("podManagementPolicy");
  if (podManagementPolicy === "") errors.required(policyPath);
  else if (podManagementPolicy !== "OrderedReady" && podManagementPolicy !== "Parallel") {
    errors.invalid(policyPath, podManagementPolicy, "must be 'OrderedReady' or 'Parallel'");
  }
  const strategyPath = spec.child("updateStrategy");
  const { type = "", rollingUpdate } = updateStrategy;
  if (type === "") errors.required(strategyPath);
  else if (type === "OnDelete") {
    if (rollingUpdate !== undefined) {
      errors.invalid(
        strategyPath.child("rollingUpdate"),
        goPartition(rollingUpdate),
        "only allowed for updateStrategy 'RollingUpdate'",
      );
    }
  } else if (type !== "RollingUpdate") {
    errors.invalid(strategyPath, goStatefulSetStrategy(updateStrategy), "must be 'RollingUpdate' or 'OnDelete'");
  } else if (rollingUpdate !== undefined) {
    const at = strategyPath.child("rollingUpdate");
    validateNonnegative(rollingUpdate.partition, at.child("partition"), errors);
  }
  if (retention === undefined) return;
  for (const name of ["whenDeleted", "whenScaled"] as const) {
    const policy = retention[name] ?? "";
    if (policy === "Retain" || policy === "Delete") continue;
    errors.notSupported(spec.child("persistentVolumeClaimRetentionPolicy", name), policy, ["Retain", "Delete"]);
  }
}

/** The template with a volume for each name of a claim template that it has no volume of its own for: mounts may name both. */
function withClaims(given: StatefulSetSpec): PodTemplateSpec {
  const template = given.template ?? {};
  const own = template.spec?.volumes ?? [];
  const names = new Set((given.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? ""));
  const claims: readonly Volume[] = [...names]
    .filter((name) => name !== "" && !own.some((volume) => volume.name === name))
    .map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  if (claims.length === 0) return template;
  return { ...template, spec: { containers: [], ...template.spec, volumes: [...own, ...claims] } };
}

function isValidTemplate(stored: StatefulSetSpec | undefined): boolean {
  const faults = new FieldErrors();
  if (stored !== undefined) validatePodTemplate(withClaims(stored), spec.child("template"), faults);
  return faults.isEmpty;
}

export function validateStatefulSetStatus(object: Subject, old: Subject, errors: FieldErrors): void {
  const parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"] as const;
  validateCounts(object.status, ["replicas", ...parts, "observedGeneration", "collisionCount"], status, errors);
  validateParts(object.status, parts, status, errors);
  const { availableReplicas = 0, readyReplicas = 0 } = object.status ?? {};
  if (availableReplicas > readyReplicas) {
    errors.invalid(status.child("availableReplicas"), availableReplicas, "cannot be greater than status.readyReplicas");
  }
  validateCollisionCount(object.status, old.status, status, errors);
}
