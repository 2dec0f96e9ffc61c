// The evaluator of each kind. Events are never counted.

import { claimEvaluator } from "./claims.ts";
import type { Evaluator } from "./evaluator.ts";
import { objectCountEvaluator } from "./object-counts.ts";
import { podEvaluator } from "./pods.ts";
import { serviceEvaluator } from "./services.ts";

const known = new Map<string, Evaluator>(
  [podEvaluator, serviceEvaluator, claimEvaluator].map((evaluator) => [`${evaluator.group}/${evaluator.plural}`, evaluator]),
);

/** Undefined for kinds that quotas ignore. */
export function evaluatorOf(group: string, plural: string): Evaluator | undefined {
  if (plural === "events") return undefined;
  const key = `${group}/${plural}`;
  let evaluator = known.get(key);
  if (evaluator === undefined) {
    evaluator = objectCountEvaluator(group, plural);
    known.set(key, evaluator);
  }
  return evaluator;
}
