// What only clients' programs send as patches: JSON patches, and what makes another kind of an object.

import { DecodeError, decodeObject } from "#cluster/api/decode.ts";
import { badRequest, otherFailure } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyJsonPatch, maxJsonPatchOperations } from "#cluster/api/patch/json-patch.ts";
import { isObject } from "#cluster/api/wire.ts";
import { jsonType } from "../decoding.ts";
import type { Machinery } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { unprocessable } from "./patch-faults.ts";

export function notMap(prefix: string, patch: JsonValue): Error {
  return badRequest(`${prefix}json: cannot unmarshal ${jsonType(patch)} into Go value of type map[string]interface {}`);
}

export function jsonPatched(document: JsonValue, patch: JsonValue): JsonValue {
  if (!Array.isArray(patch))
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(patch)} into Go value of type []handlers.jsonPatchOp`,
    );
  const wrong = patch.find((operation) => !isObject(operation));
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
    throw unprocessable();
  }
}

export function unsupportedForKind(): Error {
  return otherFailure(
    415,
    "UnsupportedMediaType",
    "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
  );
}

/** What is wrong with a merged document of another kind: it is read as that kind, and then is none of the kind that was asked for. */
export function otherKindFault({ registry }: Machinery, { definition }: ResourceRequest, document: JsonValue): string {
  const { apiVersion, kind } = isObject(document) ? document : {};
  for (const [name, value] of Object.entries({ apiVersion, kind })) {
    if (typeof value === "string" || value === undefined) continue;
    const fault = `json: cannot unmarshal ${jsonType(value)} into Go struct field .${name} of type string`;
    return `couldn't get version/kind; json parse error: ${fault}`;
  }
  const [group = "", version = ""] = String(apiVersion).includes("/") ? String(apiVersion).split("/") : ["", String(apiVersion)];
  const other = registry.findKind(group, version, String(kind));
  if (other?.schemaType === undefined) {
    return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
  }
  try {
    decodeObject(other.schemaType, document);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  const internal = definition.group === "" ? "core" : definition.group.split(".")[0];
  return `converting (${version}.${kind}) to (${internal}.${definition.kind}): unknown conversion`;
}
