// A step with its CEL expressions compiled.

import type { CheckCompiler, Expression, Known } from "./checks.ts";
import type { StepDefinition } from "./definition.ts";

export interface CompiledObservation {
  readonly name: string;
  readonly value: Expression;
  readonly keep: "least" | "most" | "always";
  readonly afresh: Expression | undefined;
}

export interface CompiledCheck {
  readonly id: string;
  readonly that: Expression;
  readonly values: readonly (readonly [string, Expression])[];
  readonly withinMs: number | undefined;
  readonly since: Expression | undefined;
  readonly forMs: number | undefined;
  /** It counts since when it has held. */
  readonly isTimed: boolean;
  /** It looks at pages or names, which are asked for as long as a step is open, or counts traffic since its opening: after its step it means nothing. */
  readonly isMomentary: boolean;
}

export interface CompiledStep {
  readonly id: string;
  readonly observe: readonly CompiledObservation[];
  readonly checks: readonly CompiledCheck[];
  readonly record: readonly (readonly [string, Expression])[];
}

const momentary = /\b(http|dns)\(|\btraffic\b/;

/** Whether what a step looks at is followed from its opening on: values, times, traffic, or pages and names that are asked for. */
export function isFollowed({ checks, observe, record }: StepDefinition): boolean {
  if (Object.keys(observe).length > 0) return true;
  if (checks.some(({ withinMs, forMs }) => withinMs !== undefined || forMs !== undefined)) return true;
  const sources = [...checks.flatMap(({ that, values }) => [that, ...Object.values(values)]), ...Object.values(record)];
  return sources.some((source) => momentary.test(source));
}

/** Throws Error that names lab, step and expression when one is not CEL. */
export function compileStep(step: StepDefinition, compiler: CheckCompiler, labId: string): CompiledStep {
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
    checks: step.checks.map(({ id, that, values, withinMs, since, forMs }) => ({
      id,
      that: compile(that, `check ${id}`),
      values: compileAll(values, `check ${id}, value`),
      withinMs,
      since: since === undefined ? undefined : compile(since, `check ${id}, since`),
      forMs,
      isTimed: withinMs !== undefined || forMs !== undefined,
      isMomentary: [that, ...Object.values(values)].some((source) => momentary.test(source)),
    })),
    record: compileAll(step.record, "record"),
  };
}

/** Undefined while what the expression looks at is not there. That authors' mistakes do not hide here is what the proofs show. */
export function outcomeOf(expression: Expression, known: Known): unknown {
  try {
    return expression(known);
  } catch {
    return undefined;
  }
}

/** Of a condition: anything but true is false. */
export function conditionOf(expression: Expression, known: Known): boolean | undefined {
  const outcome = outcomeOf(expression, known);
  return outcome === undefined ? undefined : outcome === true;
}
