// What a ControllerRevision keeps of a template: a patch that puts it back, with its keys sorted, as Go writes maps. Clients compare it byte by byte.

import type { PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { readJson } from "#cluster/api/json-text.ts";
import { writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";

export function revisionData(template: PodTemplateSpec | undefined): JsonValue {
  return readJson(writeCompactJson({ spec: { template: { ...template, $patch: "replace" } } } as JsonValue)) as JsonValue;
}
