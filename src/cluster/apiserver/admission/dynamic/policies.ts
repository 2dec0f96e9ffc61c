// What validating and mutating policies have in common: which of them, with which bindings and parameters, a request meets
// (apiserver, pkg/admission/plugin/policy/generic).

import type { MatchCondition, MatchResources, ParamKind, ParamRef, Variable } from "#cluster/api/generated/types.ts";
import { SelectorMatchers } from "#cluster/api/labels.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { type Activation, type AdmissionScope, compileAdmission, lazyVariables } from "#cluster/cel/admission.ts";
import type { CostBudget } from "#cluster/cel/budget.ts";
import { CelCompileError, CelFault, type Compiled } from "#cluster/cel/expression.ts";
import { celValue } from "#cluster/cel/values.ts";
import { fieldType } from "#cluster/resources/admissionregistration/expressions.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Table } from "#cluster/storage/table.ts";
import { wireObject } from "../../encoding.ts";
import { storageKey } from "../../machinery.ts";
import type { AdmissionAttributes } from "../chain.ts";
import { type AdmissionWorld, isExempt, matchedKind } from "./matching.ts";
import { activationOf, type CompiledCondition } from "./request-values.ts";

export type PolicyObject = KubeObject & {
  readonly spec: {
    readonly failurePolicy?: string;
    readonly matchConditions?: readonly MatchCondition[];
    readonly matchConstraints?: MatchResources;
    readonly paramKind?: ParamKind;
    readonly variables?: readonly Variable[];
  };
};

export type BindingObject = KubeObject & {
  readonly spec: { readonly policyName?: string; readonly paramRef?: ParamRef; readonly matchResources?: MatchResources };
};

/** One policy with one binding and one parameter object. */
export interface Invocation<P, B> {
  readonly policy: P;
  readonly binding: B;
  /** The version in which the policy wants to see the request. */
  readonly target: ResourceDefinition;
  readonly params: KubeObject | undefined;
  readonly paramKind: ResourceDefinition | undefined;
}

/** Something about a policy or a binding that cannot work. */
export interface ConfigurationFault<P, B> {
  readonly policy: P;
  readonly binding: B | undefined;
  readonly message: string;
}

class ConfigurationError extends Error {}

/** What finds all stored policies of one sort that a request meets, with their bindings, in order; faults where they occur. */
export function policyMeetings<P extends PolicyObject, B extends BindingObject>(
  world: AdmissionWorld,
  kind: "mutating" | "validating",
): (attributes: AdmissionAttributes) => readonly (Invocation<P, B> | ConfigurationFault<P, B>)[] {
  const policies = world.store.table(`${kind}admissionpolicies.admissionregistration.k8s.io`);
  const bindings = world.store.table(`${kind}admissionpolicybindings.admissionregistration.k8s.io`);
  return (attributes) => (isExempt(attributes) ? [] : invocationsOf(world, policies, bindings, attributes));
}

function invocationsOf<P extends PolicyObject, B extends BindingObject>(
  world: AdmissionWorld,
  policies: Table,
  bindings: Table,
  attributes: AdmissionAttributes,
): readonly (Invocation<P, B> | ConfigurationFault<P, B>)[] {
  const found: (Invocation<P, B> | ConfigurationFault<P, B>)[] = [];
  const allBindings = bindings.list("") as B[];
  for (const policy of policies.list("") as P[]) {
    const mine = allBindings.filter(({ spec }) => spec.policyName === policy.metadata.name);
    if (mine.length === 0) continue;
    const target = matchedKind(world, policy.spec.matchConstraints ?? {}, attributes);
    if (target === undefined) continue;
    const { paramKind: kind } = policy.spec;
    const paramKind = kind === undefined ? undefined : findKind(world, kind);
    if (kind !== undefined && paramKind === undefined) {
      const message = `failed to configure policy: failed to find resource referenced by paramKind: '${kindText(kind)}'`;
      found.push({ policy, binding: undefined, message });
      continue;
    }
    for (const binding of mine) {
      const { matchResources } = binding.spec;
      if (matchResources !== undefined && matchedKind(world, matchResources, attributes) === undefined) continue;
      try {
        for (const params of collectParams(world, paramKind, binding.spec.paramRef, attributes.namespace)) {
          found.push({ policy, binding, target, params, paramKind });
        }
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        found.push({ policy, binding, message: `failed to configure binding: ${error.message}` });
      }
    }
  }
  return found;
}

