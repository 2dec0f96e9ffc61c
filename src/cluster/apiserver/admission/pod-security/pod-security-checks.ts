// How the checks of the Pod Security Standards are put together (k8s.io/pod-security-admission/policy).

import type { PodSpec } from "#cluster/api/generated/types.ts";
import { baselineChecks } from "./pod-security-baseline.ts";
import type { CheckPod, PodCheck, PodView, Violation } from "./pod-security-check.ts";
import type { LevelVersion } from "./pod-security-levels.ts";
import { restrictedChecks } from "./pod-security-restricted.ts";

export function podView(spec: PodSpec, annotations: PodView["annotations"] | undefined): PodView {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec;
  return { annotations: annotations ?? {}, spec, containers: [...initContainers, ...containers, ...ephemeralContainers] };
}

/** In the order of the checks' names, baseline before restricted. */
export function violationsOf({ level, minor }: LevelVersion, pod: PodView): readonly Violation[] {
  if (level === "privileged") return [];
  const strict = level === "restricted" ? restrictedChecks.filter((check) => versionOf(check, minor) !== undefined) : [];
  const base = baselineChecks.filter(({ id }) => !strict.some(({ overrides }) => overrides === id));
  return [...base, ...strict].flatMap((check) => versionOf(check, minor)?.(pod) ?? []);
}

function versionOf({ versions }: PodCheck, minor: number): CheckPod | undefined {
  let found: CheckPod | undefined;
  for (const { since, check } of versions) if (since <= minor) found = check;
  return found;
}

export function detailText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
}

export function reasonText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}
