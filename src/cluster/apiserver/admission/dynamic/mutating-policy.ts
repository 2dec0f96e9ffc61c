// MutatingAdmissionPolicy: changes requests by expressions (apiserver, pkg/admission/plugin/policy/mutating).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { ApiError, forbidden } from "#cluster/api/errors.ts";
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { CostBudget, objectBudget } from "#cluster/cel/budget.ts";
import { CelFault } from "#cluster/cel/expression.ts";
import { applyConfigurationTypes, jsonPatchTypes } from "#cluster/resources/admissionregistration/mutatingadmissionpolicies.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../chain.ts";
import { type AdmissionWorld, admissionName, converted } from "./matching.ts";
import { withApplyConfiguration, withJsonPatch } from "./mutations.ts";
import {
  type BindingObject,
  type CompiledPolicy,
  compileCondition,
  compilePolicy,
  type Invocation,
  isFault,
  type PolicyObject,
  policyActivation,
  policyMeetings,
  withVariables,
} from "./policies.ts";
import { type CompiledCondition, compiledOnce, conditionsHold, run } from "./request-values.ts";

type Policy = PolicyObject & { readonly spec: MutatingAdmissionPolicy["spec"] & object };
type Binding = BindingObject & { readonly spec: MutatingAdmissionPolicyBinding["spec"] & object };

interface CompiledMutations extends CompiledPolicy {
  readonly mutations: readonly { readonly patchType: string; readonly expression: CompiledCondition }[];
}

const pluginName = "MutatingAdmissionPolicy";

export function mutatingPolicy(world: AdmissionWorld): Required<Pick<AdmissionPlugin, "mutate">> {
  const meetings = policyMeetings<Policy, Binding>(world, "mutating");
  const compiledOf = compiledOnce(compileMutations);
  return {
    mutate(attributes) {
      const { reinvocation } = attributes;
      const invocations = reinvocation.of(pluginName);
      invocations.begin(reinvocation.isSecond, attributes.object);
      const faults: string[] = [];
      let firstReason = "";
      const note = (policy: Policy, binding: Binding | undefined, message: string, reason: string): void => {
        if (policy.spec.failurePolicy === "Ignore") return;
        const name = policy.metadata.name ?? "";
        const by =
          binding === undefined ? `policy ${JSON.stringify(name)}` : `policy '${name}' with binding '${binding.metadata.name}'`;
        if (faults.length === 0) firstReason = reason;
        faults.push(`${by} denied request: ${message}`);
      };
      let { object } = attributes;
      const found = meetings(attributes);
      for (const one of found) if (isFault(one)) note(one.policy, one.binding, one.message, "");
      for (const one of found) {
        if (isFault(one)) continue;
        const key = `${one.policy.metadata.name}\n${one.binding.metadata.name}\n${one.params?.metadata.namespace}/${one.params?.metadata.name}`;
        const before = object;
        const outcome = invoke(world, { ...attributes, object }, one, compiledOf(one.policy), () =>
          reinvocation.isSecond ? invocations.isDue(key) : true,
        );
        object = outcome.object;
        for (const message of outcome.faults) note(one.policy, one.binding, message, "Invalid");
        if (!outcome.ran) continue;
        if (object !== before && !semanticDeepEqual(object, before)) {
          invocations.requireAll();
          reinvocation.isWanted = true;
        }
        if (one.policy.spec.reinvocationPolicy === "IfNeeded") invocations.invoked(key);
      }
      invocations.end(object);
      if (faults.length > 0) throw refusal(attributes, faults, firstReason);
      return object;
    },
  };
}

function compileMutations(policy: Policy): CompiledMutations {
  const base = compilePolicy(policy, true);
  const mutations = (policy.spec.mutations ?? []).map((mutation) => {
    const isPatch = mutation.patchType === "JSONPatch";
    const source = (isPatch ? mutation.jsonPatch : mutation.applyConfiguration)?.expression?.trim() ?? "";
    const types = isPatch ? jsonPatchTypes : applyConfigurationTypes;
    return { patchType: mutation.patchType, expression: compileCondition(source, base.scope, types) };
  });
  return { ...base, mutations };
}

/** All mutations of one policy in their order; one that fails does not keep the next from running. */
function invoke(
  world: AdmissionWorld,
  attributes: AdmissionAttributes,
  invocation: Invocation<Policy, Binding>,
  policy: CompiledMutations,
  isWanted: () => boolean,
): { readonly object: KubeObject; readonly ran: boolean; readonly faults: readonly string[] } {
  const { target } = invocation;
  const { definition } = attributes;
  const faults: string[] = [];
  let { object } = attributes;
  try {
    if (!conditionsHold(policy.conditions, policyActivation(world, attributes, invocation))) return { object, ran: false, faults };
  } catch (error) {
    if (!(error instanceof CelFault)) throw error;
    return { object, ran: false, faults: [error.message] };
  }
  if (!isWanted()) return { object, ran: false, faults };
  for (const { patchType, expression } of policy.mutations) {
    try {
      const activation = policyActivation(world, { ...attributes, object }, invocation);
      const budget = new CostBudget(objectBudget);
      const value = run(expression, withVariables(policy, activation, budget), budget);
      const versioned = converted(object, definition, target, attributes.answers);
      const changed =
        patchType === "JSONPatch" ? withJsonPatch(target, versioned, value) : withApplyConfiguration(target, versioned, value);
      object = converted(changed, target, definition, attributes.answers);
    } catch (error) {
      if (!(error instanceof CelFault)) throw error;
      faults.push(error.message);
    }
  }
  return { object, ran: true, faults };
}

function refusal(attributes: AdmissionAttributes, faults: readonly string[], reason: string): ApiError {
  const { group, plural } = attributes.definition;
  const { status } = forbidden({ group, resource: plural }, admissionName(attributes), "");
  const causes = faults.map((message) => ({ message }));
  return new ApiError({
    ...status,
    message: faults[0] ?? "",
    ...(reason === "" ? {} : { reason }),
    details: { ...status.details, causes },
  });
}
