// What a pod must be, and what of it may change (pkg/apis/core/validation: ValidatePodSpec, ValidatePodUpdate). The checks
// that are here are those whose refusals learners meet; README names what is not checked yet.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Pod, PodSpec, Toleration } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons, labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { validateContainers } from "./container-validation.ts";

const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

export function validatePodSpec(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const volumes = validateVolumes(spec, path.child("volumes"), errors);
  const names = new Set<string>();
  if ((spec.containers?.length ?? 0) === 0) errors.required(path.child("containers"));
  validateContainers(spec.containers ?? [], volumes, names, path.child("containers"), errors);
  validateContainers(spec.initContainers ?? [], volumes, names, path.child("initContainers"), errors);
  validateContainers(spec.ephemeralContainers ?? [], volumes, names, path.child("ephemeralContainers"), errors);
  if (!spec.restartPolicy) errors.required(path.child("restartPolicy"));
  else if (!restartPolicies.includes(spec.restartPolicy))
    errors.notSupported(path.child("restartPolicy"), spec.restartPolicy, restartPolicies);
  if (spec.dnsPolicy && !dnsPolicies.includes(spec.dnsPolicy))
    errors.notSupported(path.child("dnsPolicy"), spec.dnsPolicy, dnsPolicies);
  validateLabels(spec.nodeSelector ?? {}, path.child("nodeSelector"), errors);
  if (spec.serviceAccountName) {
    for (const reason of dns1123SubdomainReasons(spec.serviceAccountName))
      errors.invalid(path.child("serviceAccountName"), spec.serviceAccountName, reason);
  }
  if (spec.nodeName) {
    for (const reason of dns1123SubdomainReasons(spec.nodeName)) errors.invalid(path.child("nodeName"), spec.nodeName, reason);
  }
  if (spec.activeDeadlineSeconds !== undefined && (spec.activeDeadlineSeconds < 1 || spec.activeDeadlineSeconds > 2_147_483_647)) {
    errors.invalid(path.child("activeDeadlineSeconds"), spec.activeDeadlineSeconds, "must be between 1 and 2147483647, inclusive");
  }
  for (const name of ["hostname", "subdomain"] as const) {
    const value = spec[name];
    if (value) for (const reason of dns1123LabelReasons(value)) errors.invalid(path.child(name), value, reason);
  }
  validateTolerations(spec.tolerations ?? [], path.child("tolerations"), errors);
}

function validateVolumes(spec: PodSpec, path: Path, errors: FieldErrors): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, volume] of (spec.volumes ?? []).entries()) {
    const at = path.index(index);
    const sources = Object.keys(volume).filter((key) => key !== "name" && volume[key as keyof typeof volume] !== undefined);
    for (const extra of sources.slice(1)) errors.forbidden(at.child(extra), "may not specify more than 1 volume type");
    if (sources.length === 0) errors.required(at, "must specify a volume type");
    if (!volume.name) errors.required(at.child("name"));
    else for (const reason of dns1123LabelReasons(volume.name)) errors.invalid(at.child("name"), volume.name, reason);
    if (names.has(volume.name)) errors.duplicate(at.child("name"), volume.name);
    names.add(volume.name);
    if (volume.persistentVolumeClaim !== undefined && !volume.persistentVolumeClaim.claimName) {
      errors.required(at.child("persistentVolumeClaim", "claimName"));
    }
    if (volume.secret !== undefined && !volume.secret.secretName) errors.required(at.child("secret", "secretName"));
    if (volume.configMap !== undefined && !volume.configMap.name) errors.required(at.child("configMap", "name"));
    if (volume.hostPath !== undefined && !volume.hostPath.path) errors.required(at.child("hostPath", "path"));
  }
  return names;
}

function validateLabels(labels: { readonly [key: string]: string }, path: Path, errors: FieldErrors): void {
  for (const [key, value] of Object.entries(labels)) {
    for (const reason of qualifiedNameReasons(key)) errors.invalid(path, key, reason);
    for (const reason of labelValueReasons(value)) errors.invalid(path, value, reason);
  }
}

