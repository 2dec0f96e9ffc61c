// What kube-controller-manager's command line says of autoscaling; it comes with the names of its flags.

import type { GivenFlags } from "../../component-flags.ts";
import { duration, fraction, numberOf, type Reading } from "../number-flags.ts";
import { type AutoscalingSettings, usualAutoscaling } from "./autoscaling-settings.ts";

/** Throws WrongCommandLine. */
export function autoscalingOf(given: GivenFlags): AutoscalingSettings {
  const usual = usualAutoscaling;
  const read = (name: string, usualValue: number, reading: Reading): number =>
    numberOf(given, `horizontal-pod-autoscaler-${name}`, usualValue, reading);
  return {
    syncMs: read("sync-period", usual.syncMs, duration),
    downscaleStabilizationMs: read("downscale-stabilization", usual.downscaleStabilizationMs, duration),
    tolerance: read("tolerance", usual.tolerance, fraction),
    cpuInitializationMs: read("cpu-initialization-period", usual.cpuInitializationMs, duration),
    readinessDelayMs: read("initial-readiness-delay", usual.readinessDelayMs, duration),
  };
}
