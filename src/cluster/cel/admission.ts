// Expressions over a request to the API server: of admission policies and of webhooks' match conditions (apiserver,
// pkg/admission/plugin/cel).

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { addAuthorizer } from "./authorizer.ts";
import type { CostBudget } from "./budget.ts";
import { kubernetesEnvironment } from "./environment.ts";
import { CelCompileError, CelFault, type Compiled, compileExpression } from "./expression.ts";
import { addObjectLiterals, rewriteLiterals } from "./object-literals.ts";

/** What an expression may use beside object, oldObject, request and namespaceObject. */
export interface AdmissionScope {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Objects and patches may be made. */
  readonly hasPatchTypes?: boolean;
  /** Registers the type of object and oldObject and names it; absent: they may be anything. */
  readonly objectType?: (environment: Environment) => string;
  /** Variables so far, with their types; undefined where there can be none. */
  readonly variables?: ReadonlyMap<string, string>;
}

const requestFields = {
  kind: "kubernetes.GroupVersionKind",
  resource: "kubernetes.GroupVersionResource",
  subResource: "string",
  requestKind: "kubernetes.GroupVersionKind",
  requestResource: "kubernetes.GroupVersionResource",
  requestSubResource: "string",
  name: "string",
  namespace: "string",
  operation: "string",
  userInfo: "kubernetes.UserInfo",
  dryRun: "bool",
  options: "dyn",
};

let base: Environment | undefined;
let running: Environment | undefined;

function baseEnvironment(): Environment {
  if (base === undefined) {
    base = kubernetesEnvironment();
    addAuthorizer(base);
    addObjectLiterals(base);
    const group = { group: "string", version: "string" };
    base
      .registerType("kubernetes.GroupVersionKind", { fields: { ...group, kind: "string" } })
      .registerType("kubernetes.GroupVersionResource", { fields: { ...group, resource: "string" } })
      .registerType("kubernetes.UserInfo", {
        fields: { username: "string", uid: "string", groups: "list<string>", extra: "map<string, list<string>>" },
      })
      .registerType("kubernetes.AdmissionRequest", { fields: requestFields });
  }
  return base.clone();
}

/** Where expressions run: all variables are there, values bring their types. */
function runningEnvironment(): Environment {
  if (running === undefined) {
    running = baseEnvironment();
    for (const name of ["object", "oldObject", "request", "namespaceObject", "params", "variables"])
      running.registerVariable(name, "dyn");
    running.registerVariable("authorizer", "kubernetes.authorization.Authorizer");
    running.registerVariable("__requestResource", "kubernetes.authorization.ResourceCheck");
  }
  return running;
}

function checkingEnvironment({ hasParams, hasAuthorizer, variables, objectType }: AdmissionScope): Environment {
  const environment = baseEnvironment();
  const type = objectType?.(environment) ?? "dyn";
  environment
    .registerVariable("object", type)
    .registerVariable("oldObject", type)
    .registerVariable("namespaceObject", "dyn")
    .registerVariable("request", "kubernetes.AdmissionRequest");
  if (hasParams) environment.registerVariable("params", "dyn");
  if (hasAuthorizer) {
    environment.registerVariable("authorizer", "kubernetes.authorization.Authorizer");
    environment.registerVariable("__requestResource", "kubernetes.authorization.ResourceCheck");
  }
  if (variables !== undefined) {
    environment.registerType("kubernetes.variables", { fields: Object.fromEntries(variables) });
    environment.registerVariable("variables", "kubernetes.variables");
  }
  return environment;
}

/**
 * Compiles an expression that must answer one of `types` ("" in the list: any). Throws CelCompileError with what upstream says of
 * it.
 */
export function compileAdmission(source: string, scope: AdmissionScope, types: readonly string[]): Compiled {
  const plain = source.replace(/\bauthorizer\.requestResource\b/g, "__requestResource");
  let compiled: Compiled;
  try {
    compiled = compileExpression(
      scope.hasPatchTypes === true ? rewriteLiterals(plain) : plain,
      checkingEnvironment(scope),
      runningEnvironment(),
    );
  } catch (error) {
    if (error instanceof CelCompileError) throw new CelCompileError(`compilation failed: ${error.message}`);
    throw error;
  }
  // What is known only when it runs may be anything.
  const type = compiled.type === "null" ? "null_type" : compiled.type;
  if (types.includes("") || type.startsWith("dyn") || types.includes(type)) return compiled;
  const wanted = types.length === 1 ? `must evaluate to ${types[0]}` : `must evaluate to one of [${types.join(" ")}]`;
  throw new CelCompileError(`${wanted} but got ${type}`);
}

export type Activation = { readonly [name: string]: unknown };

/** Runs an expression; its faults name it, as upstream. Throws CelFault, and CelBudgetFault where nothing is left for it. */
export function evaluate(compiled: Compiled, source: string, activation: Activation, budget: CostBudget): unknown {
  try {
    const value = compiled.run(activation, budget.spend);
    budget.check();
    return value;
  } catch (error) {
    budget.check();
    if (error instanceof CelFault) throw new CelFault(`expression '${source}' resulted in error: ${error.message}`);
    throw error;
  }
}

/** The policy's variables as one object; each is worked out when it is first asked for. Its fault is one of the expression's operand. */
export function lazyVariables(
  variables: readonly { readonly name: string; readonly compiled: Compiled }[],
  activation: Activation,
  budget: CostBudget,
): Activation {
  const object: { [name: string]: unknown } = {};
  const complete = { ...activation, variables: object };
  for (const { name, compiled } of variables) {
    let outcome: { readonly value: unknown } | undefined;
    Object.defineProperty(object, name, {
      enumerable: true,
      get: () => {
        try {
          outcome ??= { value: compiled.run(complete, budget.spend) };
          return outcome.value;
        } catch (error) {
          if (error instanceof CelFault)
            throw new EvaluationError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${error.message}`);
          throw error;
        }
      },
    });
  }
  return complete;
}
