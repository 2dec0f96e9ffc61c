// A step with its CEL expressions compiled.

import type { CheckCompiler, Expression } from "./checks.ts";
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

/** A mistake of ours: of a lab's author, or of the simulator. The message names lab, step and expression. */
export class CheckFault extends Error {
  constructor(place: string, cause: unknown) {
    super(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** What an expression's value has to be, unless there is none yet; otherwise the message says that it is none. */
interface Wanted {
  readonly accepts: (value: unknown) => boolean;
  readonly name: string;
}

const anything: Wanted = { accepts: () => true, name: "value" };
const present: Wanted = { accepts: (value) => value !== undefined, name: "value, when the step passes" };
const condition: Wanted = { accepts: (value) => value === undefined || typeof value === "boolean", name: "bool" };
const number: Wanted = { accepts: (value) => ["undefined", "number", "bigint"].includes(typeof value), name: "number" };

/** Throws CheckFault for an expression that is not CEL; the compiled expressions throw it as `Expression` throws Error. */
export function compileStep(step: StepDefinition, compiler: CheckCompiler, labId: string): CompiledStep {
  const compile = (source: string, what: string, wanted: Wanted): Expression => {
    const placed = <Made>(make: () => Made): Made => {
      try {
        return make();
      } catch (error) {
        throw new CheckFault(`lab ${labId}, step ${step.id}, ${what}`, error);
      }
    };
    const expression = placed(() => compiler.compile(source));
    return (known) =>
      placed(() => {
        const value = expression(known);
        if (!wanted.accepts(value)) throw new Error(`it is no ${wanted.name}`);
        return value;
      });
  };
  const compileAll = (sources: { readonly [name: string]: string }, what: string, wanted: Wanted): CompiledStep["record"] =>
    Object.entries(sources).map(([name, source]) => [name, compile(source, `${what} ${name}`, wanted)]);
  return {
    id: step.id,
    observe: Object.entries(step.observe).map(([name, { value, keep, afresh }]) => ({
      name,
      value: compile(value, `observation ${name}`, keep === "always" ? condition : number),
      keep,
      afresh: afresh === "" ? undefined : compile(afresh, `observation ${name}, afresh`, condition),
    })),
    checks: step.checks.map(({ id, that, values, withinMs, since, forMs }) => ({
      id,
      that: compile(that, `check ${id}`, condition),
      values: compileAll(values, `check ${id}, value`, anything),
      withinMs,
      since: since === undefined ? undefined : compile(since, `check ${id}, since`, condition),
      forMs,
      isTimed: withinMs !== undefined || forMs !== undefined,
      isMomentary: [that, ...Object.values(values)].some((source) => momentary.test(source)),
    })),
    record: compileAll(step.record, "record", present),
  };
}
