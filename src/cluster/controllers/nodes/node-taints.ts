// Taints that the node controller keeps, and how it writes them.

import type { Node, Taint } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Client } from "#cluster/client/client.ts";

export const notReadyTaint = "node.kubernetes.io/not-ready";
export const unreachableTaint = "node.kubernetes.io/unreachable";
export const unschedulableTaint = "node.kubernetes.io/unschedulable";

/** Condition, status, and the taint that goes with it. */
const taintOfCondition: readonly (readonly [type: string, status: string, key: string])[] = [
  ["Ready", "False", notReadyTaint],
  ["Ready", "Unknown", unreachableTaint],
  ["MemoryPressure", "True", "node.kubernetes.io/memory-pressure"],
  ["DiskPressure", "True", "node.kubernetes.io/disk-pressure"],
  ["NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"],
  ["PIDPressure", "True", "node.kubernetes.io/pid-pressure"],
];

const managedKeys: ReadonlySet<string> = new Set([...taintOfCondition.map(([, , key]) => key), unschedulableTaint]);

export function conditionStatus(node: Stored<Node>, type: string): string | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)?.status;
}

export function hasTaint(node: Stored<Node>, key: string, effect: string): boolean {
  return node.spec?.taints?.some((taint) => taint.key === key && taint.effect === effect) === true;
}

/** The taints with NoSchedule that the conditions ask for, in the conditions' order; undefined when they are there already. */
export function noScheduleTaints(node: Stored<Node>, nowMs: number): readonly Taint[] | undefined {
  const conditions = node.status?.conditions ?? [];
  const wanted = new Set(
    conditions.flatMap((condition) =>
      taintOfCondition.filter(([type, status]) => condition.type === type && condition.status === status).map(([, , key]) => key),
    ),
  );
  if (node.spec?.unschedulable === true) wanted.add(unschedulableTaint);
  const current = node.spec?.taints ?? [];
  const isManaged = ({ key, effect }: Taint): boolean => effect === "NoSchedule" && managedKeys.has(key);
  const kept = current.filter((taint) => !isManaged(taint) || wanted.has(taint.key));
  const missing = [...wanted].filter((key) => !hasTaint(node, key, "NoSchedule"));
  if (missing.length === 0 && kept.length === current.length) return undefined;
  const timeAdded = formatTime(nowMs);
  return [...kept, ...missing.map((key) => ({ key, effect: "NoSchedule", timeAdded }))];
}

/** Both keys exclude each other; "" removes both. */
export function noExecuteTaints(node: Stored<Node>, key: string, nowMs: number): readonly Taint[] | undefined {
  const current = node.spec?.taints ?? [];
  const kept = current.filter(
    (taint) => taint.effect !== "NoExecute" || taint.key === key || (taint.key !== notReadyTaint && taint.key !== unreachableTaint),
  );
  const missing = key !== "" && !hasTaint(node, key, "NoExecute");
  if (!missing && kept.length === current.length) return undefined;
  return missing ? [...kept, { key, effect: "NoExecute", timeAdded: formatTime(nowMs) }] : kept;
}

/** Guarded by the resource version: another writer's taints are never lost. */
export function writeTaints(client: Client, node: Stored<Node>, taints: readonly Taint[]): Stored<Node> {
  const { resourceVersion, name } = node.metadata;
  const patch = {
    metadata: { resourceVersion },
    spec: { taints: taints.length === 0 ? null : taints.map((taint) => ({ ...taint })) },
  };
  return client.patch(kinds.nodes, { namespace: "", name }, "merge", patch as JsonValue);
}
