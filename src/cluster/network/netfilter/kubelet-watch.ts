// The kubelet's own chains come back within a minute when somebody has cleared the tables (pkg/kubelet, initNetworkUtil).

import { CanaryWatch, type CanaryWatchOptions } from "./canary-watch.ts";
import { kubeletCanary, kubeletRules } from "./kubelet-rules.ts";

const intervalMs = 60_000;

/** `isAlive`: whether the kubelet runs. */
export function watchKubeletRules(
  options: Pick<CanaryWatchOptions, "simulation" | "filter" | "startedMs" | "isAlive">,
): CanaryWatch {
  const reload = (): void => kubeletRules(options.filter);
  return new CanaryWatch({ ...options, canary: kubeletCanary, intervalMs, reload });
}
