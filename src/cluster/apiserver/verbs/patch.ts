// PATCH: reads, changes and writes an object in one go. The algebra of documents is `api/patch`'s; what follows is an update.

import { badRequest, invalid, notFound, otherFailure } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyJsonPatch, maxJsonPatchOperations } from "#cluster/api/patch/json-patch.ts";
import { applyMergePatch } from "#cluster/api/patch/merge-patch.ts";
import { applyStrategicMergePatch } from "#cluster/api/patch/strategic-apply.ts";
import type { PatchType } from "#cluster/client/client.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { decodeTyped, type FieldValidation, isFields, jsonType } from "../decoding.ts";
import { wireObject } from "../encoding.ts";
import { type Machinery, type ResourceRequest, storedObject } from "../machinery.ts";
import { requireName } from "../object-metadata.ts";
import { applyConfiguration } from "./apply.ts";
import { subjectOf } from "./read.ts";
import { updateObject } from "./update.ts";

export interface PatchOptions {
  readonly type: PatchType;
  readonly fieldValidation: FieldValidation;
  /** Take fields from other managers in an apply. */
  readonly force: boolean;
  /** What is wrong with the text of the patch: `duplicate field "spec.replicas"`. */
  readonly strictErrors?: readonly string[];
}

/** Throws ApiError. */
export function patchObject(machinery: Machinery, request: ResourceRequest, patch: JsonValue, options: PatchOptions): KubeObject {
  const current = storedObject(machinery, request);
  if (options.type === "apply") return applyConfiguration(machinery, request, current, patch, options);
  if (current === undefined) throw notFound(subjectOf(request), request.name);
  const patched = patchedDocument(request, current, patch, options.type);
  const refuse = (cause: string): Error => invalidPatch(patched, cause);
  const { object, strictErrors: found } = decodeTyped(request.definition, patched, refuse);
  const given = (options.strictErrors ?? []).map((fault) => (options.type === "json" ? `json patch ${fault}` : fault));
  const strictErrors = [...given, ...found];
  if (strictErrors.length > 0) {
    if (options.fieldValidation === "Strict") throw refuse(`strict decoding error: ${strictErrors.join(", ")}`);
    if (options.fieldValidation === "Warn") request.warnings.push(...strictErrors);
  }
  requireName(object, request.name);
  return updateObject(machinery, request, request.definition.defaults?.(object) ?? object);
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
        return jsonPatched(document, patch);
      case "merge":
        return applyMergePatch(document, patch);
      case "strategic":
        if (definition.schemaType === undefined) throw unsupportedForKind();
        if (!isFields(document) || !isFields(patch)) throw badRequest("error decoding patch: the patch is not an object");
        return applyStrategicMergePatch(definition.schemaType, document, patch);
    }
  } catch (error) {
    if (error instanceof PatchError) throw badRequest(error.message);
    throw error;
  }
}

function jsonPatched(document: JsonValue, patch: JsonValue): JsonValue {
  if (!Array.isArray(patch))
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(patch)} into Go value of type []handlers.jsonPatchOp`,
    );
  const wrong = patch.find((operation) => !isFields(operation));
  if (wrong !== undefined)
    throw badRequest(`error decoding patch: json: cannot unmarshal ${jsonType(wrong)} into Go value of type handlers.jsonPatchOp`);
  if (patch.length > maxJsonPatchOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${patch.length}`;
    throw otherFailure(413, "RequestEntityTooLarge", `Request entity too large: ${message}`);
  }
  try {
    return applyJsonPatch(document, patch);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const message = "the server rejected our request due to an error in our request";
    throw otherFailure(422, "Invalid", message, {});
  }
}

function unsupportedForKind(): Error {
  return otherFailure(
    415,
    "UnsupportedMediaType",
    "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
  );
}

function invalidPatch(patched: JsonValue, cause: string): Error {
  const errors = new FieldErrors();
  errors.invalid(field("patch"), JSON.stringify(patched), cause);
  return invalid({ group: "", resource: "" }, "", errors.causes);
}
