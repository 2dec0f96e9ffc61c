// What kube-controller-manager's command line says of the pace of evictions; it comes with the names of its flags.

import type { GivenFlags } from "../../component-flags.ts";
import { fraction, numberOf, whole } from "../number-flags.ts";
import { type EvictionRates, usualEvictionRates } from "./zone-rates.ts";

/** Throws WrongCommandLine. */
export function evictionRatesOf(given: GivenFlags): EvictionRates {
  const usual = usualEvictionRates;
  return {
    normal: numberOf(given, "node-eviction-rate", usual.normal, fraction),
    secondary: numberOf(given, "secondary-node-eviction-rate", usual.secondary, fraction),
    unhealthyShare: numberOf(given, "unhealthy-zone-threshold", usual.unhealthyShare, fraction),
    largeZoneNodes: numberOf(given, "large-cluster-size-threshold", usual.largeZoneNodes, whole),
  };
}
