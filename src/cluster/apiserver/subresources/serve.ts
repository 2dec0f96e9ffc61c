// Subresources over HTTP: those that are views of the object (status, scale), those that act (binding, eviction, token),
// those that reach a kubelet (log, exec …).

import { otherFailure } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { parseDocument } from "../decoding.ts";
import type { HttpCall } from "../http/call.ts";
import { negotiateInput, negotiateOutput } from "../http/negotiation.ts";
import { replyObject } from "../http/replies.ts";
import { bodyObject, patchCall, requestOf } from "../http/resources.ts";
import { replyValue, warningHeaders } from "../http/writing.ts";
import { createSubresource } from "./create.ts";

/** Throws 404 for a subresource that the kind has not, 405 for a verb that the subresource has not. */
export function serveSubresource(call: HttpCall, definition: ResourceDefinition): void {
  const { info } = call;
  const entry = definition.subresources?.find((candidate) => candidate.name === info.subresource);
  if (entry === undefined) throw otherFailure(404, "NotFound", "the server could not find the requested resource", {});
  if (!entry.verbs.includes(info.verb)) {
    throw otherFailure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
  }
  if (entry.kind === definition.kind && info.verb !== "create") {
    serveView(call, definition);
    return;
  }
  if (info.verb === "create") {
    serveCreate(call, definition, entry.kind);
    return;
  }
  throw otherFailure(501, "InternalError", `subresource ${info.subresource} of ${definition.plural} is not there yet`);
}

/** status, finalize, ephemeralcontainers, resize: the whole object in and out. */
function serveView(call: HttpCall, definition: ResourceDefinition): void {
  const { info, server } = call;
  if (info.verb === "get") {
    replyObject(call, definition, 200, server.pipeline.get(requestOf(call, definition)));
    return;
  }
  if (info.verb === "patch") {
    patchCall(call, definition);
    return;
  }
  const request = requestOf(call, definition, "UpdateOptions");
  const object = bodyObject(call, definition, request, "UpdateOptions");
  replyObject(call, definition, 200, server.pipeline.update(request, object), request.warnings);
}

function serveCreate(call: HttpCall, definition: ResourceDefinition, kind: string): void {
  const format = negotiateOutput(call.request.headers, call.info.query);
  const request = requestOf(call, definition, "CreateOptions");
  const mediaType = negotiateInput(call.request.headers);
  const body = parseDocument(decodeUtf8(call.request.body), kind, mediaType).value;
  const result: JsonValue = createSubresource(call.server.pipeline, request, body);
  replyValue(call.responder, 201, result, format, { ...call.headers, ...warningHeaders(request.warnings) });
}
