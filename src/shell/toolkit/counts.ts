// Counts with a unit behind them.

import { ToolFailure } from "./tool.ts";

/** A count such as of `head -n`. Throws ToolFailure in the tool's words. */
export function readCount(text: string, what: string): number {
  const match = /^([-+]?\d+)([bkKmMG]?)B?$/u.exec(text);
  if (match === null) throw new ToolFailure(`invalid ${what}: ‘${text}’`);
  const factors: { readonly [unit: string]: number } = {
    "": 1,
    b: 512,
    k: 1024,
    K: 1024,
    m: 1_048_576,
    M: 1_048_576,
    G: 1_073_741_824,
  };
  return Number(match[1]) * (factors[match[2] as string] as number);
}
