// Where a class may make volumes: its allowedTopologies against the labels of a node (component-helpers, MatchTopologySelectorTerms).

import type { TopologySelectorTerm } from "#cluster/api/generated/types.ts";

/** No terms allow every place; a term without expressions allows none. */
export function matchesTopologies(
  terms: readonly TopologySelectorTerm[] = [],
  labels: { readonly [key: string]: string },
): boolean {
  if (terms.length === 0) return true;
  return terms.some(
    ({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.length > 0 &&
      matchLabelExpressions.every(({ key, values }) => {
        const value = labels[key];
        return value !== undefined && values.includes(value);
      }),
  );
}
