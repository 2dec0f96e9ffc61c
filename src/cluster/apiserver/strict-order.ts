// In which order strict decoding tells its faults.

import { keyPathsOf } from "#cluster/api/json-text.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { ParsedDocument } from "./request-bodies.ts";

/**
 * What a typed decoder says, in the order of the text; what repeats a field nobody knows, or stands in one, it does not notice. YAML
 * becomes JSON with sorted keys first.
 */
export function inTextOrder({ text, strictErrors }: ParsedDocument, unknown: readonly string[]): readonly string[] {
  if (unknown.length === 0) return strictErrors;
  if (text === undefined) return [...strictErrors, ...[...unknown].sort(compareBytes)];
  if (strictErrors.length === 0) return unknown;
  const open = new Set([...strictErrors, ...unknown]);
  const found: string[] = [];
  const paths = unknown.map((fault) => JSON.parse(fault.slice("unknown field ".length)) as string);
  const met = new Set<string>();
  for (const path of keyPathsOf(text)) {
    const fault = `${met.has(path) ? "duplicate" : "unknown"} field ${JSON.stringify(path)}`;
    met.add(path);
    const isWithin = (outer: string): boolean => path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
    if (!open.delete(fault) || (fault.startsWith("duplicate") && paths.some(isWithin))) continue;
    found.push(fault);
  }
  return found;
}
