// What the rules of a definition may cost together: a definition whose rules could take too long is refused
// (apiextensions-apiserver, pkg/apis/apiextensions/validation: getExpressionCost and TotalCost).

import type { FieldErrors, Path } from "../field-errors.ts";
import { unboundedCount } from "./rule-sizes.ts";
import { compiledRules } from "./rules.ts";
import { additionalOf, itemsOf, type Schema } from "./structural-schema.ts";

const ruleLimit = 10_000_000;
const definitionLimit = 100_000_000;
/** So many of the dearest rules are named. */
const named = 4;

/** Gathers the costs of a definition's rules. */
export class RuleCosts {
  #total = 0;
  #dearest: { readonly path: Path; readonly cost: number }[] = [];

  /** `count`: how often the value may stand in an object, undefined where nothing bounds it. */
  rule(cost: number, { schema, isResource, count }: RulePlace, path: Path, errors: FieldErrors): void {
    const whole = cost * (count ?? unboundedCount(schema, isResource));
    if (whole > ruleLimit) errors.forbidden(path, excess("estimated rule cost", whole, ruleLimit));
    this.#observe(whole, path);
  }

  message(cost: number, path: Path, errors: FieldErrors): void {
    if (cost > ruleLimit) errors.forbidden(path, excess("estimated messageExpression cost", cost, ruleLimit));
    this.#observe(cost, path);
  }

  #observe(cost: number, path: Path): void {
    this.#total += cost;
    if (cost < definitionLimit / 100) return;
    this.#dearest = [...this.#dearest, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, named);
  }

  /** What is wrong with all rules together; `path` is the schema's. */
  whole(path: Path, errors: FieldErrors): void {
    if (this.#total <= definitionLimit) return;
    for (const one of this.#dearest)
      errors.forbidden(one.path, "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema");
    const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    errors.forbidden(path, excess(what, this.#total, definitionLimit));
  }
}

export interface RulePlace {
  readonly schema: Schema;
  readonly isResource: boolean;
  readonly count: number | undefined;
}

function excess(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  let text = `${factor.toFixed(1)}x`;
  if (factor > 100) text = "more than 100x";
  else if (factor < 1.5) text = `${factor.toFixed(6)}x`;
  return `${what} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** What each rule of a schema costs, by its place: `.spec.names[].rule[0]`. */
export function estimatedCosts(root: Schema): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const visit = (schema: Schema, path: string): void => {
    const isResource = path === "" || schema["x-kubernetes-embedded-resource"] === true;
    compiledRules(schema, isResource).forEach(({ maximumCost, maximumMessageCost, program, message }, index) => {
      if (program !== undefined) found.set(`${path}.rule[${index}]`, maximumCost);
      if (message !== undefined) found.set(`${path}.message[${index}]`, maximumMessageCost);
    });
    for (const [name, property] of Object.entries(schema.properties ?? {})) visit(property, `${path}.${name}`);
    const [items, additional] = [itemsOf(schema), additionalOf(schema)];
    if (items !== undefined) visit(items, `${path}[]`);
    if (additional !== undefined) visit(additional, `${path}{}`);
  };
  visit(root, "");
  return found;
}
