// Selectors in the forms that few ask for: a text as an object, an object as Go prints it.

import { compareTexts } from "#sim/compare-texts.ts";
import type { LabelSelector } from "./generated/types.ts";
import { type LabelRequirement, parseLabelSelector, SelectorError } from "./labels.ts";

const expressionOfOperator: { readonly [operator: string]: string } = {
  in: "In",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};

/**
 * A text selector as a LabelSelector object (apimachinery's ParseToLabelSelector): equalities are labels, sets expressions; it has no `!=` and no
 * comparisons. Throws SelectorError.
 */
export function labelSelectorOf(text: string): LabelSelector {
  const matchLabels: { [key: string]: string } = {};
  const matchExpressions: NonNullable<LabelSelector["matchExpressions"]>[number][] = [];
  for (const { key, operator, values } of requirementsIn(text)) {
    const word = expressionOfOperator[operator];
    if (operator === "=" || operator === "==") matchLabels[key] = values[0] ?? "";
    else if (word !== undefined)
      matchExpressions.push({ key, operator: word, ...(values.length === 0 ? {} : { values: [...values].sort() }) });
    else {
      const isComparison = operator === "gt" || operator === "lt";
      throw new SelectorError(
        `"${operator}" ${isComparison ? "isn't supported in label selectors" : "is not a valid label selector operator"}`,
      );
    }
  }
  return {
    ...(Object.keys(matchLabels).length === 0 ? {} : { matchLabels }),
    ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
  };
}

function requirementsIn(text: string): readonly LabelRequirement[] {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SelectorError(`couldn't parse the selector string "${text}": ${error.message}`);
  }
}

/** A LabelSelector object as Go prints the structure. */
export function goSelectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return "nil";
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels).sort(([a], [b]) => compareTexts(a, b));
  const map = labels.map(([key, value]) => `${key}: ${value},`).join("");
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
