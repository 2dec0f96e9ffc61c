// Objects that only count as one: `count/deployments.apps`, and for some kinds of the core group an older name (`configmaps`).

import { countName, type Evaluator } from "./evaluator.ts";

const oldNames: ReadonlySet<string> = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

export function objectCountEvaluator(group: string, plural: string): Evaluator {
  const names = [countName(group, plural), ...(group === "" && oldNames.has(plural) ? [plural] : [])];
  const usage = Object.fromEntries(names.map((name) => [name, "1"]));
  return {
    group,
    plural,
    handles: (operation, subresource) => operation === "CREATE" && subresource === "",
    matchingResources: (wanted) => wanted.filter((name) => names.includes(name)).sort(),
    isInScope: () => false,
    usage: () => usage,
  };
}
