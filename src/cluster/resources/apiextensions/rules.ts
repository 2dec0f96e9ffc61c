// `x-kubernetes-validations`: CEL rules of a schema over the values that it describes (apiextensions-apiserver,
// pkg/apiserver/schema/cel). What they may cost is estimated when a definition is written, and counted when they run.

import { deepEqual } from "#cluster/api/equality.ts";
import type { ValidationRule } from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { isList, isObject } from "#cluster/api/wire.ts";
import { CostBudget, objectBudget, outOfBudget } from "#cluster/cel/budget.ts";
import { CelCompileError, CelCostFault, CelFault, type Compiled, compileExpression } from "#cluster/cel/expression.ts";
import { type FieldErrors, field, Path } from "../field-errors.ts";
import { sizeAt } from "./rule-sizes.ts";
import { celOf, checkingEnvironment, optionalOf, runningEnvironment } from "./rule-values.ts";
import { normalizedFieldPath } from "./simple-path.ts";
import { additionalOf, itemsOf, propertyOf, type Schema, someSchema } from "./structural-schema.ts";
import { type Before, fieldBefore, itemBefore } from "./value-validation.ts";

export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined for an empty rule. */
  readonly program: Compiled | undefined;
  /** What is wrong with the rule. */
  readonly fault: string | undefined;
  readonly message: Compiled | undefined;
  readonly messageFault: string | undefined;
  readonly usesOldSelf: boolean;
  /** What it may cost for one value. */
  readonly maximumCost: number;
  readonly maximumMessageCost: number;
}

/** A schema that is embedded as a resource knows more fields. */
const compiled = {
  resource: new WeakMap<Schema, readonly CompiledRule[]>(),
  value: new WeakMap<Schema, readonly CompiledRule[]>(),
};

/** The rules of this schema alone, each compiled once. `isResource`: apiVersion, kind and metadata may be asked for. */
export function compiledRules(schema: Schema, isResource: boolean): readonly CompiledRule[] {
  const known = isResource ? compiled.resource : compiled.value;
  let rules = known.get(schema);
  if (rules === undefined) {
    rules = (schema["x-kubernetes-validations"] ?? []).map((rule) => compileRule(rule, schema, isResource));
    known.set(schema, rules);
  }
  return rules;
}

function compileRule(rule: ValidationRule, schema: Schema, isResource: boolean): CompiledRule {
  const nothing = {
    rule,
    program: undefined,
    fault: undefined,
    message: undefined,
    messageFault: undefined,
    usesOldSelf: false,
    maximumCost: 0,
    maximumMessageCost: 0,
  };
  if (rule.rule.trim() === "") return nothing;
  const environment = checkingEnvironment(schema, isResource, rule.optionalOldSelf === true);
  const running = runningEnvironment();
  let program: Compiled;
  try {
    program = compileExpression(rule.rule, environment, running);
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return { ...nothing, fault: `compilation failed: ${error.message}` };
  }
  if (program.type !== "bool" && program.type !== "dyn") return { ...nothing, fault: "cel expression must evaluate to a bool" };
  const sizes = (path: readonly string[]) => sizeAt(schema, isResource, path);
  const good = {
    ...nothing,
    program,
    usesOldSelf: program.variables.has("oldSelf"),
    maximumCost: program.maximumCost(sizes),
  };
  if (!rule.messageExpression) return good;
  try {
    const message = compileExpression(rule.messageExpression, environment, running);
    if (message.type !== "string" && message.type !== "dyn") {
      return { ...good, messageFault: "messageExpression must evaluate to a string" };
    }
    return { ...good, message, maximumMessageCost: message.maximumCost(sizes) };
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return { ...good, messageFault: `messageExpression compilation failed: ${error.message}` };
  }
}

/** Whether anything in a schema has rules: most have none, and cost nothing. */
export function hasRules(schema: Schema | undefined): boolean {
  return someSchema(schema, (one) => (one["x-kubernetes-validations"]?.length ?? 0) > 0);
}

/** A value where rules are run. */
interface Place {
  readonly value: JsonValue;
  readonly schema: Schema;
  /** Undefined at the root. */
  readonly path: Path | undefined;
  readonly isResource: boolean;
  /** Its own former state, or that of the nearest part around it that can be compared. */
  readonly before: Before | undefined;
  /** The value and its former state of that part are the same: its faults are no news. Never for defaults. */
  readonly unchanged: boolean;
  readonly isDefault: boolean;
  /** Of the whole visit. */
  readonly budget: CostBudget;
}

/** Runs all rules on a resource and what is in it. `before`: the value that an update replaces. */
export function validateRules(value: JsonValue, schema: Schema, before: Before | undefined, errors: FieldErrors): void {
  const unchanged = before !== undefined && deepEqual(value, before.value);
  visitAll({ value, schema, path: undefined, isResource: true, before, unchanged, isDefault: false }, errors);
}

/** The same for a default, which is the value of one field. */
export function validateDefaultRules(
  value: JsonValue,
  schema: Schema,
  path: Path,
  before: Before | undefined,
  errors: FieldErrors,
): void {
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  visitAll({ value, schema, path, isResource, before, unchanged: false, isDefault: true }, errors);
}

/** Ends the visit: what is wrong has been said. */
class NoMoreRules extends Error {}

function visitAll(place: Omit<Place, "budget">, errors: FieldErrors): void {
  try {
    visit({ ...place, budget: new CostBudget(objectBudget) }, errors);
  } catch (error) {
    if (!(error instanceof NoMoreRules)) throw error;
  }
}

