// Lab checks are CEL over the live cluster. The vocabulary:
//   objects(resource)                     all objects of a kind, `objects("pods")`
//   objects(resource, namespace)          those of one namespace
//   object(resource, namespace, name)     one object; "" as namespace for cluster-scoped kinds
//   exists(resource, namespace, name)     whether it is there
//   file(path)                            text of a file on the learner's workstation
//   history                               commands that ended: {line, code, startedMs, endedMs}
//   recorded                              values kept by earlier steps
//   observed                              values followed since the step was opened (`observe`)
// Optional fields are read with `.?`: `d.?status.?readyReplicas.orValue(0)`.

import { Environment } from "@marcbachmann/cel-js";

/** A command that the learner ran, as the workstation's shell saw it. */
export interface CommandRecord {
  readonly line: string;
  readonly code: number;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** What checks may look at. */
export interface Observable {
  objects(resource: string, namespace: string | undefined): readonly unknown[];
  object(resource: string, namespace: string, name: string): unknown;
  file(path: string): string | undefined;
  readonly history: readonly CommandRecord[];
}

/** What is known of the run: values by name. */
export interface Known {
  readonly recorded: { readonly [name: string]: unknown };
  readonly observed: { readonly [name: string]: number };
}

/** A compiled expression. Throws when the expression cannot be evaluated now (a field is not there yet). */
export type Expression = (known: Known) => unknown;

/** Makes expressions over one world. Throws with the author's mistake when an expression is not CEL. */
export class CheckCompiler {
  readonly #environment: Environment;
  readonly #observable: Observable;

  constructor(observable: Observable) {
    this.#observable = observable;
    const missing = (what: string): never => {
      throw new Error(`there is no ${what}`);
    };
    this.#environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
      .registerVariable("history", "list")
      .registerVariable("recorded", "map")
      .registerVariable("observed", "map")
      .registerFunction("objects(string): list", (resource: string) => observable.objects(resource, undefined))
      .registerFunction("objects(string, string): list", (resource: string, namespace: string) =>
        observable.objects(resource, namespace),
      )
      .registerFunction(
        "object(string, string, string): dyn",
        (resource: string, namespace: string, name: string) =>
          observable.object(resource, namespace, name) ?? missing(`${resource} ${name}`),
      )
      .registerFunction(
        "exists(string, string, string): bool",
        (resource: string, namespace: string, name: string) => observable.object(resource, namespace, name) !== undefined,
      )
      .registerFunction("file(string): string", (path: string) => observable.file(path) ?? missing(`file ${path}`));
  }

  compile(source: string): Expression {
    const parsed = this.#environment.parse(source);
    const { valid, error } = parsed.check();
    if (!valid) throw error ?? new Error(`not a CEL expression: ${source}`);
    return ({ recorded, observed }) => parsed({ history: this.#observable.history, recorded, observed });
  }
}

/** An expression's value as text for a person: numbers without exponent, lists joined by commas. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  return value === undefined || value === null ? "" : String(value);
}
