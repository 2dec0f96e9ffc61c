// The fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1) that the simulated kubelet acts on, and what they are
// to it.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { parseQuantity, quantityMilliValue, quantityValue } from "#cluster/api/quantity.ts";
import type { KubeletOptions } from "./kubelet-options.ts";

/** Resources by name: `{ cpu: "100m", memory: "256Mi" }`. */
export interface ReservedResources {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

export interface KubeletConfiguration {
  readonly maxPods?: number | undefined;
  readonly kubeReserved?: ReservedResources | undefined;
  readonly systemReserved?: ReservedResources | undefined;
  readonly serializeImagePulls?: boolean | undefined;
  /** Counts where serializeImagePulls is false; without it, as many as there are. */
  readonly maxParallelImagePulls?: number | undefined;
  readonly crashLoopBackOff?: { readonly maxContainerRestartPeriod?: string | undefined } | undefined;
  readonly imageGCHighThresholdPercent?: number | undefined;
  readonly imageGCLowThresholdPercent?: number | undefined;
  readonly imageMinimumGCAge?: string | undefined;
  readonly imageMaximumGCAge?: string | undefined;
}

type Configured = "maxPods" | "reserved" | "maxParallelImagePulls" | "maxContainerRestartPeriodSeconds" | "imageGc";

/** Throws Error for a quantity or a duration that is none. */
export function kubeletOptionsOf(configuration: KubeletConfiguration): Pick<KubeletOptions, Configured> {
  const { maxPods } = configuration;
  const longestRestart = configuration.crashLoopBackOff?.maxContainerRestartPeriod;
  return {
    reserved: reservedOf(configuration),
    maxParallelImagePulls: parallelPullsOf(configuration),
    imageGc: imageGcOf(configuration),
    ...(maxPods === undefined ? {} : { maxPods }),
    ...(longestRestart === undefined ? {} : { maxContainerRestartPeriodSeconds: secondsOf(longestRestart) }),
  };
}

function parallelPullsOf({ serializeImagePulls, maxParallelImagePulls }: KubeletConfiguration): number {
  return serializeImagePulls === false ? (maxParallelImagePulls ?? Number.POSITIVE_INFINITY) : 1;
}

function imageGcOf(configuration: KubeletConfiguration): NonNullable<KubeletOptions["imageGc"]> {
  const { imageGCHighThresholdPercent, imageGCLowThresholdPercent, imageMinimumGCAge, imageMaximumGCAge } = configuration;
  return {
    ...(imageGCHighThresholdPercent === undefined ? {} : { highThresholdPercent: imageGCHighThresholdPercent }),
    ...(imageGCLowThresholdPercent === undefined ? {} : { lowThresholdPercent: imageGCLowThresholdPercent }),
    ...(imageMinimumGCAge === undefined ? {} : { minimumAgeSeconds: secondsOf(imageMinimumGCAge) }),
    ...(imageMaximumGCAge === undefined ? {} : { maximumAgeSeconds: secondsOf(imageMaximumGCAge) }),
  };
}

function reservedOf({ kubeReserved, systemReserved }: KubeletConfiguration): NonNullable<KubeletOptions["reserved"]> {
  const both = [kubeReserved, systemReserved];
  const sum = (of: (reserved: ReservedResources | undefined) => number): number => both.map(of).reduce((a, b) => a + b);
  return {
    cpuMillicores: sum((reserved) => quantityMilliValue(parseQuantity(reserved?.cpu ?? "0"))),
    memoryBytes: sum((reserved) => quantityValue(parseQuantity(reserved?.memory ?? "0"))),
  };
}

function secondsOf(duration: string): number {
  const parsed = parseGoDuration(duration);
  if ("error" in parsed) throw new Error(parsed.error);
  return parsed.ms / 1000;
}
