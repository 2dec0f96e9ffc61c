// Custom kinds in quotas.

import type { ResourceType } from "#cluster/api/objects.ts";
import type { Evaluator } from "#cluster/quota/evaluator.ts";
import { evaluatorOf } from "#cluster/quota/evaluators.ts";

export interface Counted {
  readonly type: ResourceType<unknown>;
  readonly evaluator: Evaluator;
}

/** Those of the kinds that a quota with these names counts. */
export function customCounted(types: readonly ResourceType<unknown>[], names: readonly string[]): readonly Counted[] {
  return types.flatMap((type): readonly Counted[] => {
    const evaluator = evaluatorOf(type.group, type.plural);
    if (!type.namespaced || evaluator === undefined || evaluator.matchingResources(names).length === 0) return [];
    return [{ type, evaluator }];
  });
}
