// The fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1) that the simulated kubelet acts on.

import type { Taint } from "#cluster/api/generated/types.ts";
import type { EvictionConfiguration } from "./eviction/thresholds.ts";
import type { VerificationPolicy } from "./images/pull-records.ts";

export const configurationPath = "/var/lib/kubelet/config.yaml";

export const swapBehaviors = ["NoSwap", "LimitedSwap"] as const;
export type SwapBehavior = (typeof swapBehaviors)[number];

/** Resources by name: `{ cpu: "100m", memory: "256Mi" }`. */
export interface ReservedResources {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

export interface KubeletConfiguration extends EvictionConfiguration {
  /** Unix sockets; that of images is the runtime's unless stated. */
  readonly containerRuntimeEndpoint?: string | undefined;
  readonly imageServiceEndpoint?: string | undefined;
  readonly maxPods?: number | undefined;
  /** The machine's file that Pods' resolvers are made of, default /etc/resolv.conf; empty: none. */
  readonly resolvConf?: string | undefined;
  readonly kubeReserved?: ReservedResources | undefined;
  readonly systemReserved?: ReservedResources | undefined;
  readonly serializeImagePulls?: boolean | undefined;
  /** Without it, and with serializeImagePulls false, as many as there are. */
  readonly maxParallelImagePulls?: number | undefined;
  /** How many pulls a second may begin, default 5; 0 is no limit. */
  readonly registryPullQPS?: number | undefined;
  readonly registryBurst?: number | undefined;
  readonly imagePullCredentialsVerificationPolicy?: VerificationPolicy["policy"] | undefined;
  readonly preloadedImagesVerificationAllowlist?: readonly string[] | undefined;
  readonly crashLoopBackOff?: { readonly maxContainerRestartPeriod?: string | undefined } | undefined;
  readonly userNamespaces?: { readonly idsPerPod?: number | undefined } | undefined;
  readonly imageGCHighThresholdPercent?: number | undefined;
  readonly imageGCLowThresholdPercent?: number | undefined;
  readonly imageMinimumGCAge?: string | undefined;
  readonly imageMaximumGCAge?: string | undefined;
  readonly allowedUnsafeSysctls?: readonly string[] | undefined;
  readonly singleProcessOOMKill?: boolean | undefined;
  readonly localStorageCapacityIsolation?: boolean | undefined;
  readonly containerLogMaxSize?: string | undefined;
  readonly containerLogMaxFiles?: number | undefined;
  /** Default true. */
  readonly registerNode?: boolean | undefined;
  readonly registerWithTaints?: readonly Taint[] | undefined;
  /** Default true, before 1.35 false: it does not start on a machine with version 1 of control groups. */
  readonly failCgroupV1?: boolean | undefined;
  /** Default true: it does not start on a machine with swap. */
  readonly failSwapOn?: boolean | undefined;
  /** What Pods may use of it: nothing (the default), or some of it (LimitedSwap). */
  readonly memorySwap?: { readonly swapBehavior?: SwapBehavior | undefined } | undefined;
}
