// ValidatingAdmissionPolicy: refuses or warns of requests that do not satisfy a policy's expressions
// (apiserver, pkg/admission/plugin/policy/validating).

import { ApiError, forbidden } from "#cluster/api/errors.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, Validation } from "#cluster/api/generated/types.ts";
import type { Activation } from "#cluster/cel/admission.ts";
import { CelBudgetFault, CostBudget, objectBudget } from "#cluster/cel/budget.ts";
import { CelFault } from "#cluster/cel/expression.ts";
import { escapedJson } from "../../http/writing.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../chain.ts";
import { type AdmissionWorld, admissionName } from "./matching.ts";
import {
  type BindingObject,
  type CompiledPolicy,
  compileCondition,
  compilePolicy,
  isFault,
  type PolicyObject,
  policyActivation,
  policyMeetings,
  withVariables,
} from "./policies.ts";
import { type CompiledCondition, compiledOnce, conditionsHold, run } from "./request-values.ts";

type Policy = PolicyObject & { readonly spec: ValidatingAdmissionPolicy["spec"] & object };
type Binding = BindingObject & { readonly spec: ValidatingAdmissionPolicyBinding["spec"] & object };

interface Denial {
  readonly message: string;
  readonly reason: string;
  /** Which of the policy's validations it was. */
  readonly index?: number;
}

/** Of an audit event. */
const failureKey = "validation.policy.admission.k8s.io/validation_failure";
const maxNoteBytes = 10 * 1024;

/** What policies say for audit events; several bindings may say different things under one key. */
class Notes {
  readonly byKey = new Map<string, string[]>();

  add({ metadata }: Policy, notes: ReadonlyMap<string, string>): void {
    for (const [key, value] of notes) {
      const full = `${metadata.name}/${key}`;
      const known = this.byKey.get(full) ?? [];
      if (!known.includes(value)) known.push(value.slice(0, maxNoteBytes));
      this.byKey.set(full, known);
    }
  }
}

interface CompiledValidations extends CompiledPolicy {
  readonly validations: readonly {
    readonly validation: Validation;
    readonly condition: CompiledCondition;
    readonly message: CompiledCondition | undefined;
  }[];
  readonly annotations: readonly { readonly key: string; readonly condition: CompiledCondition }[];
}

const codes: { readonly [reason: string]: number } = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };
const maxMessageBytes = 5 * 1024;

export function validatingPolicy(world: AdmissionWorld): Required<Pick<AdmissionPlugin, "validate">> {
  const meetings = policyMeetings<Policy, Binding>(world, "validating");
  const compiledOf = compiledOnce(compileValidations);
  return {
    validate(attributes) {
      const denied: { readonly denial: Denial; readonly policy: Policy; readonly binding: Binding | undefined }[] = [];
      const notes = new Notes();
      for (const one of meetings(attributes)) {
        const { policy, binding } = one;
        if (isFault(one)) {
          if (policy.spec.failurePolicy !== "Ignore")
            denied.push({ policy, binding, denial: { message: one.message, reason: "" } });
          continue;
        }
        const ignoresFaults = policy.spec.failurePolicy === "Ignore";
        const decisions = decide(compiledOf(policy), ignoresFaults, policyActivation(world, attributes, one));
        for (const denial of decisions.denials) {
          for (const action of one.binding.spec.validationActions ?? []) {
            if (action === "Deny") denied.push({ policy, binding, denial });
            else if (action === "Warn") attributes.warnings.push(warning(policy, one.binding, denial));
            else attributes.audit?.annotate(failureKey, failureNote(policy, one.binding, denial));
          }
        }
        if (attributes.audit !== undefined) notes.add(policy, decisions.notes);
        for (const denial of decisions.always) denied.push({ policy, binding, denial });
      }
      for (const [key, values] of notes.byKey) attributes.audit?.annotate(key, values.join(", "));
      const [first] = denied;
      if (first !== undefined) throw refusal(attributes, first.policy, first.binding, first.denial);
    },
  };
}

/** A list, for the day when there are several. */
function failureNote(policy: Policy, binding: Binding, { message, index = 0 }: Denial): string {
  const { name = "" } = policy.metadata;
  const { validationActions = [] } = binding.spec;
  const failure = { message, policy: name, binding: binding.metadata.name ?? "", expressionIndex: index, validationActions };
  return escapedJson([failure], false);
}

function warning(policy: Policy, binding: Binding, { message }: Denial): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}': ${message}`;
}

