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
import type { LabDefinition, StepDefinition } from "./definition.ts";

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
  /** Ids of the current step's checks that hold now; empty for passed and for later ones. */
  readonly met: readonly string[];
  /** What earlier steps had brought about and was no longer so when this step's turn came. */
  readonly undone: readonly UndoneCheck[];
  /** Virtual time when its turn came; undefined while it has not. */
  readonly openedMs: number | undefined;
}

/** A check of a passed step that does not hold any more. */
export interface UndoneCheck extends Omit<UnmetCheck, "unknown"> {
  readonly step: string;
}

/** Since when a check's condition, and what its time is counted from, have held without a break. */
interface Holding {
  readonly heldMs: number | undefined;
  readonly sinceMs: number | undefined;
}

export class LabRun {
  /** A step's turn has come, other than the first one's: what it changes by itself is to be done. */
  onOpen: ((step: StepDefinition) => void) | undefined;
  readonly #lab: LabDefinition;
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
  /** Beside `#openedMs`. */
  readonly #undone: (readonly UndoneCheck[])[] = [[]];
  #trafficAtOpening: Observable["traffic"];
  #unmet: readonly UnmetCheck[] = [];
  #met: readonly string[] = [];

  /** `openedMs`: when the first step's turn came, where that is past. Throws when an expression of the lab is not CEL. */
  constructor(lab: LabDefinition, observable: Observable, openedMs = observable.nowMs) {
    this.#lab = lab;
    const compiler = new CheckCompiler(observable);
    this.#steps = lab.steps.map((step) => compileStep(step, compiler, lab.id));
    this.#observable = observable;
    this.#openedMs = [openedMs];
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
      met: index === this.#passed ? this.#met : [],
      undone: this.#undone[index] ?? [],
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
    const before = JSON.stringify([this.#unmet, this.#met]);
    this.observe();
    for (;;) {
      const step = this.#steps[this.#passed];
      const unmet = step === undefined ? [] : this.unmetChecks(step.id);
      this.#unmet = worthSaying(unmet);
      this.#met = (step?.checks ?? []).map(({ id }) => id).filter((id) => !unmet.some(({ check }) => check === id));
      if (step === undefined || unmet.length > 0) break;
      this.#pass(step);
    }
    return this.#passed !== passedBefore || JSON.stringify([this.#unmet, this.#met]) !== before;
  }

  /** The checks of any step that do not hold now, whatever has passed. */
  unmetChecks(stepId: string): readonly UnmetCheck[] {
    const step = this.#steps.find(({ id }) => id === stepId);
    if (step === undefined) throw new Error(`the lab has no step ${stepId}`);
    const known = this.#known(step);
    return step.checks.flatMap((check): readonly UnmetCheck[] => {
      const outcome = conditionOf(check.that, known);
      if (outcome === true && (!check.isTimed || this.#isInTime(check))) return [];
      return [{ check: check.id, values: valuesOf(check, known), unknown: outcome === undefined }];
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
    this.#undone.push(this.#undoneChecks());
    const next = this.#lab.steps[this.#passed];
    if (next !== undefined) this.onOpen?.(next);
    this.#trafficAtOpening = this.#observable.traffic;
    this.observe();
  }

  /** Of the steps that have passed, in what outlasts a step. */
  #undoneChecks(): readonly UndoneCheck[] {
    return this.#steps.slice(0, this.#passed).flatMap((step) => {
      const known = this.#known(step);
      const undone = step.checks.filter((check) => !check.isMomentary && conditionOf(check.that, known) === false);
      return undone.map((check) => ({ step: step.id, check: check.id, values: valuesOf(check, known) }));
    });
  }
}

/** What there is to say of a lab's steps before anything looks at them. */
export function unseenSteps({ steps }: LabDefinition, openedMs: number): readonly StepState[] {
  return steps.map(({ id }, index) => {
    return { id, passed: false, unmet: [], met: [], undone: [], openedMs: index === 0 ? openedMs : undefined };
  });
}

/** For the text that says what is missing. */
function valuesOf(check: CompiledCheck, known: Known): UnmetCheck["values"] {
  return Object.fromEntries(check.values.map(([name, value]) => [name, textOf(value, known)]));
}

function textOf(expression: CompiledObservation["value"], known: Known): string {
  const text = valueText(outcomeOf(expression, known));
  return text === "" ? "–" : text;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

/** As long as something definite is missing, what cannot be judged yet only distracts. */
function worthSaying(unmet: readonly UnmetCheck[]): readonly UnmetCheck[] {
  const definite = unmet.filter(({ unknown }) => !unknown);
  return definite.length > 0 ? definite : unmet;
}
