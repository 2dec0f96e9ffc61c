// What kube-controller-manager's command line says of autoscaling; it comes with the names of its flags.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { type GivenFlags, WrongCommandLine } from "../../component-flags.ts";
import { type AutoscalingSettings, usualAutoscaling } from "./autoscaling-settings.ts";

/** Throws WrongCommandLine. */
export function autoscalingOf(given: GivenFlags): AutoscalingSettings {
  const usual = usualAutoscaling;
  const read = (name: string, usualValue: number, reading: Reading): number => {
    const flag = `horizontal-pod-autoscaler-${name}`;
    const text = given.get(flag)?.at(-1);
    if (text === undefined) return usualValue;
    const value = reading(text);
    if (typeof value === "number") return value;
    throw new WrongCommandLine(`invalid argument ${JSON.stringify(text)} for "--${flag}" flag: ${value.error}`, false);
  };
  return {
    syncMs: read("sync-period", usual.syncMs, duration),
    downscaleStabilizationMs: read("downscale-stabilization", usual.downscaleStabilizationMs, duration),
    tolerance: read("tolerance", usual.tolerance, fraction),
    cpuInitializationMs: read("cpu-initialization-period", usual.cpuInitializationMs, duration),
    readinessDelayMs: read("initial-readiness-delay", usual.readinessDelayMs, duration),
  };
}

type Reading = (text: string) => number | { readonly error: string };

const duration: Reading = (text) => {
  const parsed = parseGoDuration(text);
  return "ms" in parsed ? parsed.ms : parsed;
};

const fraction: Reading = (text) =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
    ? Number(text)
    : { error: `strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax` };