function refusal(
  attributes: AdmissionAttributes,
  policy: Policy,
  binding: Binding | undefined,
  { message, reason = "" }: Denial,
): ApiError {
  const { group, plural } = attributes.definition;
  const by = binding === undefined ? "" : ` with binding '${binding.metadata.name}'`;
  const text = `ValidatingAdmissionPolicy '${policy.metadata.name}'${by} denied request: ${message}`;
  const { status } = forbidden({ group, resource: plural }, admissionName(attributes), text);
  const why = reason === "" ? "Invalid" : reason;
  const details = { ...status.details, causes: [{ message: text }] };
  return new ApiError({ ...status, reason: why, code: codes[why] ?? 422, details });
}

function compileValidations(policy: Policy): CompiledValidations {
  const base = compilePolicy(policy, false);
  const { scope } = base;
  return {
    ...base,
    validations: (policy.spec.validations ?? []).map((validation) => ({
      validation,
      condition: compileCondition(validation.expression, scope, ["bool"]),
      message: validation.messageExpression
        ? compileCondition(validation.messageExpression, { ...scope, hasAuthorizer: false }, ["string"])
        : undefined,
    })),
    annotations: (policy.spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      key,
      condition: compileCondition(valueExpression.trim(), scope, ["string", "null_type"]),
    })),
  };
}

interface Decisions {
  readonly denials: readonly Denial[];
  /** What refuses whatever the binding's actions are. */
  readonly always: readonly Denial[];
  /** For audit events, by key. */
  readonly notes: ReadonlyMap<string, string>;
}

function decide(policy: CompiledValidations, ignoresFaults: boolean, activation: Activation): Decisions {
  const denials: Denial[] = [];
  const always: Denial[] = [];
  const notes = new Map<string, string>();
  const denialOf = (error: unknown, index = 0): readonly Denial[] => {
    if (!(error instanceof CelFault)) throw error;
    return ignoresFaults ? [] : [{ message: error.message, reason: "", index }];
  };
  try {
    if (!conditionsHold(policy.conditions, activation)) return { denials, always, notes };
    const budget = new CostBudget(objectBudget);
    const outcomes = outcomesOf(
      policy.validations.map(({ condition }) => condition),
      policy,
      activation,
      budget,
    );
    const messages = messagesOf(policy, activation, budget);
    for (const [index, { validation }] of policy.validations.entries()) {
      const outcome = outcomes[index];
      if (outcome instanceof CelFault) denials.push(...denialOf(outcome, index));
      else if (messages instanceof CelFault) denials.push(...denialOf(messages, index));
      else if (outcome !== true) {
        denials.push({ message: messageOf(validation, messages[index]), reason: validation.reason ?? "Invalid", index });
      }
    }
    const annotations = policy.annotations.map(({ condition }) => condition);
    const values = outcomesOf(annotations, policy, activation, new CostBudget(objectBudget));
    for (const [index, { key }] of policy.annotations.entries()) {
      const value = values[index];
      if (value instanceof CelFault) always.push(...denialOf(value));
      else if (typeof value === "string" && value.trim() !== "") notes.set(key, value.trim());
    }
    return { denials, always, notes };
  } catch (error) {
    // What costs too much, or conditions that cannot be judged, take the place of all decisions.
    return { denials: denialOf(error), always: [], notes: new Map() };
  }
}

/** Of each expression its value or its fault. Variables are worked out once. Throws CelBudgetFault. */
function outcomesOf(
  expressions: readonly (CompiledCondition | undefined)[],
  policy: CompiledPolicy,
  activation: Activation,
  budget: CostBudget,
): readonly unknown[] {
  const complete = withVariables(policy, activation, budget);
  return expressions.map((expression) => {
    if (expression === undefined) return undefined;
    try {
      return run(expression, complete, budget);
    } catch (error) {
      if (!(error instanceof CelFault) || error instanceof CelBudgetFault) throw error;
      return error;
    }
  });
}

/** Messages are made of all validations, of those that hold too; where they cost too much, all are told so. */
function messagesOf(policy: CompiledValidations, activation: Activation, budget: CostBudget): readonly unknown[] | CelFault {
  try {
    return outcomesOf(
      policy.validations.map(({ message }) => message),
      policy,
      activation,
      budget,
    );
  } catch (error) {
    if (error instanceof CelBudgetFault) return new CelFault(`failed messageExpression: ${error.message}`);
    throw error;
  }
}

/** A composed message that cannot be made, is too long or has several lines is none. */
function messageOf({ expression, message = "" }: Validation, composed: unknown): string {
  const made = typeof composed === "string" ? composed.trim() : "";
  const text = made.length > maxMessageBytes || made.includes("\n") ? "" : made;
  return text || message.trim() || `failed expression: ${expression.trim()}`;
}
