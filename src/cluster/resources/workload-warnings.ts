// What makers of workloads are warned of (pkg/registry/**/strategy.go: WarningsOnCreate).

import { dns1123LabelReasons } from "#cluster/api/names.ts";

/** Names of pods come from the workload's; hostnames come from those. Only creations are warned. */
export function nameWarnings(name: string | undefined): readonly string[] {
  const reasons = dns1123LabelReasons(name ?? "");
  if (reasons.length === 0) return reasons;
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${reasons.join(" ")}]`,
  ];
}
