// The command line that metrics-server's manifest writes, and what it says: `flags.ts` reads others, and comes late.

import type { Flags } from "./flags.ts";
import { lateMetrics } from "./late-metrics.ts";

export const usualArguments: readonly string[] = [
  "--cert-dir=/tmp",
  "--secure-port=10250",
  "--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname",
  "--kubelet-use-node-status-port",
  "--metric-resolution=15s",
  "--kubelet-insecure-tls",
];

export const usualFlags: Flags = {
  securePort: 10_250,
  certificateDirectory: "/tmp",
  resolutionMs: 15_000,
  requestTimeoutMs: 10_000,
  kubeletPort: 10_250,
  useNodeStatusPort: true,
  insecureTls: true,
  addressTypes: ["InternalIP", "ExternalIP", "Hostname"],
};

/** Throws StartFailure. */
export function flagsOf(words: readonly string[]): Flags {
  return words.join(" ") === usualArguments.join(" ") ? usualFlags : lateMetrics.code.readFlags(words);
}
