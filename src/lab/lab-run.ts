// The progress of one learner through one lab: which steps have passed, what is still missing, what was recorded.
// Steps pass in order; a passed step stays passed. Evaluation is part of the world's deterministic run.

import { CheckCompiler, type Known, type Observable, valueText } from "./checks.ts";
import {
  type CompiledCheck,
  type CompiledObservation,
  type CompiledStep,
  compileStep,
  conditionOf,
  outcomeOf,
} from "./compiled-step.ts";
import type { LabDefinition } from "./definition.ts";

/** A check that does not hold yet, with the values for its text. */
export interface UnmetCheck {
  readonly check: string;
  readonly values: { readonly [name: string]: string };
  /** What it looks at is not there at all, so that it cannot be said how far it is. */
  readonly unknown: boolean;
}

export interface StepState {
  readonly id: string;
  readonly passed: boolean;
  /** Of the current step; empty for passed and for later ones. */
  readonly unmet: readonly UnmetCheck[];
  /** Virtual time when its turn came; undefined while it has not. */
  readonly openedMs: number | undefined;
}

/** Since when a check's condition, and what its time is counted from, have held without a break. */
interface Holding {
  readonly heldMs: number | undefined;
  readonly sinceMs: number | undefined;
}

export class LabRun {
  readonly #steps: readonly CompiledStep[];
  readonly #observable: Observable;
  #passed = 0;
  #recorded: Known["recorded"] = {};
  /** By step; what a passed step observed stays as it was. */
  readonly #observed = new Map<CompiledStep, Known["observed"]>();
  /** Of checks that are timed. */
  readonly #holding = new Map<CompiledCheck, Holding>();
  /** When each step's turn came, up to the current one. */
  readonly #openedMs: number[];
  #trafficAtOpening: Observable["traffic"];
  #unmet: readonly UnmetCheck[] = [];

  /** Throws when an expression of the lab is not CEL. */
  constructor(lab: LabDefinition, observable: Observable) {
    const compiler = new CheckCompiler(observable);
    this.#steps = lab.steps.map((step) => compileStep(step, compiler, lab.id));
    this.#observable = observable;
    this.#openedMs = [observable.nowMs];
    this.#trafficAtOpening = observable.traffic;
  }

  get finished(): boolean {
    return this.#passed === this.#steps.length;
  }

  get passedSteps(): number {
    return this.#passed;
  }

  get recorded(): Known["recorded"] {
    return this.#recorded;
  }

