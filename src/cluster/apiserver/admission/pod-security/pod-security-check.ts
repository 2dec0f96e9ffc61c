// How a check of the Pod Security Standards is written.

import type { Container, PodSpec } from "#cluster/api/generated/types.ts";

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
