// PATCH: reads, changes and writes an object in one go. The document algebra is `api/patch`'s; what follows is an update.

import { badRequest, notFound, otherFailure } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import type { PatchType } from "#cluster/client/client.ts";
import { type Machinery, type ResourceRequest, storedObject } from "../machinery.ts";
import { subjectOf } from "./read.ts";
import { updateObject } from "./update.ts";

/** Throws ApiError. */
export function patchObject(machinery: Machinery, request: ResourceRequest, type: PatchType, patch: JsonValue): KubeObject {
  const current = storedObject(machinery, request);
  if (current === undefined) throw notFound(subjectOf(request), request.name);
  if (type !== "merge") throw otherFailure(415, "UnsupportedMediaType", `patches of type ${type} are not there yet`);
  const patched = mergePatch(current, patch);
  if (!isKubeObject(patched)) throw badRequest("the patched document is not an object");
  return updateObject(machinery, request, request.definition.defaults?.(patched) ?? patched);
}

function isKubeObject(value: unknown): value is KubeObject {
  return isFields(value) && isFields(value["metadata"]);
}

function isFields(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** RFC 7386. */
function mergePatch(target: unknown, patch: JsonValue): unknown {
  if (!isFields(patch)) return patch;
  const result: { [field: string]: unknown } = isFields(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = mergePatch(result[field], value as JsonValue);
  }
  return result;
}