  /** When a check that only needs time may hold: evaluate then, whether anything is written or not. */
  get nextLookMs(): number | undefined {
    const step = this.#steps[this.#passed];
    const due = (step?.checks ?? []).flatMap((check) => {
      const heldMs = this.#holding.get(check)?.heldMs;
      return heldMs === undefined || check.forMs === undefined ? [] : [heldMs + check.forMs];
    });
    const ahead = due.filter((atMs) => atMs > this.#observable.nowMs);
    return ahead.length === 0 ? undefined : Math.min(...ahead);
  }

  get steps(): readonly StepState[] {
    return this.#steps.map((step, index) => ({
      id: step.id,
      passed: index < this.#passed,
      unmet: index === this.#passed ? this.#unmet : [],
      openedMs: this.#openedMs[index],
    }));
  }

  /** To be called at every write to the cluster: follows what the current step observes. */
  observe(): void {
    const step = this.#steps[this.#passed];
    if (step === undefined) return;
    for (const observation of step.observe) {
      const { observed } = this.#known(step);
      const kept = this.#kept(observation, step);
      if (kept === observed[observation.name]) continue;
      const { [observation.name]: _before, ...others } = observed;
      this.#observed.set(step, kept === undefined ? others : { ...others, [observation.name]: kept });
    }
    for (const check of step.checks) if (check.isTimed) this.#holding.set(check, this.#stillHolding(check, this.#known(step)));
  }

  /** Looks at the current step; returns whether anything that `steps` shows has changed. Passes as many steps as hold. */
  evaluate(): boolean {
    const passedBefore = this.#passed;
    const unmetBefore = this.#unmet;
    this.observe();
    for (;;) {
      const step = this.#steps[this.#passed];
      const unmet = step === undefined ? [] : this.unmetChecks(step.id);
      this.#unmet = worthSaying(unmet);
      if (step === undefined || unmet.length > 0) break;
      this.#pass(step);
    }
    return this.#passed !== passedBefore || JSON.stringify(this.#unmet) !== JSON.stringify(unmetBefore);
  }

  /** The checks of any step that do not hold now, whatever has passed. */
  unmetChecks(stepId: string): readonly UnmetCheck[] {
    const step = this.#steps.find(({ id }) => id === stepId);
    if (step === undefined) throw new Error(`the lab has no step ${stepId}`);
    const known = this.#known(step);
    return step.checks.flatMap((check): readonly UnmetCheck[] => {
      const outcome = conditionOf(check.that, known);
      if (outcome === true && (!check.isTimed || this.#isInTime(check))) return [];
      const texts = Object.fromEntries(check.values.map(([name, value]) => [name, textOf(value, known)]));
      return [{ check: check.id, values: texts, unknown: outcome === undefined }];
    });
  }

  #known(step: CompiledStep): Known {
    const traffic = Object.entries(this.#observable.traffic).map(([name, { sent, failed }]) => {
      const before = this.#trafficAtOpening[name] ?? { sent: 0, failed: 0 };
      return [name, { sent, failed, sentSinceStep: sent - before.sent, failedSinceStep: failed - before.failed }] as const;
    });
    return { recorded: this.#recorded, observed: this.#observed.get(step) ?? {}, traffic: Object.fromEntries(traffic) };
  }

  /** What is kept of an observation after the present moment. */
  #kept({ name, value, keep, afresh }: CompiledObservation, step: CompiledStep): number | boolean | undefined {
    const known = this.#known(step);
    const isAfresh = afresh !== undefined && conditionOf(afresh, known) === true;
    const before = isAfresh ? undefined : known.observed[name];
    if (keep === "always") {
      const holds = conditionOf(value, known) === true;
      return before === undefined ? holds || undefined : before === true && holds;
    }
    const present = numberOf(outcomeOf(value, known));
    if (present === undefined) return known.observed[name];
    if (typeof before !== "number") return present;
    return keep === "least" ? Math.min(before, present) : Math.max(before, present);
  }

  #stillHolding(check: CompiledCheck, known: Known): Holding {
    const before = this.#holding.get(check);
    const { nowMs } = this.#observable;
    const since = check.since === undefined || conditionOf(check.since, known) === true;
    return {
      heldMs: conditionOf(check.that, known) === true ? (before?.heldMs ?? nowMs) : undefined,
      sinceMs: since ? (before?.sinceMs ?? (check.since === undefined ? this.#openedMs[this.#passed] : nowMs)) : undefined,
    };
  }

  #isInTime(check: CompiledCheck): boolean {
    const { heldMs, sinceMs } = this.#holding.get(check) ?? { heldMs: undefined, sinceMs: undefined };
    if (heldMs === undefined || sinceMs === undefined) return false;
    const { withinMs = Number.POSITIVE_INFINITY, forMs = 0 } = check;
    return heldMs - sinceMs <= withinMs && this.#observable.nowMs - heldMs >= forMs;
  }

  #pass(step: CompiledStep): void {
    const kept = step.record.map(([name, value]) => [name, value(this.#known(step))]);
    this.#recorded = { ...this.#recorded, ...Object.fromEntries(kept) };
    this.#passed += 1;
    this.#openedMs.push(this.#observable.nowMs);
    this.#trafficAtOpening = this.#observable.traffic;
    this.observe();
  }
}

function textOf(expression: CompiledObservation["value"], known: Known): string {
  const value = outcomeOf(expression, known);
  return value === undefined ? "–" : valueText(value);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

/** As long as something definite is missing, what cannot be judged yet only distracts. */
function worthSaying(unmet: readonly UnmetCheck[]): readonly UnmetCheck[] {
  const definite = unmet.filter(({ unknown }) => !unknown);
  return definite.length > 0 ? definite : unmet;
}
