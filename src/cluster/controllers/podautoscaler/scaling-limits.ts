// From the number that metrics ask for to the one that is set: recent recommendations, rules of behaviour, bounds
// (pkg/controller/podautoscaler/horizontal.go: normalizeDesiredReplicas and what it calls).

import type { V2HorizontalPodAutoscalerBehavior, V2HPAScalingPolicy, V2HPAScalingRules } from "#cluster/api/generated/types.ts";

interface Recommendation {
  readonly replicas: number;
  readonly atMs: number;
}

interface ScaleEvent {
  readonly change: number;
  readonly atMs: number;
}

/** What the controller remembers of one autoscaler; gone when it starts again, as upstream's. */
export class ScalingHistory {
  recommendations: readonly Recommendation[] = [];
  #ups: readonly ScaleEvent[] = [];
  #downs: readonly ScaleEvent[] = [];

  begin(replicas: number, nowMs: number): void {
    if (this.recommendations.length === 0) this.recommendations = [{ replicas, atMs: nowMs }];
  }

  /** `keepMs`: older ones are of no more use. */
  recommend(replicas: number, nowMs: number, keepMs: number): void {
    const kept = this.recommendations.filter(({ atMs }) => atMs >= nowMs - keepMs);
    this.recommendations = [...kept, { replicas, atMs: nowMs }];
  }

  scaled(before: number, after: number, nowMs: number, { scaleUp, scaleDown }: V2HorizontalPodAutoscalerBehavior): void {
    const longestMs = (rules: V2HPAScalingRules | undefined) =>
      1000 * Math.max(0, ...(rules?.policies ?? []).map(({ periodSeconds }) => periodSeconds));
    const added = (events: readonly ScaleEvent[], rules: V2HPAScalingRules | undefined): readonly ScaleEvent[] => [
      ...events.filter(({ atMs }) => atMs >= nowMs - longestMs(rules)),
      { change: Math.abs(after - before), atMs: nowMs },
    ];
    if (after > before) this.#ups = added(this.#ups, scaleUp);
    else this.#downs = added(this.#downs, scaleDown);
  }

