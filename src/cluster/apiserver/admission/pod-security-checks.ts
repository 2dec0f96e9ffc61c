// How the checks of the Pod Security Standards are written and put together (k8s.io/pod-security-admission/policy).

import type { Container, PodSpec } from "#cluster/api/generated/types.ts";
import { baselineChecks } from "./pod-security-baseline.ts";
import type { LevelVersion } from "./pod-security-levels.ts";
import { restrictedChecks } from "./pod-security-restricted.ts";

/** What checks look at: a Pod, or the template of one. */
export interface PodView {
  readonly annotations: { readonly [key: string]: string };
  readonly spec: PodSpec;
  /** Init containers, containers, ephemeral ones. */
  readonly containers: readonly Container[];
}

export interface Violation {
  /** `hostPort` */
  readonly reason: string;
  /** `container "web" uses hostPort 80` */
  readonly detail: string;
}

export type CheckPod = (pod: PodView) => Violation | undefined;

export interface PodCheck {
  readonly id: string;
  /** Checks by the minor since which they hold, ascending. */
  readonly versions: readonly { readonly since: number; readonly check: CheckPod }[];
  /** The baseline check that this one takes the place of. */
  readonly overrides?: string;
}

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
