// The fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1) that the simulated kubelet acts on, and what they are
// to it.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { parseQuantity, quantityMilliValue, quantityValue } from "#cluster/api/quantity.ts";
import type { KubeletConfiguration, ReservedResources } from "./configuration-fields.ts";
import { evictionPolicyOf } from "./eviction/thresholds.ts";
import { usualVerification } from "./images/pull-records.ts";
import type { KubeletOptions } from "./kubelet-options.ts";
import { defaultEndpoint } from "./runtime-connection.ts";

export type Configured =
  | "configuration"
  | "endpoints"
  | "allowedUnsafeSysctls"
  | "singleProcessOomKill"
  | "maxPods"
  | "reserved"
  | "maxParallelImagePulls"
  | "pullThrottle"
  | "imageVerification"
  | "idsPerPod"
  | "maxContainerRestartPeriodSeconds"
  | "eviction"
  | "limitsLocalStorage"
  | "imageGc"
  | "containerLogs"
  | "registerNode"
  | "taints"
  | "hasLimitedSwap";

/** Throws Error for a quantity or a duration that is none, and for what a kubelet does not start with. */
export function kubeletOptionsOf(configuration: KubeletConfiguration): Pick<KubeletOptions, Configured> {
  const runtime = configuration.containerRuntimeEndpoint || defaultEndpoint;
  const { maxPods, singleProcessOOMKill = false, localStorageCapacityIsolation = true } = configuration;
  const longestRestart = configuration.crashLoopBackOff?.maxContainerRestartPeriod;
  const longestSeconds = longestRestart === undefined ? undefined : secondsOf(longestRestart);
  if (longestSeconds !== undefined && (longestSeconds < 1 || longestSeconds > 300)) {
    const got = `CrashLoopBackOff.MaxContainerRestartPeriod (got: ${longestSeconds} seconds)`;
    throw new Error(`invalid configuration: ${got} must be set between 1s and 300s`);
  }
  return {
    configuration,
    endpoints: { runtime, image: configuration.imageServiceEndpoint || runtime },
    reserved: reservedOf(configuration),
    maxParallelImagePulls: parallelPullsOf(configuration),
    pullThrottle: { perSecond: configuration.registryPullQPS ?? 5, burst: configuration.registryBurst ?? 10 },
    imageVerification: {
      policy: configuration.imagePullCredentialsVerificationPolicy ?? usualVerification.policy,
      allowlist: configuration.preloadedImagesVerificationAllowlist ?? [],
    },
    idsPerPod: configuration.userNamespaces?.idsPerPod,
    imageGc: imageGcOf(configuration),
    containerLogs: {
      maximumBytes: quantityValue(parseQuantity(configuration.containerLogMaxSize || "10Mi")),
      maximumFiles: configuration.containerLogMaxFiles ?? 5,
    },
    singleProcessOomKill: singleProcessOOMKill,
    hasLimitedSwap: configuration.memorySwap?.swapBehavior === "LimitedSwap",
    allowedUnsafeSysctls: configuration.allowedUnsafeSysctls?.map((name) => name.replaceAll("/", ".")),
    eviction: evictionPolicyOf(configuration),
    limitsLocalStorage: localStorageCapacityIsolation,
    registerNode: configuration.registerNode ?? true,
    taints: configuration.registerWithTaints ?? [],
    ...(maxPods === undefined ? {} : { maxPods }),
    ...(longestSeconds === undefined ? {} : { maxContainerRestartPeriodSeconds: longestSeconds }),
  };
}

/** Where nothing is said of serializing, more than one at once says it (SetDefaults_KubeletConfiguration). */
function parallelPullsOf({ serializeImagePulls, maxParallelImagePulls }: KubeletConfiguration): number {
  const isSerial = serializeImagePulls ?? (maxParallelImagePulls ?? 1) === 1;
  return isSerial ? 1 : (maxParallelImagePulls ?? Number.POSITIVE_INFINITY);
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
