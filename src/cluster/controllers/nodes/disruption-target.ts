// The condition DisruptionTarget: why the control plane ends a Pod that did nothing wrong.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";

/** The Pod's conditions with DisruptionTarget=True, which tells of the generation that was seen. */
export function withDisruption(
  pod: Stored<Pod>,
  { reason, message }: { readonly reason: string; readonly message: string },
  nowMs: number,
): JsonValue {
  const { generation } = pod.metadata;
  const condition = {
    type: "DisruptionTarget",
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status: "True",
    reason,
    message,
    lastTransitionTime: formatTime(nowMs),
  };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== "DisruptionTarget");
  return [...others, condition].map((entry) => ({ ...entry })) as JsonValue;
}
