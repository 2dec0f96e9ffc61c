// The progress of one learner through one lab: which steps have passed, what is still missing, what was recorded.
// Steps pass in order, the tasks of a capstone in any; what has passed stays passed. Evaluation is part of the world's deterministic run.

import { Listeners } from "#sim/listeners.ts";
import { CheckCompiler, type Expression, type Known, type Observable, valueText } from "./checks.ts";
import { CheckFault, type CompiledCheck, type CompiledObservation, type CompiledStep, compileStep } from "./compiled-step.ts";
import type { LabDefinition, StepDefinition } from "./definition.ts";

/** A check that does not hold yet, with the values for its text. */
export interface UnmetCheck {
  readonly check: string;
  readonly values: { readonly [name: string]: string };
  /** What it looks at is not there at all, so that it cannot be said how far it is. */
  readonly unknown: boolean;
  /** Its condition holds, and has to go on as long, in all; undefined where it is not time alone that is missing. */
  readonly lastsMs: number | undefined;
}

export interface StepState {
  readonly id: string;
  readonly passed: boolean;
  /** Of an open step; empty for passed ones and for those whose turn has not come. */
  readonly unmet: readonly UnmetCheck[];
  /** Ids of an open step's checks that hold now; empty for the others. */
  readonly met: readonly string[];
  /** What earlier steps had brought about and was no longer so when this step's turn came. */
  readonly undone: readonly UndoneCheck[];
  /** Virtual time when its turn came; undefined while it has not. */
  readonly openedMs: number | undefined;
  /** Virtual time when it passed. */
  readonly passedMs: number | undefined;
  /** What keeps us from judging an open step: a mistake of the lab's author or of the simulator, and none of the learner. */
  readonly fault: string | undefined;
}

/** A check of a passed step that does not hold any more. */
export interface UndoneCheck extends Omit<UnmetCheck, "unknown" | "lastsMs"> {
  readonly step: string;
}

/** Since when a check's condition, and what its time is counted from, have held without a break. */
interface Holding {
  readonly heldMs: number | undefined;
  readonly sinceMs: number | undefined;
}

/** A step as far as its learner has come with it. */
interface Progress {
  readonly step: CompiledStep;
  /** When its turn came. */
  openedMs: number | undefined;
  passedMs: number | undefined;
  trafficAtOpening: Observable["traffic"];
  undone: readonly UndoneCheck[];
  unmet: readonly UnmetCheck[];
  met: readonly string[];
  /** Message of a fault since the last look. */
  fault: string | undefined;
  /** What a passed step observed stays as it was. */
  observed: Known["observed"];
  /** Of checks that are timed. */
  readonly holding: Map<CompiledCheck, Holding>;
}

export class LabRun {
  /** A step's turn has come, other than at the lab's start: what it changes by itself is to be done. */
  readonly onOpen = new Listeners<StepDefinition>();
  /** An expression cannot be judged by a mistake of ours; its step stays open. Thrown, unless somebody listens. */
  readonly onFault = new Listeners<CheckFault>();
  readonly #lab: LabDefinition;
  readonly #steps: readonly Progress[];
  readonly #observable: Observable;
  #recorded: Known["recorded"] = {};

