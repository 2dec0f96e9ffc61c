// Conditions of Jobs.

import type { Job, JobCondition } from "#cluster/api/generated/types.ts";
import { formatTime } from "#cluster/api/time.ts";

export function condition(type: string, status: "True" | "False", reason: string, message: string, nowMs: number): JobCondition {
  const time = formatTime(nowMs);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

export function holds({ status }: Job, type: string): JobCondition | undefined {
  return status?.conditions?.find((one) => one.type === type && one.status === "True");
}

/** Complete or Failed: nothing more happens to it. */
export function isFinished(job: Job): boolean {
  return holds(job, "Complete") !== undefined || holds(job, "Failed") !== undefined;
}

/** The list with `wanted` in it; the same list when nothing changes. A condition that was never there does not come as False. */
export function withCondition(list: readonly JobCondition[], wanted: JobCondition): readonly JobCondition[] {
  const known = list.find(({ type }) => type === wanted.type);
  if (known === undefined) return wanted.status === "False" ? list : [...list, wanted];
  const isSame = known.status === wanted.status && known.reason === wanted.reason && known.message === wanted.message;
  return isSame ? list : list.map((one) => (one === known ? wanted : one));
}
