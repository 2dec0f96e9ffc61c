// The evaluator of each kind. Events are never counted.

import { claimEvaluator } from "./claims.ts";
import type { Evaluator } from "./evaluator.ts";
import { objectCountEvaluator } from "./object-counts.ts";
import { podEvaluator } from "./pods.ts";
import { serviceEvaluator } from "./services.ts";

const special: ReadonlyMap<string, Evaluator> = new Map<string, Evaluator>(
  [podEvaluator, serviceEvaluator, claimEvaluator].map((evaluator) => [`${evaluator.group}/${evaluator.plural}`, evaluator]),
);

/** Of all others, custom kinds too. */
const counting = new Map<string, Evaluator>();
const cacheLimit = 500;

/** Undefined for kinds that quotas ignore. */
export function evaluatorOf(group: string, plural: string): Evaluator | undefined {
  if (plural === "events") return undefined;
  const key = `${group}/${plural}`;
  let evaluator = special.get(key) ?? counting.get(key);
  if (evaluator === undefined) {
    evaluator = objectCountEvaluator(group, plural);
    if (counting.size >= cacheLimit) counting.clear();
    counting.set(key, evaluator);
  }
  return evaluator;
}
