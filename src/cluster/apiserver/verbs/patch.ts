// PATCH: reads, changes and writes an object in one go. The algebra of documents is `api/patch`'s; what follows is an update.

import { badRequest, notFound } from "#cluster/api/errors.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyMergePatch } from "#cluster/api/patch/merge-patch.ts";
import { applyStrategicMergePatch } from "#cluster/api/patch/strategic-apply.ts";
import { isObject } from "#cluster/api/wire.ts";
import type { PatchType } from "#cluster/client/client.ts";
import { decodeTyped, type FieldValidation } from "../decoding.ts";
import { wireObject } from "../encoding.ts";
import { lateRequests } from "../late-requests.ts";
import { type Machinery, storedObject } from "../machinery.ts";
import { requireName } from "../object-metadata.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { invalidPatch, invalidStrategicPatch, strategicRefusal } from "./patch-faults.ts";
import { subjectOf } from "./read.ts";
import { updateObject } from "./update.ts";

export interface PatchOptions {
  readonly type: PatchType;
  readonly fieldValidation: FieldValidation;
  /** Take fields from other managers in an apply. */
  readonly force: boolean;
  /** What is wrong with the text of the patch: `duplicate field "spec.replicas"`, `json patch unknown field "[0].foo"`. */
  readonly strictErrors?: readonly string[];
}

/** Throws ApiError. */
export function patchObject(machinery: Machinery, request: ResourceRequest, patch: JsonValue, options: PatchOptions): KubeObject {
  const current = storedObject(machinery, request);
  if (options.type === "apply") return lateRequests.code.applyConfiguration(machinery, request, current, patch, options);
  if (current === undefined) throw notFound(subjectOf(request), request.name);
  const patched = patchedDocument(request, current, patch, options.type);
  const refuse = (cause: string): Error =>
    options.type === "strategic"
      ? invalidStrategicPatch(patch, cause)
      : invalidPatch(lateRequests.code.patchedText(patched, patch), cause);
  if (options.type !== "strategic" && isOfOtherKind(request, patched)) {
    throw refuse(lateRequests.code.otherKindFault(machinery, request, patched));
  }
  const { object, strictErrors: found } = decodeTyped(request.definition, patched, refuse);
  // A patched object is written with sorted keys before it is read.
  const strictErrors = [...(options.strictErrors ?? []), ...[...found].sort(compareBytes)];
  if (strictErrors.length > 0) {
    if (options.fieldValidation === "Strict") throw refuse(`strict decoding error: ${strictErrors.join(", ")}`);
    if (options.fieldValidation === "Warn") request.warnings.push(...strictErrors);
  }
  requireName(object, request.name);
  return updateObject(machinery, request, request.definition.defaults?.(object) ?? object);
}

/** Of custom resources the kind is put back. */
function isOfOtherKind({ definition }: ResourceRequest, patched: JsonValue): boolean {
  if (!isObject(patched) || definition.schemaType === undefined) return false;
  const { apiVersion = groupVersionOf(definition), kind = definition.kind } = patched;
  return kind !== definition.kind || apiVersion !== groupVersionOf(definition);
}

function patchedDocument(
  request: ResourceRequest,
  current: KubeObject,
  patch: JsonValue,
  type: Exclude<PatchType, "apply">,
): JsonValue {
  const { definition } = request;
  const document = wireObject(definition, current) as JsonValue;
  try {
    switch (type) {
      case "json":
        return lateRequests.code.jsonPatched(document, patch);
      case "merge":
        if (patch !== null && !isObject(patch)) throw lateRequests.code.notMap("error decoding patch: ", patch);
        return applyMergePatch(document, patch);
      case "strategic":
        if (definition.schemaType === undefined) throw lateRequests.code.unsupportedForKind();
        if (patch === null || !isObject(document)) return document;
        if (!isObject(patch)) throw lateRequests.code.notMap("", patch);
        return applyStrategicMergePatch(definition.schemaType, document, patch);
    }
  } catch (error) {
    if (error instanceof PatchError) throw type === "strategic" ? strategicRefusal(error) : badRequest(error.message);
    throw error;
  }
}
