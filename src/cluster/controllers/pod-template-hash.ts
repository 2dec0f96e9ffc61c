// The short hash that tells revisions of a Pod template apart. Upstream hashes Go's memory dump of the template with
// FNV-1a; ours hashes its canonical JSON with the same function, so values differ from a real cluster's and nothing else does.

import { fnv32a } from "#cluster/api/equality.ts";
import type { PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import { compareTexts } from "#sim/compare-texts.ts";

const safeCharacters = "bcdfghjklmnpqrstvwxz2456789";

/** 8 to 10 characters of the alphabet that makes no words: equal for equal templates. `collisionCount` as in a Deployment's status. */
export function podTemplateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  const text = canonicalJson(template) + (collisionCount === undefined ? "" : `#${collisionCount}`);
  return encodeSafe(String(fnv32a(text)).padStart(8, "0"));
}

/** Replaces each character by a safe one (SafeEncodeString of apimachinery). */
function encodeSafe(text: string): string {
  let result = "";
  for (let index = 0; index < text.length; index += 1) result += safeCharacters[text.charCodeAt(index) % safeCharacters.length];
  return result;
}

/** JSON with sorted fields, without absent and empty ones. */
function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return jsonText(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  fields.sort(([a], [b]) => compareTexts(a, b));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(",")}}`;
}
