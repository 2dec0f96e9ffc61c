// Requests for resources over HTTP: options and bodies in, objects, lists, Tables and streams out.

import { otherFailure } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import type { PatchType } from "#cluster/client/client.ts";
import type { ResourceDefinition, Verb } from "#cluster/resources/definition.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { HttpHeaders } from "#sim/http.ts";
import { decodeBody, parseDocument } from "../decoding.ts";
import type { ResourceRequest } from "../machinery.ts";
import { serveSubresource } from "../subresources/serve.ts";
import type { HttpCall } from "./call.ts";
import { mediaTypeOfBody, negotiateInput, negotiateOutput, unsupportedMediaType } from "./negotiation.ts";
import { deleteOptionsOf, dryRunOf, fieldManagerOf, fieldValidationOf, listOptionsOf } from "./options.ts";
import { replyList, replyObject } from "./replies.ts";
import { serveWatch } from "./watch-stream.ts";
import { replyText, replyValue } from "./writing.ts";

export function serveResource(call: HttpCall): void {
  const { info, server } = call;
  const definition = server.registry.find(info.group, info.version, info.resource);
  if (definition === undefined) {
    server.authorizeUnknown(call.user, info);
    if (server.registry.hasVersion(info.group, info.version)) throw unknownPath();
    replyText(call.responder, 404, "404 page not found\n", call.headers);
    return;
  }
  const { namespaced, plural } = definition;
  if (namespaced && info.namespace === "" && (info.name !== "" || info.verb === "create")) throw unknownPath();
  if (!namespaced && info.namespace !== "" && plural !== "namespaces") throw unknownPath();
  if (info.subresource !== "") {
    serveSubresource(call, definition);
    return;
  }
  const served = definition.verbs.includes(info.verb as Verb);
  const wantsName = info.verb === "get" || info.verb === "update" || info.verb === "patch" || info.verb === "delete";
  const mayHaveName = wantsName || info.verb === "watch";
  if (!served || (wantsName && info.name === "") || (!mayHaveName && info.name !== "")) throw wrongMethod();
  serveVerb(call, definition);
}

/** A path of a known group version that names nothing. */
function unknownPath(): Error {
  return otherFailure(404, "NotFound", "the server could not find the requested resource", {});
}

function wrongMethod(): Error {
  return otherFailure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}

function serveVerb(call: HttpCall, definition: ResourceDefinition): void {
  switch (call.info.verb) {
    case "get":
      replyObject(call, definition, 200, call.server.pipeline.get(requestOf(call, definition)));
      return;
    case "list":
      replyList(call, definition, call.server.pipeline.list(requestOf(call, definition), listOptions(call, "list")));
      return;
    case "watch":
      serveWatch(call, definition, requestOf(call, definition));
      return;
    case "create":
      create(call, definition);
      return;
    case "update":
      update(call, definition);
      return;
    case "patch":
      patchCall(call, definition);
      return;
    case "delete":
      remove(call, definition);
      return;
    default:
      removeCollection(call, definition);
  }
}

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
    warnings: [],
  };
}

function listOptions(call: HttpCall, verb: string): ReturnType<typeof listOptionsOf> {
  const { query, namespace } = call.info;
  return { ...listOptionsOf(query, verb), namespace };
}

function create(call: HttpCall, definition: ResourceDefinition): void {
  const request = requestOf(call, definition, "CreateOptions");
  const object = bodyObject(call, definition, request, "CreateOptions");
  replyObject(call, definition, 201, call.server.pipeline.create(request, object), request.warnings);
}

function update(call: HttpCall, definition: ResourceDefinition): void {
  const request = requestOf(call, definition, "UpdateOptions");
  const object = bodyObject(call, definition, request, "UpdateOptions");
  const existed = call.server.pipeline.exists(request);
  const stored = call.server.pipeline.update(request, object);
  replyObject(call, definition, existed ? 200 : 201, stored, request.warnings);
}

/** Reads the body as an object of the kind. */
export function bodyObject(
  call: HttpCall,
  definition: ResourceDefinition,
  request: ResourceRequest,
  optionsKind: string,
): KubeObject {
  negotiateOutput(call.request.headers, call.info.query);
  const mediaType = negotiateInput(call.request.headers);
  const validation = fieldValidationOf(call.info.query, optionsKind);
  const document = parseDocument(decodeUtf8(call.request.body), definition.kind, mediaType);
  return decodeBody(definition, document, validation, request.warnings);
}

const patchTypes: { readonly [mediaType: string]: PatchType } = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply",
};

/** What kind of patch a body is, by its media type; undefined for none that there is. */
export function patchTypeOf(headers: HttpHeaders): PatchType | undefined {
  return patchTypes[mediaTypeOfBody(headers)];
}

/** PATCH of an object or of a subresource that is the object. */
export function patchCall(call: HttpCall, definition: ResourceDefinition): void {
  const type = patchTypeOf(call.request.headers);
  const builtIn = definition.schemaType !== undefined;
  if (type === undefined || (type === "strategic" && !builtIn)) {
    const accepted = Object.keys(patchTypes).filter((mediaType) => builtIn || patchTypes[mediaType] !== "strategic");
    throw unsupportedMediaType(accepted.join(", "));
  }
  negotiateOutput(call.request.headers, call.info.query);
  const request = requestOf(call, definition, "PatchOptions");
  const fieldValidation = fieldValidationOf(call.info.query, "PatchOptions");
  const force = call.info.query.get("force") === "true";
  const mediaType = type === "apply" ? "application/yaml" : "application/json";
  const document = parseDocument(decodeUtf8(call.request.body), definition.kind, mediaType);
  const existed = call.server.pipeline.exists(request);
  const stored = call.server.pipeline.patch(request, document.value, { type, fieldValidation, force });
  replyObject(call, definition, existed ? 200 : 201, stored, request.warnings);
}

/** Answers the object while it is still there, a Status when it is gone. */
function remove(call: HttpCall, definition: ResourceDefinition): void {
  const format = negotiateOutput(call.request.headers, call.info.query);
  const options = deleteOptionsOf(optionsBody(call), call.info.query);
  const request = { ...requestOf(call, definition), dryRun: options.dryRun === true };
  const { object, gone } = call.server.pipeline.delete(request, options);
  if (!gone || definition.returnsDeleted === true) {
    replyObject(call, definition, 200, object, request.warnings);
    return;
  }
  const details = {
    name: request.name,
    ...(definition.group === "" ? {} : { group: definition.group }),
    kind: definition.plural,
    uid: object.metadata.uid ?? "",
  };
  replyValue(
    call.responder,
    200,
    { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details },
    format,
    call.headers,
  );
}

function removeCollection(call: HttpCall, definition: ResourceDefinition): void {
  const options = deleteOptionsOf(optionsBody(call), call.info.query);
  const request = { ...requestOf(call, definition), dryRun: options.dryRun === true };
  const removed = call.server.pipeline.deleteCollection(request, listOptions(call, "list"), options);
  replyList(call, definition, removed);
}

function optionsBody(call: HttpCall): JsonValue | undefined {
  if (call.request.body.length === 0) return undefined;
  const mediaType = negotiateInput(call.request.headers);
  return parseDocument(decodeUtf8(call.request.body), "DeleteOptions", mediaType).value;
}
