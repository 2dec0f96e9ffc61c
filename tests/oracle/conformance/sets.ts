// Which of the suite's tests a run offers, and the list that names those of them that fail here.

import { isConformance } from "./suite-report.ts";

export type SetName = "conformance" | "wider" | "all";

/**
 * The set beyond conformance, by upstream's own labels: what a cluster as it is installed must do. Left out is what upstream runs only
 * where somebody asked for it: features that are off or need nodes of a kind, tests that take long or want the cluster for
 * themselves, and those that upstream calls unreliable.
 */
const leftOut = /\[(Feature:|FeatureGate:|Slow\]|Serial\]|Disruptive\]|Flaky\])/;

/**
 * And storage that is no part of Kubernetes: one test for each driver and pattern (CSI, cloud disks, NFS), and local volumes that
 * a node's administrator has made with mount, losetup and mkfs.
 */
const foreignStorage = /\[Driver: |\[Volume type: |\bCSI Mock\b|\bNFS\b/;

export function isWider(name: string): boolean {
  return !isConformance(name) && !leftOut.test(name) && !foreignStorage.test(name);
}

export function testsOf(set: SetName, all: readonly string[]): readonly string[] {
  if (set === "all") return all;
  return all.filter(set === "wider" ? isWider : isConformance);
}

/** Beside this file. */
export function knownFailuresFile(set: SetName): string {
  return set === "wider" ? "known-failures-wider.txt" : "known-failures.txt";
}
