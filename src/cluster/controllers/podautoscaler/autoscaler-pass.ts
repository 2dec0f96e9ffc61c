// One decision of an autoscaler, once everything that it asked is answered (pkg/controller/podautoscaler/horizontal.go: reconcileAutoscaler).

import { ApiError } from "#cluster/api/errors.ts";
import type {
  Pod,
  Scale,
  V2HorizontalPodAutoscaler,
  V2HorizontalPodAutoscalerCondition,
  V2HorizontalPodAutoscalerStatus,
  V2MetricStatus,
} from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { compileLabelSelector, SelectorError } from "#cluster/api/labels.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";
import { parseQuantity } from "#cluster/api/quantity.ts";
import { formatTime } from "#cluster/api/time.ts";
import { sameValue } from "#cluster/client/equality.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { ControllerContext } from "../context.ts";
import type { AutoscalingSettings } from "./autoscaling-settings.ts";
import { failureWords, type NoMetric, type Outcome, outcomeOf } from "./metric-outcomes.ts";
import { type Findings, failureOf, type Measured, type Target } from "./questions.ts";
import { MetricFailure, type Scene } from "./replica-math.ts";
import { limited, type ScalingHistory } from "./scaling-limits.ts";

type Autoscaler = Stored<V2HorizontalPodAutoscaler>;

/** What a pass may know of its namespace. */
export interface Neighbourhood {
  readonly pods: Iterable<Stored<Pod>>;
  /** Selectors of the targets of the other autoscalers, as last seen, by their names. */
  readonly selectors: ReadonlyMap<string, string>;
}

/** What stays between the passes over one autoscaler, and what they go by. */
export interface PassSetup {
  readonly history: ScalingHistory;
  readonly neighbourhood: Neighbourhood;
  readonly settings: AutoscalingSettings;
}

/** All metrics together. */
interface Computed {
  readonly replicas: number;
  readonly metric: string;
}

/** A size that the target shall have. */
interface Rescale {
  readonly desired: number;
  readonly reason: string;
  readonly statuses: readonly V2MetricStatus[] | undefined;
  readonly triesLeft: number;
}

/** There is no number; the event and the condition say why. */
class NoReplicas extends Error {
  readonly statuses: readonly V2MetricStatus[] | undefined;

  constructor(message: string, statuses?: readonly V2MetricStatus[]) {
    super(message);
    this.statuses = statuses;
  }
}

/** How often a scale is written that somebody else writes, too (retry.DefaultRetry). */
const writeTries = 5;

export class AutoscalerPass {
  readonly #context: ControllerContext;
  readonly #autoscaler: Autoscaler;
  readonly #history: ScalingHistory;
  readonly #neighbourhood: Neighbourhood;
  readonly #settings: AutoscalingSettings;
  readonly #nowMs: number;
  #status: V2HorizontalPodAutoscalerStatus;

  constructor(context: ControllerContext, autoscaler: Autoscaler, { history, neighbourhood, settings }: PassSetup) {
    this.#context = context;
    this.#autoscaler = autoscaler;
    this.#history = history;
    this.#neighbourhood = neighbourhood;
    this.#settings = settings;
    this.#nowMs = context.simulation.nowMs;
    this.#status = { ...(autoscaler.status ?? { desiredReplicas: 0 }) };
  }

