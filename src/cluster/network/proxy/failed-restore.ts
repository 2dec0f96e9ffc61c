// What kube-proxy logs when `iptables-restore` has refused its rules: some lead to chains that are not there.

import { klogText } from "#cluster/api/klog.ts";
import type { LogMoment } from "#cluster/images/log-line.ts";
import type { FailedRestore } from "./proxier.ts";

/** Tables are one input: each has a line of its name, one a chain, its rules, and COMMIT. */
export function failedRestoreLines(at: LogMoment, { chains, ownChains, isThere }: FailedRestore, syncPeriodMs: number): string {
  const errors: string[] = [];
  let line = 0;
  for (const table of ["filter", "nat"] as const) {
    const ofTable = chains.filter(([name]) => name === table);
    line += 1 + ofTable.length + (table === "nat" ? ownChains : 0);
    for (const [, chain, rules] of ofTable) {
      for (const rule of rules) {
        line += 1;
        if (table === "nat" && !isThere(rule))
          errors.push(`line ${line}: RULE_APPEND failed (No such file or directory): rule in chain ${chain}`);
      }
    }
    line += 1;
  }
  const words = ["exit status 4: iptables-restore v1.8.11 (nf_tables): ", ...errors].map((text) => `\t${text}\n`).join("");
  return [
    klogText(at, "E", "proxier.go:1405", `"Failed to execute iptables-restore" err=<\n${words} > ipFamily="IPv4"`),
    klogText(at, "I", "proxier.go:673", `"Sync failed" ipFamily="IPv4" retryingTime="${syncPeriodMs / 1000}s"`),
  ]
    .map((text) => `${text}\n`)
    .join("");
}