export function isFault<P, B>(one: Invocation<P, B> | ConfigurationFault<P, B>): one is ConfigurationFault<P, B> {
  return "message" in one;
}

function findKind({ registry }: AdmissionWorld, { apiVersion = "", kind = "" }: ParamKind): ResourceDefinition | undefined {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return registry.findKind(group ?? "", version ?? "", kind);
}

function kindText({ apiVersion = "", kind = "" }: ParamKind): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

const selectors = new SelectorMatchers();

/** Throws ConfigurationError. */
function collectParams(
  { store, registry }: AdmissionWorld,
  kind: ResourceDefinition | undefined,
  reference: ParamRef | undefined,
  requestNamespace: string,
): readonly (KubeObject | undefined)[] {
  if (kind === undefined || reference === undefined) return [undefined];
  const namespace = kind.namespaced ? reference.namespace || requestNamespace : "";
  if (kind.namespaced && namespace === "") {
    throw new ConfigurationError("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  }
  if (!kind.namespaced && reference.namespace) {
    throw new ConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  const table = store.table(registry.storageOf(kind));
  const named = reference.name ? table.get(storageKey(namespace, reference.name)) : undefined;
  const selected = reference.name
    ? []
    : table.list(namespace).filter(({ metadata }) => selectors.of(reference.selector)(metadata.labels));
  const params = named === undefined ? selected : [named];
  if (params.length === 0 && reference.parameterNotFoundAction === "Deny") {
    throw new ConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return params;
}

/** What a request looks like to one invocation. */
export function policyActivation<P, B>(
  world: AdmissionWorld,
  attributes: AdmissionAttributes,
  { target, params, paramKind }: Invocation<P, B>,
): Activation {
  const given = params === undefined || paramKind === undefined ? null : paramValue(params, paramKind);
  return { ...activationOf(world, attributes, target), params: given };
}

function paramValue(params: KubeObject, kind: ResourceDefinition): unknown {
  return celValue(wireObject(kind, kind.fromStorage?.(params) ?? params) as JsonValue);
}

export interface CompiledVariable {
  readonly name: string;
  readonly compiled: Compiled;
}

/** A policy's expressions, ready to run. */
export interface CompiledPolicy {
  readonly conditions: readonly CompiledCondition[];
  readonly variables: readonly CompiledVariable[];
  /** For expressions that may use everything. */
  readonly scope: AdmissionScope;
}

export function compilePolicy({ spec }: PolicyObject, hasPatchTypes: boolean): CompiledPolicy {
  const hasParams = spec.paramKind !== undefined;
  const base = { hasParams, hasAuthorizer: true };
  const conditions = (spec.matchConditions ?? []).map(({ expression }) => compileCondition(expression.trim(), base, ["bool"]));
  const types = new Map<string, string>();
  const variables: CompiledVariable[] = [];
  for (const { name, expression } of spec.variables ?? []) {
    const { compiled } = compileCondition(expression, { ...base, hasPatchTypes, variables: new Map(types) }, [""]);
    types.set(name, compiled instanceof CelFault ? "dyn" : fieldType(compiled.type));
    if (!(compiled instanceof CelFault)) variables.push({ name, compiled });
  }
  return { conditions, variables, scope: { ...base, hasPatchTypes, ...(types.size > 0 ? { variables: types } : {}) } };
}

/** What does not compile is a fault of every request. */
export function compileCondition(source: string, scope: AdmissionScope, types: readonly string[]): CompiledCondition {
  try {
    return { source, compiled: compileAdmission(source, scope, types) };
  } catch (error) {
    if (error instanceof CelCompileError) return { source, compiled: new CelFault(error.message) };
    throw error;
  }
}

export function withVariables({ variables }: CompiledPolicy, activation: Activation, budget: CostBudget): Activation {
  return variables.length === 0 ? activation : lazyVariables(variables, activation, budget);
}
