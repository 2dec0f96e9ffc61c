// `kubectl label pods web a=b c-`: resources first, then changes.

import { KubectlError } from "../errors.ts";

/** Splits arguments into resources and changes; `what` is "label" or "annotation". */
export function splitPairs(
  args: readonly string[],
  what: string,
): { readonly resources: readonly string[]; readonly pairs: readonly string[] } {
  const isPair = (word: string) => (word.includes("=") && !word.startsWith("=")) || (word.endsWith("-") && word !== "-");
  const first = args.findIndex(isPair);
  if (first < 0) return { resources: args, pairs: [] };
  const pairs = args.slice(first);
  const stray = pairs.find((word) => !isPair(word));
  if (stray !== undefined) throw new KubectlError(`all resources must be specified before ${what} changes: ${stray}`);
  return { resources: args.slice(0, first), pairs };
}
