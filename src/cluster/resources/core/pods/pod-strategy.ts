// What the server makes of a pod that a client sends: fields of features that are off go, keys of labels are merged into
// selectors, the status is the server's (registry/core/pod/strategy.go, pkg/api/pod: DropDisabledPodFields).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type {
  AppArmorProfile,
  Container,
  EphemeralContainer,
  LabelSelector,
  Pod,
  PodAffinity,
  PodAffinityTerm,
  PodCondition,
  PodSpec,
  PodStatus,
  TopologySpreadConstraint,
  VolumeProjection,
} from "#cluster/api/generated/types.ts";
import type { ObjectMeta } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Typed, WriteFacts } from "../../definition.ts";
import { changed, each } from "../../filling.ts";
import { someContainer } from "./container-visiting.ts";
import { appArmorPrefix } from "./pod-annotation-validation.ts";
import { podQosClass } from "./pod-qos.ts";

const noSpec: PodSpec = { containers: [] };

const gatedCondition: PodCondition = {
  type: "PodScheduled",
  status: "False",
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
};

export function prepareNewPod<P extends Typed<Pod>>(pod: P, { nowMs }: Pick<WriteFacts, "nowMs">): P {
  const spec = withAppArmorFields(withMergedLabelKeys(withoutDisabledFields(pod.spec ?? noSpec), pod.metadata), pod.metadata);
  const status: PodStatus = {
    phase: "Pending",
    ...((spec.schedulingGates?.length ?? 0) > 0
      ? { conditions: [{ ...gatedCondition, lastTransitionTime: formatTime(nowMs) }] }
      : {}),
    qosClass: podQosClass(spec),
  };
  return { ...pod, spec, status };
}

/** Fields of features that 1.36 has off: schedulingGroup, stopSignal, trust bundles and pod certificates in volumes. */
export function withoutDisabledFields(spec: PodSpec): PodSpec {
  let result = spec;
  if (result.schedulingGroup !== undefined) {
    const { schedulingGroup: _group, ...rest } = result;
    result = rest;
  }
  const stopless = <C extends Container | EphemeralContainer>(container: C): C => {
    if (container.lifecycle?.stopSignal === undefined) return container;
    const { stopSignal: _signal, ...lifecycle } = container.lifecycle;
    return { ...container, lifecycle };
  };
  if (someContainer(spec, hasStopSignal)) {
    result = changed(result, "containers", (containers) => each(containers, stopless));
    result = changed(result, "initContainers", (containers) => each(containers, stopless));
  }
  if (spec.volumes === undefined) return result;
  return changed(result, "volumes", (volumes) =>
    each(volumes, (volume) =>
      changed(volume, "projected", (projected) => changed(projected, "sources", (sources) => each(sources, servedProjection))),
    ),
  );
}

function hasStopSignal({ lifecycle }: Container): boolean {
  return lifecycle?.stopSignal !== undefined;
}

function servedProjection(source: VolumeProjection): VolumeProjection {
  if (source.clusterTrustBundle === undefined && source.podCertificate === undefined) return source;
  const { clusterTrustBundle: _bundle, podCertificate: _certificate, ...rest } = source;
  return rest;
}

/** matchLabelKeys and mismatchLabelKeys become requirements with the pod's own values. */
function withMergedLabelKeys(spec: PodSpec, { labels = {} }: ObjectMeta): PodSpec {
  if (spec.affinity === undefined && spec.topologySpreadConstraints === undefined) return spec;
  const merged = changed(spec, "topologySpreadConstraints", (constraints) =>
    each(constraints, (constraint): TopologySpreadConstraint => withKeys(constraint, constraint.matchLabelKeys, [], labels)),
  );
  return changed(merged, "affinity", (affinity) => {
    const merge = (one: PodAffinity) => withMergedTerms(one, labels);
    return changed(changed(affinity, "podAffinity", merge), "podAntiAffinity", merge);
  });
}

function withMergedTerms(affinity: PodAffinity, labels: { readonly [key: string]: string }): PodAffinity {
  const merge = (term: PodAffinityTerm) => withKeys(term, term.matchLabelKeys, term.mismatchLabelKeys, labels);
  const withRequired = changed(affinity, "requiredDuringSchedulingIgnoredDuringExecution", (terms) => each(terms, merge));
  return changed(withRequired, "preferredDuringSchedulingIgnoredDuringExecution", (terms) =>
    each(terms, (term) => changed(term, "podAffinityTerm", merge)),
  );
}