  /** The number of replicas when the policy's period began. */
  atPeriodStart(current: number, { periodSeconds }: V2HPAScalingPolicy, nowMs: number): number {
    const changes = (events: readonly ScaleEvent[]) =>
      events.reduce((sum, { change, atMs }) => (atMs > nowMs - periodSeconds * 1000 ? sum + change : sum), 0);
    return current - changes(this.#ups) + changes(this.#downs);
  }
}

/** A condition's reason and message. */
export interface Why {
  readonly reason: string;
  readonly message: string;
}

export interface Limited {
  readonly replicas: number;
  readonly able: Why;
  readonly isLimited: boolean;
  readonly limit: Why;
}

export interface Wish {
  readonly current: number;
  readonly desired: number;
  readonly least: number;
  readonly most: number;
  readonly nowMs: number;
  /** How long a higher recommendation keeps the number up where no rule says so. */
  readonly downscaleStabilizationMs: number;
}

const ready: Why = { reason: "ReadyForNewScale", message: "recommended size matches current size" };
const downStabilized: Why = {
  reason: "ScaleDownStabilized",
  message: "recent recommendations were higher than current one, applying the highest recent recommendation",
};
const upStabilized: Why = {
  reason: "ScaleUpStabilized",
  message: "recent recommendations were lower than current one, applying the lowest recent recommendation",
};
const withinRange: Why = { reason: "DesiredWithinRange", message: "the desired count is within the acceptable range" };
const tooMany: Why = { reason: "TooManyReplicas", message: "the desired replica count is more than the maximum replica count" };
const tooFew: Why = { reason: "TooFewReplicas", message: "the desired replica count is less than the minimum replica count" };
const upLimit: Why = {
  reason: "ScaleUpLimit",
  message: "the desired replica count is increasing faster than the maximum scale rate",
};
const downLimit: Why = {
  reason: "ScaleDownLimit",
  message: "the desired replica count is decreasing faster than the maximum scale rate",
};

/** The number that is set, and what the conditions AbleToScale and ScalingLimited say of it. */
export function limited(history: ScalingHistory, wish: Wish, behavior: V2HorizontalPodAutoscalerBehavior | undefined): Limited {
  const stabilized = behavior === undefined ? stabilize(history, wish) : stabilizeByRules(history, wish, behavior);
  const { able, desired } = stabilized;
  const bounded = behavior === undefined ? bound({ ...wish, desired }) : boundByRules(history, { ...wish, desired }, behavior);
  return {
    replicas: bounded.replicas,
    able: desired === wish.desired ? ready : able,
    isLimited: bounded.replicas !== desired,
    limit: bounded.limit,
  };
}

interface Stabilized {
  readonly desired: number;
  readonly able: Why;
}

function stabilize(history: ScalingHistory, { desired, nowMs, downscaleStabilizationMs }: Wish): Stabilized {
  const recent = history.recommendations.filter(({ atMs }) => atMs >= nowMs - downscaleStabilizationMs);
  history.recommend(desired, nowMs, downscaleStabilizationMs);
  return { desired: Math.max(desired, ...recent.map(({ replicas }) => replicas)), able: downStabilized };
}

function stabilizeByRules(
  history: ScalingHistory,
  { current, desired, nowMs, downscaleStabilizationMs }: Wish,
  { scaleUp, scaleDown }: V2HorizontalPodAutoscalerBehavior,
): Stabilized {
  const upMs = (scaleUp?.stabilizationWindowSeconds ?? 0) * 1000;
  const downSeconds = scaleDown?.stabilizationWindowSeconds;
  const downMs = downSeconds === undefined ? downscaleStabilizationMs : downSeconds * 1000;
  const since = (windowMs: number) =>
    history.recommendations.filter(({ atMs }) => atMs > nowMs - windowMs).map(({ replicas }) => replicas);
  const low = Math.min(desired, ...since(upMs));
  const high = Math.max(desired, ...since(downMs));
  history.recommend(desired, nowMs, Math.max(upMs, downMs));
  return {
    desired: Math.min(Math.max(current, low), high),
    able: desired >= current ? upStabilized : downStabilized,
  };
}

interface Bounded {
  readonly replicas: number;
  readonly limit: Why;
}

/** Without rules: at most twice as many as now, or four. */
function bound({ current, desired, least, most }: Wish): Bounded {
  if (desired < least) return { replicas: least, limit: tooFew };
  const rate = Math.max(2 * current, 4);
  if (desired > Math.min(most, rate)) return { replicas: Math.min(most, rate), limit: most > rate ? upLimit : tooMany };
  return { replicas: desired, limit: withinRange };
}

function boundByRules(history: ScalingHistory, wish: Wish, { scaleUp, scaleDown }: V2HorizontalPodAutoscalerBehavior): Bounded {
  const { current, desired, least, most } = wish;
  if (desired > current) {
    const rate = Math.max(current, highestBy(scaleUp, history, wish));
    if (desired > Math.min(most, rate)) return { replicas: Math.min(most, rate), limit: most > rate ? upLimit : tooMany };
  } else if (desired < current) {
    const rate = Math.min(current, lowestBy(scaleDown, history, wish));
    if (desired < Math.max(least, rate)) return { replicas: Math.max(least, rate), limit: least < rate ? downLimit : tooFew };
  }
  return { replicas: desired, limit: withinRange };
}

function highestBy(rules: V2HPAScalingRules | undefined, history: ScalingHistory, { current, nowMs }: Wish): number {
  if (rules?.selectPolicy === "Disabled") return current;
  const proposals = (rules?.policies ?? []).map((policy) => {
    const start = history.atPeriodStart(current, policy, nowMs);
    return policy.type === "Pods" ? start + policy.value : Math.ceil(start * (1 + policy.value / 100));
  });
  return rules?.selectPolicy === "Min" ? Math.min(...proposals) : Math.max(...proposals);
}

function lowestBy(rules: V2HPAScalingRules | undefined, history: ScalingHistory, { current, nowMs }: Wish): number {
  if (rules?.selectPolicy === "Disabled") return current;
  const proposals = (rules?.policies ?? []).map((policy) => {
    const start = history.atPeriodStart(current, policy, nowMs);
    return policy.type === "Pods" ? start - policy.value : Math.trunc(start * (1 - policy.value / 100));
  });
  return rules?.selectPolicy === "Min" ? Math.max(...proposals) : Math.min(...proposals);
}