  /** Throws ApiUnreachable. */
  run({ target, metrics }: Findings): void {
    if ("failure" in target) {
      const { failure } = target;
      this.#warn("FailedGetScale", failure);
      this.#condition(
        "AbleToScale",
        false,
        "FailedGetScale",
        `the HPA controller was unable to get the target's current scale: ${failure}`,
      );
      this.#writeStatus();
      return;
    }
    this.#condition("AbleToScale", true, "SucceededGetScale", "the HPA controller was able to get the target's current scale");
    try {
      this.#decide(target, metrics);
    } catch (error) {
      if (!(error instanceof NoReplicas)) throw error;
      this.#count(target.scale.spec?.replicas ?? 0, this.#status.desiredReplicas, error.statuses);
      this.#writeStatus();
      this.#warn("FailedComputeMetricsReplicas", error.message);
    }
  }

  #decide(target: Target, measured: readonly Measured[] | undefined): void {
    const { spec } = this.#autoscaler;
    const current = target.scale.spec?.replicas ?? 0;
    const [least, most] = [spec?.minReplicas ?? 1, spec?.maxReplicas ?? 0];
    this.#history.begin(current, this.#nowMs);
    let desired = current;
    let reason = "";
    let statuses: readonly V2MetricStatus[] | undefined;
    if (current === 0) {
      this.#condition(
        "ScalingActive",
        false,
        "ScalingDisabled",
        "scaling is disabled since the replica count of the target is zero",
      );
    } else if (current > most) {
      desired = most;
      reason = "Current number of replicas above Spec.MaxReplicas";
    } else if (current < least) {
      desired = least;
      reason = "Current number of replicas below Spec.MinReplicas";
    } else {
      const outcomes = this.#outcomes(target.scale, measured ?? []);
      statuses = outcomes.map((outcome) => ("status" in outcome ? outcome.status : { type: "" }));
      const computed = this.#computed(outcomes, current, statuses);
      const { downscaleStabilizationMs } = this.#settings;
      const wish = { current, desired: computed.replicas, least, most, nowMs: this.#nowMs, downscaleStabilizationMs };
      const limits = limited(this.#history, wish, spec?.behavior);
      this.#condition("AbleToScale", true, limits.able.reason, limits.able.message);
      this.#condition("ScalingLimited", limits.isLimited, limits.limit.reason, limits.limit.message);
      if (computed.replicas > current) reason = `${computed.metric} above target`;
      else if (computed.replicas < current) reason = "All metrics below target";
      desired = limits.replicas;
    }
    if (desired !== current) this.#rescale(target, { desired, reason, statuses, triesLeft: writeTries });
    else this.#finish(current, current, statuses);
  }

  /** Sets the target's size, by its scale. */
  #rescale(target: Target, rescale: Rescale): void {
    const { scale, path, subject } = target;
    const body = { ...scale, spec: { replicas: rescale.desired } } as JsonValue;
    this.#context.client.ask({ method: "PUT", target: path, body }, (answer) => {
      if (answer.status === 200) this.#rescaled(scale.spec?.replicas ?? 0, rescale);
      else if (answer.status === 409 && rescale.triesLeft > 1) this.#rescaleAgain(target, rescale);
      else this.#failedToRescale(scale.spec?.replicas ?? 0, rescale, failureOf(answer, `put ${subject}`));
    });
  }

  /** Somebody else wrote the target meanwhile. */
  #rescaleAgain(target: Target, rescale: Rescale): void {
    this.#context.client.ask({ method: "GET", target: target.path }, ({ status, body }) => {
      const scale = status === 200 ? (body as Scale | undefined) : undefined;
      const known = { ...(scale ?? target.scale), spec: target.scale.spec ?? {} };
      this.#rescale({ ...target, scale: known }, { ...rescale, triesLeft: rescale.triesLeft - 1 });
    });
  }

  #rescaled(current: number, { desired, reason, statuses }: Rescale): void {
    this.#condition(
      "AbleToScale",
      true,
      "SucceededRescale",
      `the HPA controller was able to update the target scale to ${desired}`,
    );
    this.#context.events.normal(this.#autoscaler, "SuccessfulRescale", `New size: ${desired}; reason: ${reason}`);
    const { behavior } = this.#autoscaler.spec ?? {};
    if (behavior !== undefined) this.#history.scaled(current, desired, this.#nowMs, behavior);
    this.#status = { ...this.#status, lastScaleTime: formatTime(this.#nowMs) };
    this.#finish(current, desired, statuses);
  }

  #failedToRescale(current: number, { desired, reason, statuses }: Rescale, why: string): void {
    this.#warn("FailedRescale", `New size: ${desired}; reason: ${reason}; error: ${why}`);
    this.#condition("AbleToScale", false, "FailedUpdateScale", `the HPA controller was unable to update the target scale: ${why}`);
    this.#finish(current, this.#status.desiredReplicas, statuses);
  }

  #finish(current: number, desired: number, statuses: readonly V2MetricStatus[] | undefined): void {
    this.#count(current, desired, statuses);
    this.#writeStatus();
  }

  /** What was measured before is gone where nothing was now. */
  #count(current: number, desired: number, statuses: readonly V2MetricStatus[] | undefined): void {
    const { currentMetrics: _before, ...rest } = this.#status;
    const counted = { ...rest, currentReplicas: current, desiredReplicas: desired };
    this.#status = statuses === undefined ? counted : { ...counted, currentMetrics: statuses };
  }

  /** One for each metric, in their order; failed ones have told an event. Throws NoReplicas. */
  #outcomes(scale: Scale, measured: readonly Measured[]): readonly (Outcome | NoMetric)[] {
    const specs = this.#autoscaler.spec?.metrics ?? [];
    const scene: Scene = {
      nowMs: this.#nowMs,
      pods: this.#podsOf(scale.status?.selector ?? ""),
      specReplicas: scale.spec?.replicas ?? 0,
      statusReplicas: scale.status?.replicas ?? 0,
      tolerances: this.#tolerances,
      settings: this.#settings,
    };
    return specs.map((metric, index) => {
      const answer = measured[index] ?? { failure: "no answer" };
      try {
        return outcomeOf(metric, answer, scene);
      } catch (error) {
        if (!(error instanceof MetricFailure)) throw error;
        const failed = failureWords(metric, error.message);
        this.#warn(failed.reason, failed.inner);
        return failed;
      }
    });
  }

  /** The highest proposal. One that failed forbids to go down. Throws NoReplicas. */
  #computed(outcomes: readonly (Outcome | NoMetric)[], current: number, statuses: readonly V2MetricStatus[]): Computed {
    let best: Computed = { replicas: 0, metric: "" };
    for (const outcome of outcomes) {
      if (!("proposal" in outcome)) continue;
      const { replicas } = outcome.proposal;
      if (best.replicas === 0 || replicas > best.replicas) best = { replicas, metric: outcome.metric };
    }
    const failures = outcomes.filter((outcome) => "inner" in outcome);
    const first = failures[0];
    if (first !== undefined && (failures.length === outcomes.length || best.replicas < current)) {
      this.#condition("ScalingActive", false, first.reason, `the HPA was unable to compute the replica count: ${first.inner}`);
      throw new NoReplicas(
        `invalid metrics (${failures.length} invalid out of ${outcomes.length}), first error is: ${first.outer}`,
        statuses,
      );
    }
    this.#condition(
      "ScalingActive",
      true,
      "ValidMetricFound",
      `the HPA was able to successfully calculate a replica count from ${best.metric}`,
    );
    return best;
  }

  /** Throws NoReplicas. */
  #podsOf(selector: string): readonly Stored<Pod>[] {
    if (selector === "") {
      this.#warn("SelectorRequired", "selector is required");
      this.#condition("ScalingActive", false, "InvalidSelector", "the HPA target's scale is missing a selector");
      throw new NoReplicas("selector is required");
    }
    const refuse = (reason: string, message: string): never => {
      this.#warn(reason, message);
      this.#condition("ScalingActive", false, reason, message);
      throw new NoReplicas(message);
    };
    let matches: ReturnType<typeof compileLabelSelector>;
    try {
      matches = compileLabelSelector(selector);
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      return refuse("InvalidSelector", `couldn't convert selector into a corresponding internal selector object: ${error.message}`);
    }
    const pods = [...this.#neighbourhood.pods].filter((pod) => matches(pod.metadata.labels));
    const others = [...this.#neighbourhood.selectors].filter(([, other]) => {
      const isTheirs = compileLabelSelector(other);
      return pods.some((pod) => isTheirs(pod.metadata.labels));
    });
    if (others.length === 0) return pods;
    const { name, namespace = "" } = this.#autoscaler.metadata;
    const all = [name, ...others.map(([other]) => other)].sort(compareTexts).map((each) => `{${each} ${namespace}}`);
    return refuse("AmbiguousSelector", `pods by selector ${selector} are controlled by multiple HPAs: [${all.join(" ")}]`);
  }

  get #tolerances(): Scene["tolerances"] {
    const { scaleUp, scaleDown } = this.#autoscaler.spec?.behavior ?? {};
    const read = (tolerance: string | undefined) => (tolerance === undefined ? this.#settings.tolerance : approximate(tolerance));
    return { up: read(scaleUp?.tolerance), down: read(scaleDown?.tolerance) };
  }

  #warn(reason: string, message: string): void {
    this.#context.events.warning(this.#autoscaler, reason, message);
  }

  #condition(type: string, holds: boolean, reason: string, message: string): void {
    const status = holds ? "True" : "False";
    const conditions = this.#status.conditions ?? [];
    const old = conditions.find((each) => each.type === type);
    const changed: V2HorizontalPodAutoscalerCondition = { type, status, reason, message };
    const condition = old?.status === status ? { ...old, ...changed } : { ...changed, lastTransitionTime: formatTime(this.#nowMs) };
    const all = old === undefined ? [...conditions, condition] : conditions.map((each) => (each === old ? condition : each));
    this.#status = { ...this.#status, conditions: all };
  }

  #writeStatus(): void {
    const { client } = this.#context;
    if (sameValue(this.#autoscaler.status ?? {}, this.#status)) return;
    try {
      client.updateStatus(kinds.horizontalPodAutoscalers, { ...this.#autoscaler, status: this.#status });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#warn("FailedUpdateStatus", error.message);
    }
  }
}

/** The amount as a number (Quantity.AsApproximateFloat64). */
function approximate(quantity: string): number {
  const { amount } = parseQuantity(quantity);
  return typeof amount === "number" ? amount / 1000 : Number(amount) / 1e9;
}