function withKeys<T extends { readonly labelSelector?: LabelSelector }>(
  term: T,
  match: readonly string[] = [],
  mismatch: readonly string[] = [],
  labels: { readonly [key: string]: string },
): T {
  const { labelSelector } = term;
  if (labelSelector === undefined || match.length + mismatch.length === 0) return term;
  const requirement = (operator: string) => (key: string) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  };
  const more = [...match.flatMap(requirement("In")), ...mismatch.flatMap(requirement("NotIn"))];
  if (more.length === 0) return term;
  return { ...term, labelSelector: { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...more] } };
}

/** The profile that an annotation of old names, where the container has no field for it. */
export function appArmorOfAnnotation(annotation: string): AppArmorProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  if (!annotation.startsWith("localhost/")) return undefined;
  const localhostProfile = annotation.slice("localhost/".length);
  return localhostProfile === "" || localhostProfile !== localhostProfile.trim()
    ? undefined
    : { type: "Localhost", localhostProfile };
}

function withAppArmorFields(spec: PodSpec, { annotations }: ObjectMeta): PodSpec {
  if (annotations === undefined || spec.os?.name === "windows") return spec;
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix))) return spec;
  const withField = (container: Container): Container => {
    const annotation = annotations[appArmorPrefix + container.name];
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) return container;
    const appArmorProfile = appArmorOfAnnotation(annotation);
    if (appArmorProfile === undefined || semanticDeepEqual(appArmorProfile, spec.securityContext?.appArmorProfile))
      return container;
    return { ...container, securityContext: { ...container.securityContext, appArmorProfile } };
  };
  return changed(
    changed(spec, "containers", (containers) => each(containers, withField)),
    "initContainers",
    (containers) => each(containers, withField),
  );
}

/** What an update of a subresource may say of the metadata: not who owns the object, not that it goes (ResetObjectMetaForStatus). */
export function withStatusMetadata(metadata: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const result: { -readonly [name in keyof ObjectMeta]: ObjectMeta[name] } = { ...metadata };
  for (const name of ["labels", "annotations", "finalizers", "ownerReferences"] as const) {
    if (old[name] === undefined) delete result[name];
    else (result as { [key: string]: unknown })[name] = old[name];
  }
  return result;
}

/** Every change of the spec counts. */
export function raisedGeneration<P extends Typed<Pod>>(pod: P, old: P): P {
  if (semanticDeepEqual(pod.spec, old.spec)) return pod;
  return { ...pod, metadata: { ...pod.metadata, generation: Number(old.metadata.generation ?? 0) + 1 } };
}

/** A status update says nothing of spec and owners; the class of service and the generations seen stay when left out. */
export function preparePodStatus<P extends Typed<Pod>>(pod: P, old: P): P {
  const status: { -readonly [name in keyof PodStatus]: PodStatus[name] } = { ...pod.status };
  const before = old.status ?? {};
  if (!status.qosClass && before.qosClass !== undefined) status.qosClass = before.qosClass;
  if (!status.observedGeneration && before.observedGeneration !== undefined) status.observedGeneration = before.observedGeneration;
  // Of both the single one counts, as for kubelets that know no other.
  if (status.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  if (status.conditions !== undefined && before.conditions !== undefined) {
    status.conditions = each(status.conditions, (condition) => withObservedGeneration(condition, before.conditions ?? []));
  }
  const { ownerReferences: _owners, ...metadata } = pod.metadata;
  const owned = old.metadata.ownerReferences === pod.metadata.ownerReferences ? pod.metadata : metadata;
  const kept =
    owned === pod.metadata || old.metadata.ownerReferences === undefined
      ? owned
      : { ...owned, ownerReferences: old.metadata.ownerReferences };
  return old.spec === undefined ? { ...pod, metadata: kept, status } : { ...pod, metadata: kept, spec: old.spec, status };
}

function withObservedGeneration(condition: PodCondition, before: readonly PodCondition[]): PodCondition {
  if (condition.observedGeneration) return condition;
  const observedGeneration = before.find((one) => one.type === condition.type)?.observedGeneration;
  return observedGeneration === undefined ? condition : { ...condition, observedGeneration };
}