function visit(place: Place, errors: FieldErrors): void {
  const { value, schema, path } = place;
  if (value === null) return;
  const rules = compiledRules(schema, place.isResource);
  if (rules.length > 0) runRules(rules, place, errors);
  if (isList(value)) {
    const items = itemsOf(schema);
    if (items === undefined) return;
    value.forEach((item, index) => {
      const before = itemBefore(schema, item, place.before);
      visit(placeWithin(place, item, items, (path ?? field()).index(index), before), errors);
    });
    return;
  }
  if (!isObject(value)) return;
  const additional = additionalOf(schema);
  for (const [name, inner] of Object.entries(value)) {
    const before = fieldBefore(place.before, name);
    if (additional !== undefined) visit(placeWithin(place, inner, additional, (path ?? field()).key(name), before), errors);
    const property = propertyOf(schema, name);
    if (property !== undefined) visit(placeWithin(place, inner, property, (path ?? field()).child(name), before), errors);
  }
}

function placeWithin(around: Place, value: JsonValue, schema: Schema, path: Path, before: Before | undefined): Place {
  const { isDefault, budget } = around;
  const unchanged = before === undefined ? around.unchanged : !isDefault && deepEqual(value, before.value);
  return {
    value,
    schema,
    path,
    isResource: schema["x-kubernetes-embedded-resource"] === true,
    before,
    unchanged,
    isDefault,
    budget,
  };
}

const unnamed = new Path("<nil>");

function runRules(rules: readonly CompiledRule[], place: Place, errors: FieldErrors): void {
  const { value, schema, path, isResource, before, budget } = place;
  const endOf = (text: string): NoMoreRules => {
    errors.invalid(path ?? unnamed, schema.type ?? "", text);
    return new NoMoreRules();
  };
  if (budget.isEmpty) throw endOf(outOfBudget);
  const self = celOf(value, schema, isResource);
  const old = before === undefined || before.value === null ? undefined : celOf(before.value, schema, isResource);
  const type = schema.type ?? "";
  for (const compiledRule of rules) {
    const { rule, program, fault, usesOldSelf } = compiledRule;
    if (fault !== undefined) {
      errors.invalid(path ?? unnamed, type, `rule compile error: ${fault}`);
      continue;
    }
    if (program === undefined) continue;
    const isOptional = rule.optionalOldSelf === true;
    if (usesOldSelf && old === undefined && !isOptional) continue;
    const oldSelf = isOptional ? optionalOf(old) : old;
    const variables = { self, ...(oldSelf === undefined ? {} : { oldSelf }) };
    try {
      const holds = program.run(variables, budget.spend) === true;
      if (budget.isSpent) throw endOf(outOfBudget);
      if (holds) continue;
    } catch (error) {
      if (!(error instanceof CelFault)) throw error;
      if (budget.isSpent) throw endOf(outOfBudget);
      if (error instanceof CelCostFault) throw endOf(costFault(error.message, rule));
      errors.invalid(path ?? unnamed, type, runtimeFault(error.message, rule));
      continue;
    }
    if (!usesOldSelf && place.unchanged) continue;
    addFault(compiledRule, variables, place, errors);
  }
}

function costFault(message: string, rule: ValidationRule): string {
  return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`;
}

function runtimeFault(message: string, rule: ValidationRule): string {
  if (message.startsWith("no such overload")) {
    return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`;
  }
  return `${message} evaluating rule: ${ruleText(rule)}`;
}

function addFault(
  { rule, message }: CompiledRule,
  variables: { readonly [name: string]: unknown },
  { value, schema, path, budget }: Place,
  errors: FieldErrors,
): void {
  const relative = rule.fieldPath ? normalizedFieldPath(rule.fieldPath, schema) : undefined;
  const at = relative === undefined ? (path ?? unnamed) : (path ?? field()).child(relative);
  const made = messageText(message, variables, budget);
  if (made !== undefined && typeof made !== "string") {
    errors.invalid(at, schema.type ?? "", made.fault);
    throw new NoMoreRules();
  }
  const detail = made ?? (rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`);
  switch (rule.reason) {
    case "FieldValueForbidden":
      errors.forbidden(at, detail);
      return;
    case "FieldValueRequired":
      errors.required(at, detail);
      return;
    case "FieldValueDuplicate":
      errors.duplicate(at, value);
      return;
    default:
      if (schema.type === "object" || schema.type === "array") errors.invalidUnnamed(at, detail);
      else errors.invalid(at, value, detail);
  }
}

/** A message that cannot be made gives way to the rule's fixed one; one that costs too much is a fault of its own. */
function messageText(
  message: Compiled | undefined,
  variables: { readonly [name: string]: unknown },
  budget: CostBudget,
): string | { readonly fault: string } | undefined {
  if (message === undefined) return undefined;
  let text: unknown;
  let fault: CelFault | undefined;
  try {
    text = message.run(variables, budget.spend);
  } catch (error) {
    if (!(error instanceof CelFault)) throw error;
    fault = error;
  }
  if (budget.isSpent) {
    return {
      fault: "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
    };
  }
  if (fault instanceof CelCostFault) {
    const source = JSON.stringify(message.source);
    return { fault: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}` };
  }
  if (typeof text !== "string") return undefined;
  const trimmed = text.trim();
  return trimmed === "" || trimmed.includes("\n") || trimmed.length > 5 * 1024 ? undefined : trimmed;
}

function ruleText(rule: ValidationRule): string {
  return rule.message ? rule.message.trim() : rule.rule.trim();
}
