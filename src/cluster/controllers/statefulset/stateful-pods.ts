// The Pods of a StatefulSet: which ordinal each has, what a new one looks like, when one is healthy (stateful_set_utils.go).

import type { Pod, PodTemplateSpec, StatefulSet, Volume } from "#cluster/api/generated/types.ts";
import type { Draft, Stored } from "#cluster/api/objects.ts";
import { controllerReference } from "../ownership.ts";
import { availableInMs, isPodReady, podFromTemplate, podPhase } from "../pods.ts";

/** On Pods: the name of the ControllerRevision that they were made from. */
export const revisionLabel = "controller-revision-hash";
const nameLabel = "statefulset.kubernetes.io/pod-name";
const indexLabel = "apps.kubernetes.io/pod-index";

export function firstOrdinal(set: Stored<StatefulSet>): number {
  return set.spec?.ordinals?.start ?? 0;
}

export function revisionOf(pod: Stored<Pod>): string {
  return pod.metadata.labels?.[revisionLabel] ?? "";
}

export function claimName(set: Stored<StatefulSet>, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`;
}

export function isTerminating(pod: Stored<Pod>): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

export function isRunningAndReady(pod: Stored<Pod>): boolean {
  return podPhase(pod) === "Running" && isPodReady(pod);
}

/** Ready for as long as the set asks. */
export function isAvailable(set: Stored<StatefulSet>, pod: Stored<Pod>, nowMs: number): boolean {
  return isRunningAndReady(pod) && availableInMs(pod, set.spec?.minReadySeconds ?? 0, nowMs) === 0;
}

/** The Pod of an ordinal as a template describes it, with its identity and its claims. */
export function statefulPod(set: Stored<StatefulSet>, template: PodTemplateSpec, revision: string, ordinal: number): Draft<Pod> {
  const { namespace = "" } = set.metadata;
  const name = `${set.metadata.name}-${ordinal}`;
  const draft = podFromTemplate(namespace, template, controllerReference(set), `${set.metadata.name}-`);
  const labels = { ...draft.metadata?.labels, [nameLabel]: name, [indexLabel]: String(ordinal), [revisionLabel]: revision };
  const claims: readonly Volume[] = (set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => {
    const volume = metadata?.name ?? "";
    return { name: volume, persistentVolumeClaim: { claimName: claimName(set, volume, ordinal) } };
  });
  const own = (draft.spec?.volumes ?? []).filter((volume) => !claims.some((claim) => claim.name === volume.name));
  const volumes = [...claims, ...own];
  const { serviceName } = set.spec ?? {};
  return {
    ...draft,
    metadata: { ...draft.metadata, name, labels },
    spec: {
      containers: [],
      ...draft.spec,
      hostname: name,
      ...(serviceName ? { subdomain: serviceName } : {}),
      ...(volumes.length === 0 ? {} : { volumes }),
    },
  };
}
