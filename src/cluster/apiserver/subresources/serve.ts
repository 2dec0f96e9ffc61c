// Subresources over HTTP: those that are views of the object (status, scale), those that act (binding, eviction, token),
// those that reach a kubelet (log, exec …).

import { decodeObject } from "#cluster/api/decode.ts";
import { otherFailure } from "#cluster/api/errors.ts";
import type { Scale } from "#cluster/api/generated/types.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { applyJsonPatch } from "#cluster/api/patch/json-patch.ts";
import { applyMergePatch } from "#cluster/api/patch/merge-patch.ts";
import { scales } from "#cluster/resources/autoscaling/scales.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { HttpCall } from "../http/call.ts";
import { negotiateInput, negotiateOutput } from "../http/negotiation.ts";
import { fieldValidationOf } from "../http/options.ts";
import { unknownPath, wrongMethod } from "../http/refusals.ts";
import { replyObject } from "../http/replies.ts";
import { bodyObject, forceOf, patchCall, requestOf, requirePatchType } from "../http/request-reading.ts";
import { replyValue, warningHeaders } from "../http/writing.ts";
import { decodeBody, parseDocument } from "../request-bodies.ts";
import { applyScale } from "./apply-scale.ts";
import { createSubresource } from "./create.ts";
import { serveLog } from "./log.ts";
import { servePortForward } from "./port-forward.ts";
import { serveProxy } from "./proxy.ts";
import { serveRemoteCommand } from "./remote-command.ts";
import { getScale, updateScale } from "./scale.ts";

/** Throws 404 for a subresource that the kind has not, 405 for a verb that the subresource has not. */
export function serveSubresource(call: HttpCall, definition: ResourceDefinition): void {
  const { info } = call;
  const entry = definition.subresources?.find((candidate) => candidate.name === info.subresource);
  if (entry === undefined) throw unknownPath();
  const isProxied = info.subresource === "proxy" && call.request.method === "OPTIONS";
  if (!entry.verbs.includes(info.verb) && !isProxied) throw wrongMethod();
  if (info.subresource === "log") {
    serveLog(call, definition);
    return;
  }
  if (info.subresource === "exec" || info.subresource === "attach") {
    serveRemoteCommand(call, definition);
    return;
  }
  if (info.subresource === "portforward") {
    servePortForward(call, definition);
    return;
  }
  if (info.subresource === "proxy") {
    serveProxy(call, definition);
    return;
  }
  if (info.subresource === "scale") {
    serveScale(call, definition);
    return;
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
  const body = (): KubeObject => bodyObject(call, definition, request, "UpdateOptions");
  replyObject(call, definition, 200, server.pipeline.update(request, body), request.warnings);
}

/** A Scale in and out; a patch is of the Scale, not of the workload. */
function serveScale(call: HttpCall, definition: ResourceDefinition): void {
  const { info, server, request: http } = call;
  negotiateOutput(http.headers, info.query);
  const { pipeline } = server;
  const { machinery } = pipeline;
  const type = info.verb === "patch" ? requirePatchType(call, definition) : undefined;
  const request = requestOf(call, definition, info.verb === "get" ? "GetOptions" : "UpdateOptions");
  const scale = pipeline.run(info.verb, request, 200, () => {
    const current = getScale(machinery, request);
    if (info.verb === "get") return current;
    if (type !== undefined) request.audit?.requestedText(() => null);
    const patchForm = type === "apply" ? "application/yaml" : "application/json";
    const form = type === undefined ? negotiateInput(http.headers) : patchForm;
    const document = parseDocument(decodeUtf8(http.body), "Scale", form);
    if (type === undefined) {
      const validation = fieldValidationOf(info.query, "UpdateOptions");
      const scale = decodeBody(scales, document, validation, request.warnings);
      request.audit?.requested(scale, scales);
      return updateScale(machinery, request, scale as Scale);
    }
    if (type === "apply") return applyScale(machinery, request, document.value, forceOf(info.query, type));
    const wanted = type === "json" ? applyJsonPatch(current, document.value) : applyMergePatch(current, document.value);
    return updateScale(machinery, request, decodeObject("Scale", wanted).value as Scale);
  });
  replyObject(call, scales, 200, scale as KubeObject, request.warnings);
}

/** POST to a kind that stores nothing: the object that the body names gets the subresource. */
export function serveCreatedAs(
  call: HttpCall,
  definition: ResourceDefinition,
  { plural, subresource }: NonNullable<ResourceDefinition["createdAs"]>,
): void {
  const owner = call.server.registry.find(definition.group, definition.version, plural);
  if (owner === undefined) throw unknownPath();
  const format = negotiateOutput(call.request.headers, call.info.query, false);
  const mediaType = negotiateInput(call.request.headers);
  const body = parseDocument(decodeUtf8(call.request.body), definition.kind, mediaType).value;
  const { value } = decodeObject(definition.kind, body);
  const name = (value as KubeObject).metadata?.name ?? "";
  const request = { ...requestOf(call, owner, "CreateOptions"), subresource, name };
  const result = createSubresource(call.server.pipeline, request, body, { ...request, definition, subresource: "" });
  replyValue(call.responder, 201, result, format, { ...call.headers, ...warningHeaders(request.warnings) });
}

function serveCreate(call: HttpCall, definition: ResourceDefinition, kind: string): void {
  const format = negotiateOutput(call.request.headers, call.info.query, false);
  const request = requestOf(call, definition, "CreateOptions");
  const mediaType = negotiateInput(call.request.headers);
  const body = (): JsonValue => parseDocument(decodeUtf8(call.request.body), kind, mediaType).value;
  const result: JsonValue = createSubresource(call.server.pipeline, request, body);
  replyValue(call.responder, 201, result, format, { ...call.headers, ...warningHeaders(request.warnings) });
}