  /** `openedMs`: when the first step's turn came, where that is past. Throws when an expression of the lab is not CEL. */
  constructor(lab: LabDefinition, observable: Observable, openedMs = observable.nowMs) {
    this.#lab = lab;
    const compiler = new CheckCompiler(observable);
    this.#steps = lab.steps.map((step, index) => ({
      step: compileStep(step, compiler, lab.id),
      openedMs: index === 0 || lab.capstone === true ? openedMs : undefined,
      passedMs: undefined,
      trafficAtOpening: observable.traffic,
      undone: [],
      unmet: [],
      met: [],
      fault: undefined,
      observed: {},
      holding: new Map(),
    }));
    this.#observable = observable;
  }

  get finished(): boolean {
    return this.#steps.every(isPassed);
  }

  get passedSteps(): number {
    return this.#steps.filter(isPassed).length;
  }

  get recorded(): Known["recorded"] {
    return this.#recorded;
  }

  hasPassed(stepId: string): boolean {
    return isPassed(this.#find(stepId));
  }

  /** When a check that only needs time may hold: evaluate then, whether anything is written or not. */
  get nextLookMs(): number | undefined {
    const due = this.#steps.filter(isOpen).flatMap(({ step, holding }) =>
      step.checks.flatMap((check) => {
        const heldMs = holding.get(check)?.heldMs;
        return heldMs === undefined || check.forMs === undefined ? [] : [heldMs + check.forMs];
      }),
    );
    const ahead = due.filter((atMs) => atMs > this.#observable.nowMs);
    return ahead.length === 0 ? undefined : Math.min(...ahead);
  }

  get steps(): readonly StepState[] {
    return this.#steps.map((progress) => ({
      id: progress.step.id,
      passed: isPassed(progress),
      unmet: progress.unmet,
      met: progress.met,
      undone: progress.undone,
      openedMs: progress.openedMs,
      passedMs: progress.passedMs,
      fault: isOpen(progress) ? progress.fault : undefined,
    }));
  }

  /** To be called at every write to the cluster: follows what open steps observe. */
  observe(): void {
    for (const progress of this.#steps) if (isOpen(progress)) this.#observeStep(progress);
  }

  #observeStep(progress: Progress): void {
    const { step, holding } = progress;
    for (const observation of step.observe) {
      const kept = this.#kept(observation, progress);
      if (kept === progress.observed[observation.name]) continue;
      const { [observation.name]: _before, ...others } = progress.observed;
      progress.observed = kept === undefined ? others : { ...others, [observation.name]: kept };
    }
    for (const check of step.checks) if (check.isTimed) holding.set(check, this.#stillHolding(check, progress));
  }

  /** Looks at the open steps; returns whether anything that `steps` shows has changed. Passes as many steps as hold. */
  evaluate(): boolean {
    const shown = (): string => JSON.stringify(this.#steps.map(({ passedMs, unmet, met, fault }) => [passedMs, unmet, met, fault]));
    const before = shown();
    for (const progress of this.#steps) progress.fault = undefined;
    this.observe();
    // A step that opens behind one that passes is looked at in the same round.
    for (const progress of this.#steps) if (isOpen(progress)) this.#look(progress);
    return shown() !== before;
  }

  #look(progress: Progress): void {
    const { step } = progress;
    const unmet = this.unmetChecks(step.id);
    // What is unknown by a fault of ours is not the learner's to mend.
    progress.unmet = progress.fault === undefined ? worthSaying(unmet) : definiteOf(unmet);
    progress.met = step.checks.map(({ id }) => id).filter((id) => !unmet.some(({ check }) => check === id));
    if (unmet.length === 0) this.#pass(progress);
  }

  /** The checks of any step that do not hold now, whatever has passed. */
  unmetChecks(stepId: string): readonly UnmetCheck[] {
    const progress = this.#find(stepId);
    const known = this.#known(progress);
    return progress.step.checks.flatMap((check): readonly UnmetCheck[] => {
      const holds = this.#holds(check.that, known, progress);
      if (holds === true && (!check.isTimed || this.#isInTime(check, progress))) return [];
      const lastsMs = holds === true && this.#isInTime(check, progress, 0) ? check.forMs : undefined;
      return [{ check: check.id, values: this.#valuesOf(check, known, progress), unknown: holds === undefined, lastsMs }];
    });
  }

  #find(stepId: string): Progress {
    const progress = this.#steps.find(({ step }) => step.id === stepId);
    if (progress === undefined) throw new Error(`the lab has no step ${stepId}`);
    return progress;
  }

  #known({ trafficAtOpening, observed }: Progress): Known {
    const traffic = Object.entries(this.#observable.traffic).map(([name, { sent, failed }]) => {
      const before = trafficAtOpening[name] ?? { sent: 0, failed: 0 };
      return [name, { sent, failed, sentSinceStep: sent - before.sent, failedSinceStep: failed - before.failed }] as const;
    });
    return { recorded: this.#recorded, observed, traffic: Object.fromEntries(traffic) };
  }

  /** Undefined where what the expression looks at is not there, and where it is at fault, which is told. */
  #outcome(expression: Expression, known: Known, progress: Progress): unknown {
    try {
      return expression(known);
    } catch (error) {
      if (!(error instanceof CheckFault)) throw error;
      progress.fault = error.message;
      if (this.onFault.isEmpty) throw error;
      this.onFault.tell(error);
      return undefined;
    }
  }

  /** Of a condition; undefined as above. */
  #holds(expression: Expression, known: Known, progress: Progress): boolean | undefined {
    const outcome = this.#outcome(expression, known, progress);
    return outcome === undefined ? undefined : outcome === true;
  }

  /** For the text that says what is missing. */
  #valuesOf(check: CompiledCheck, known: Known, progress: Progress): UnmetCheck["values"] {
    return Object.fromEntries(
      check.values.map(([name, value]) => [name, valueText(this.#outcome(value, known, progress)) || "–"] as const),
    );
  }

  /** What is kept of an observation after the present moment. */
  #kept({ name, value, keep, afresh }: CompiledObservation, progress: Progress): number | boolean | undefined {
    const known = this.#known(progress);
    const isAfresh = afresh !== undefined && this.#holds(afresh, known, progress) === true;
    const before = isAfresh ? undefined : known.observed[name];
    if (keep === "always") {
      const holds = this.#holds(value, known, progress) === true;
      return before === undefined ? holds || undefined : before === true && holds;
    }
    const present = numberOf(this.#outcome(value, known, progress));
    if (present === undefined) return known.observed[name];
    if (typeof before !== "number") return present;
    return keep === "least" ? Math.min(before, present) : Math.max(before, present);
  }

  #stillHolding(check: CompiledCheck, progress: Progress): Holding {
    const known = this.#known(progress);
    const before = progress.holding.get(check);
    const { nowMs } = this.#observable;
    const since = check.since === undefined || this.#holds(check.since, known, progress) === true;
    return {
      heldMs: this.#holds(check.that, known, progress) === true ? (before?.heldMs ?? nowMs) : undefined,
      sinceMs: since ? (before?.sinceMs ?? (check.since === undefined ? progress.openedMs : nowMs)) : undefined,
    };
  }

  /** It came true in time, and has been so for `forMs`. */
  #isInTime(check: CompiledCheck, { holding }: Progress, forMs = check.forMs ?? 0): boolean {
    const { heldMs, sinceMs } = holding.get(check) ?? { heldMs: undefined, sinceMs: undefined };
    if (heldMs === undefined || sinceMs === undefined) return false;
    const { withinMs = Number.POSITIVE_INFINITY } = check;
    return heldMs - sinceMs <= withinMs && this.#observable.nowMs - heldMs >= forMs;
  }

  #pass(progress: Progress): void {
    const known = this.#known(progress);
    const kept = progress.step.record.map(([name, value]) => [name, this.#outcome(value, known, progress)] as const);
    // Later steps look at all of it.
    if (kept.some(([, value]) => value === undefined)) return;
    this.#recorded = { ...this.#recorded, ...Object.fromEntries(kept) };
    progress.passedMs = this.#observable.nowMs;
    progress.met = [];
    const next = this.#steps.findIndex(({ openedMs }) => openedMs === undefined);
    const opened = this.#steps[next];
    if (opened === undefined) return;
    opened.undone = this.#undoneChecks();
    opened.openedMs = this.#observable.nowMs;
    this.onOpen.tell(this.#lab.steps[next] as StepDefinition);
    opened.trafficAtOpening = this.#observable.traffic;
    this.#observeStep(opened);
  }

  /** Of the steps that have passed, in what outlasts a step. */
  #undoneChecks(): readonly UndoneCheck[] {
    return this.#steps.filter(isPassed).flatMap((progress) => {
      const known = this.#known(progress);
      const undone = progress.step.checks.filter(
        (check) => !check.isMomentary && this.#holds(check.that, known, progress) === false,
      );
      const { id } = progress.step;
      return undone.map((check) => ({ step: id, check: check.id, values: this.#valuesOf(check, known, progress) }));
    });
  }
}

const isPassed = ({ passedMs }: Progress): boolean => passedMs !== undefined;
const isOpen = ({ openedMs, passedMs }: Progress): boolean => openedMs !== undefined && passedMs === undefined;

/** What there is to say of a lab's steps before anything looks at them. */
export function unseenSteps({ steps, capstone }: LabDefinition, openedMs: number): readonly StepState[] {
  return steps.map(({ id }, index) => {
    const opened = index === 0 || capstone === true ? openedMs : undefined;
    return { id, passed: false, unmet: [], met: [], undone: [], openedMs: opened, passedMs: undefined, fault: undefined };
  });
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

/** As long as something definite is missing, what cannot be judged yet only distracts, and so does what only needs time. */
function worthSaying(unmet: readonly UnmetCheck[]): readonly UnmetCheck[] {
  const definite = definiteOf(unmet).filter(({ lastsMs }) => lastsMs === undefined);
  return definite.length > 0 ? definite : unmet;
}

function definiteOf(unmet: readonly UnmetCheck[]): readonly UnmetCheck[] {
  return unmet.filter(({ unknown }) => !unknown);
}