export function validateTolerations(tolerations: readonly Toleration[], path: Path, errors: FieldErrors): void {
  for (const [index, toleration] of tolerations.entries()) {
    const at = path.index(index);
    const { key = "", operator = "", value = "", effect = "" } = toleration;
    if (key !== "") for (const reason of qualifiedNameReasons(key)) errors.invalid(at.child("key"), key, reason);
    if (key === "" && operator !== "Exists") {
      errors.invalid(
        at.child("operator"),
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    }
    if (toleration.tolerationSeconds !== undefined && effect !== "NoExecute") {
      errors.invalid(at.child("effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (operator === "Equal" || operator === "") {
      for (const reason of labelValueReasons(value)) errors.invalid(at.child("operator"), value, reason);
    } else if (operator === "Exists") {
      if (value !== "") errors.invalid(at.child("operator"), toleration, "value must be empty when `operator` is 'Exists'");
    } else errors.notSupported(at.child("operator"), operator, ["Equal", "Exists"]);
    if (effect !== "" && !["NoSchedule", "PreferNoSchedule", "NoExecute"].includes(effect)) {
      errors.notSupported(at.child("effect"), effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"]);
    }
  }
}

export function validatePod(pod: Typed<Pod>, errors: FieldErrors): void {
  validatePodSpec(pod.spec ?? { containers: [] }, field("spec"), errors);
}

const immutableSpec =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** Images, the deadline (shorter only) and further tolerations may change; the rest of a pod's spec may not. */
export function validatePodUpdate(pod: Typed<Pod>, old: Typed<Pod>, errors: FieldErrors): void {
  const [spec, before] = [pod.spec, old.spec];
  if (spec === undefined || before === undefined || spec === before) return;
  const path = field("spec");
  const count = (list: readonly unknown[] | undefined): number => list?.length ?? 0;
  for (const name of ["containers", "initContainers"] as const) {
    if (count(spec[name]) !== count(before[name])) {
      errors.forbidden(path.child(name), "pod updates may not add or remove containers");
      return;
    }
    for (const [index, container] of (spec[name] ?? []).entries()) {
      if (!container.image) errors.required(path.child(name).index(index).child("image"));
    }
  }
  const [deadline, oldDeadline] = [spec.activeDeadlineSeconds, before.activeDeadlineSeconds];
  if (deadline !== undefined && oldDeadline !== undefined && deadline > oldDeadline) {
    errors.invalid(path.child("activeDeadlineSeconds"), deadline, "must be less than or equal to previous value");
  }
  if (deadline === undefined && oldDeadline !== undefined) {
    errors.invalid(path.child("activeDeadlineSeconds"), deadline, "must not update from a positive integer to nil value");
  }
  const kept = (before.tolerations ?? []).every((toleration) =>
    spec.tolerations?.some((one) => semanticDeepEqual(one, toleration)),
  );
  if (!kept) errors.forbidden(path.child("tolerations"), "existing toleration can not be modified except its tolerationSeconds");
  if (!semanticDeepEqual(comparable(spec, before, old), comparable(before, before, old))) errors.forbidden(path, immutableSpec);
}

/** A spec with what may change made equal to the old one's. */
function comparable(spec: PodSpec, before: PodSpec, old: Typed<Pod>): PodSpec {
  const withOldImages = (list: PodSpec["containers"], from: PodSpec["containers"] | undefined): PodSpec["containers"] =>
    list.map((container, index) => ({ ...container, image: from?.[index]?.image ?? "" }));
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: gates, ...rest } = spec;
  const stillGated = (before.schedulingGates?.length ?? 0) > 0 && !old.spec?.nodeName;
  return {
    ...rest,
    containers: withOldImages(spec.containers ?? [], before.containers),
    ...(spec.initContainers === undefined ? {} : { initContainers: withOldImages(spec.initContainers, before.initContainers) }),
    // Gates may be taken away, never added.
    ...(stillGated || gates === undefined ? {} : { schedulingGates: gates }),
    ...(stillGated ? { nodeSelector: before.nodeSelector ?? {} } : {}),
  };
}
