// What a ControllerRevision keeps of a template: a patch that puts it back, with its keys sorted, as Go writes maps. Clients compare it byte by byte.

import type { PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { sortedKeys } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";

export function revisionData(template: PodTemplateSpec | undefined): JsonValue {
  return sorted(JSON.parse(JSON.stringify({ spec: { template: { ...template, $patch: "replace" } } })) as JsonValue);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  if (value === null || typeof value !== "object") return value;
  const object = value as { readonly [key: string]: JsonValue };
  return Object.fromEntries(sortedKeys(object).map((key) => [key, sorted(object[key] as JsonValue)]));
}
