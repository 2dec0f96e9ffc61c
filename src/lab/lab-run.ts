// The progress of one learner through one lab: which steps have passed, what is still missing, what was recorded.
// Steps pass in order; a passed step stays passed. Evaluation is part of the world's deterministic run.

import { CheckCompiler, type Expression, type Known, type Observable, valueText } from "./checks.ts";
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
}

interface CompiledObservation {
  readonly name: string;
  readonly value: Expression;
  readonly keep: "least" | "most";
  readonly afresh: Expression | undefined;
}

interface CompiledStep {
  readonly id: string;
  readonly observe: readonly CompiledObservation[];
  readonly checks: readonly {
    readonly id: string;
    readonly that: Expression;
    readonly values: readonly (readonly [string, Expression])[];
  }[];
  readonly record: readonly (readonly [string, Expression])[];
}

export class LabRun {
  readonly #steps: readonly CompiledStep[];
  #passed = 0;
  #recorded: Known["recorded"] = {};
  /** By step; what a passed step observed stays as it was. */
  readonly #observed = new Map<CompiledStep, Known["observed"]>();
  #unmet: readonly UnmetCheck[] = [];

  /** Throws when an expression of the lab is not CEL. */
  constructor(lab: LabDefinition, observable: Observable) {
    const compiler = new CheckCompiler(observable);
    this.#steps = lab.steps.map((step) => compileStep(step, compiler, lab.id));
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

  #known(step: CompiledStep): Known {
    return { recorded: this.#recorded, observed: this.#observed.get(step) ?? nothing };
  }

  get steps(): readonly StepState[] {
    return this.#steps.map((step, index) => ({
      id: step.id,
      passed: index < this.#passed,
      unmet: index === this.#passed ? this.#unmet : [],
    }));
  }

  /** To be called at every write to the cluster: follows what the current step observes. */
  observe(): void {
    const step = this.#steps[this.#passed];
    if (step === undefined) return;
    for (const { name, value, keep, afresh } of step.observe) {
      const known = this.#known(step);
      const present = numberOf(value, known);
      if (present === undefined) continue;
      const before = afresh !== undefined && outcomeOf(afresh, known) === true ? present : (known.observed[name] ?? present);
      const kept = keep === "least" ? Math.min(before, present) : Math.max(before, present);
      if (kept !== known.observed[name]) this.#observed.set(step, { ...known.observed, [name]: kept });
    }
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
      this.#keep(step);
      this.#passed += 1;
      this.observe();
    }
    return this.#passed !== passedBefore || JSON.stringify(this.#unmet) !== JSON.stringify(unmetBefore);
  }

  /** The checks of any step that do not hold now, whatever has passed. */
  unmetChecks(stepId: string): readonly UnmetCheck[] {
    const step = this.#steps.find(({ id }) => id === stepId);
    if (step === undefined) throw new Error(`the lab has no step ${stepId}`);
    const known = this.#known(step);
    return step.checks.flatMap(({ id, that, values }): readonly UnmetCheck[] => {
      const outcome = outcomeOf(that, known);
      if (outcome === true) return [];
      const texts = Object.fromEntries(values.map(([name, value]) => [name, textOf(value, known)]));
      return [{ check: id, values: texts, unknown: outcome === undefined }];
    });
  }

  #keep(step: CompiledStep): void {
    const kept = step.record.map(([name, value]) => [name, value(this.#known(step))]);
    this.#recorded = { ...this.#recorded, ...Object.fromEntries(kept) };
  }
}

const nothing = {};

/** Undefined while what the expression looks at is not there. That authors' mistakes do not hide here is what the proofs show. */
function outcomeOf(expression: Expression, known: Known): boolean | undefined {
  try {
    return expression(known) === true;
  } catch {
    return undefined;
  }
}

function textOf(expression: Expression, known: Known): string {
  try {
    return valueText(expression(known));
  } catch {
    return "–";
  }
}

function numberOf(expression: Expression, known: Known): number | undefined {
  try {
    const value = expression(known);
    return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
  } catch {
    return undefined;
  }
}

/** As long as something definite is missing, what cannot be judged yet only distracts. */
function worthSaying(unmet: readonly UnmetCheck[]): readonly UnmetCheck[] {
  const definite = unmet.filter(({ unknown }) => !unknown);
  return definite.length > 0 ? definite : unmet;
}

function compileStep(step: StepDefinition, compiler: CheckCompiler, labId: string): CompiledStep {
  const compile = (source: string, what: string): Expression => {
    try {
      return compiler.compile(source);
    } catch (error) {
      throw new Error(`lab ${labId}, step ${step.id}, ${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const compileAll = (sources: { readonly [name: string]: string }, what: string): readonly (readonly [string, Expression])[] =>
    Object.entries(sources).map(([name, source]) => [name, compile(source, `${what} ${name}`)]);
  return {
    id: step.id,
    observe: Object.entries(step.observe).map(([name, { value, keep, afresh }]) => ({
      name,
      value: compile(value, `observation ${name}`),
      keep,
      afresh: afresh === "" ? undefined : compile(afresh, `observation ${name}, afresh`),
    })),
    checks: step.checks.map(({ id, that, values }) => ({
      id,
      that: compile(that, `check ${id}`),
      values: compileAll(values, `check ${id}, value`),
    })),
    record: compileAll(step.record, "record"),
  };
}
