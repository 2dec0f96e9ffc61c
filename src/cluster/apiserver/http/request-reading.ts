// How a request for a resource is read: its options, its body, its kind of patch.

import { invalid } from "#cluster/api/errors.ts";
import { keyPathsOf } from "#cluster/api/json-text.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import type { PatchType } from "#cluster/client/client.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { decodeBody, type ParsedDocument, parseDocument } from "../request-bodies.ts";
import type { ResourceRequest } from "../resource-request.ts";
import type { HttpCall } from "./call.ts";
import { mediaTypeOfBody, negotiateInput, unsupportedMediaType } from "./negotiation.ts";
import { dryRunOf, fieldManagerOf, fieldValidationOf } from "./options.ts";
import { formatFor, replyObject } from "./replies.ts";
import { isTrue } from "./request-info.ts";

/** The request as the pipeline takes it. */
export function requestOf(call: HttpCall, definition: ResourceDefinition, kind = "GetOptions"): ResourceRequest {
  const { info, user, userAgent } = call;
  const writes = kind !== "GetOptions";
  return {
    definition,
    subresource: info.subresource,
    namespace: definition.namespaced ? info.namespace : "",
    name: info.name,
    user,
    userAgent,
    dryRun: writes && dryRunOf(info.query, kind),
    fieldManager: writes ? fieldManagerOf(info.query, userAgent, kind) : "",
    warnings: call.warnings,
    bodyBytes: call.request.body.length,
    answers: call.answers,
    audit: call.audit,
  };
}

/** Reads the body as an object of the kind. */
export function bodyObject(
  call: HttpCall,
  definition: ResourceDefinition,
  request: ResourceRequest,
  optionsKind: string,
): KubeObject {
  formatFor(call, definition);
  const mediaType = negotiateInput(call.request.headers);
  const validation = fieldValidationOf(call.info.query, optionsKind);
  const document = parseDocument(decodeUtf8(call.request.body), definition.kind, mediaType, definition.schemaType !== undefined);
  return decodeBody(definition, document, validation, request.warnings);
}

const patchTypes: { readonly [mediaType: string]: PatchType } = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply",
};

/** Only an apply may take fields by force, and it must say for whom. Throws 422. */
export function forceOf(query: URLSearchParams, type: PatchType): boolean {
  const errors = new FieldErrors();
  if (type === "apply" && !query.get("fieldManager")) errors.required(field("fieldManager"), "is required for apply patch");
  if (type !== "apply" && query.has("force")) errors.forbidden(field("force"), "may not be specified for non-apply patch");
  if (!errors.isEmpty) throw invalid({ group: "meta.k8s.io", resource: "PatchOptions" }, "", errors.causes);
  return isTrue(query.get("force"));
}

const operationField = /^\[\d+\]\.(?:op|path|from|value)$/;

/** What operations have twice or should not have; nobody looks into their values. */
function jsonPatchFaults({ value, text = "", strictErrors }: ParsedDocument): readonly string[] {
  const operations = Array.isArray(value) ? value : [];
  const isPlain = operations.every((one) => isObject(one) && Object.keys(one).every((name) => operationField.test(`[0].${name}`)));
  if (strictErrors.length === 0 && isPlain) return strictErrors;
  const met = new Set<string>();
  return keyPathsOf(text).flatMap((path) => {
    const isField = operationField.test(path);
    const isTwice = met.has(path);
    met.add(path);
    if (!/^\[\d+\]\.[^.[]*$/.test(path) || (isField ? !isTwice : isTwice)) return [];
    return [`json patch ${isField ? "duplicate" : "unknown"} field ${JSON.stringify(path)}`];
  });
}

/** What kind of patch the body is. Throws UnsupportedMediaType for one that objects of the kind do not take. */
export function requirePatchType(call: HttpCall, definition: ResourceDefinition): PatchType {
  const type = patchTypes[mediaTypeOfBody(call.request.headers)];
  const builtIn = definition.schemaType !== undefined;
  if (type !== undefined && (type !== "strategic" || builtIn)) return type;
  const accepted = Object.keys(patchTypes).filter((mediaType) => builtIn || patchTypes[mediaType] !== "strategic");
  throw unsupportedMediaType(accepted.join(", "));
}

/** PATCH of an object or of a subresource that is the object. */
export function patchCall(call: HttpCall, definition: ResourceDefinition): void {
  const type = requirePatchType(call, definition);
  formatFor(call, definition);
  const request = requestOf(call, definition, "PatchOptions");
  const fieldValidation = fieldValidationOf(call.info.query, "PatchOptions");
  const force = forceOf(call.info.query, type);
  const mediaType = type === "apply" ? "application/yaml" : "application/json";
  // Read only once the request is allowed.
  const strictErrors: string[] = [];
  const body = (): JsonValue => {
    const document = parseDocument(decodeUtf8(call.request.body), definition.kind, mediaType);
    strictErrors.push(...(type === "json" ? jsonPatchFaults(document) : document.strictErrors));
    return document.value;
  };
  const existed = call.server.pipeline.exists(request);
  const stored = call.server.pipeline.patch(request, body, { type, fieldValidation, force, strictErrors });
  replyObject(call, definition, existed ? 200 : 201, stored, request.warnings);
}
