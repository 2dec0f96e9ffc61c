// Requests for resources over HTTP: options and bodies in, objects, lists, Tables and streams out.

import { AnsweredLater } from "#cluster/api/answered-later.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import type { ResourceDefinition, Verb } from "#cluster/resources/definition.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { serveRemote } from "../aggregation/serve-remote.ts";
import { servePeer } from "../peers/serve-peer.ts";
import { parseDocument } from "../request-bodies.ts";
import { serveCreatedAs, serveSubresource } from "../subresources/serve.ts";
import type { HttpCall } from "./call.ts";
import { refusePlace } from "./misplaced.ts";
import { negotiateInput } from "./negotiation.ts";
import { deleteOptionsOf, listOptionsOf } from "./options.ts";
import { refuseStrangersFirst, unknownPath, wrongMethod } from "./refusals.ts";
import { deletedStatus, formatFor, kindWarnings, replyList, replyObject } from "./replies.ts";
import { bodyObject, patchCall, requestOf } from "./request-reading.ts";
import { serveWatch } from "./watch-stream.ts";
import { replyText, replyValue, warningHeaders } from "./writing.ts";

export function serveResource(call: HttpCall): void {
  refuseStrangersFirst(call, () => serveKind(call));
}

function serveKind(call: HttpCall): void {
  const { info, server } = call;
  const definition = server.registry.find(info.group, info.version, info.resource);
  if (definition === undefined || !server.runtimeConfig.serves(definition)) {
    const remote = server.apiServices.remoteOf(info.group, info.version);
    server.authorize(call.user, info);
    if (remote !== undefined) {
      serveRemote(call, remote);
      return;
    }
    if (servePeer(call)) return;
    if (server.served.some(({ group, version }) => group === info.group && version === info.version)) throw unknownPath();
    replyText(call.responder, 404, "404 page not found\n", call.headers);
    return;
  }
  if (isMisplaced(call, definition)) {
    server.authorize(call.user, info);
    refusePlace(call, definition);
    return;
  }
  if (definition.deprecation !== undefined) noteDeprecated(call, definition);
  if (info.subresource !== "") {
    serveSubresource(call, definition);
    return;
  }
  const served = (definition.acceptsVerbs ?? definition.verbs).includes(info.verb as Verb);
  const wantsName = info.verb === "get" || info.verb === "update" || info.verb === "patch" || info.verb === "delete";
  const mayHaveName = wantsName || info.verb === "watch";
  if (!served || (wantsName && info.name === "") || (!mayHaveName && info.name !== "")) throw wrongMethod();
  serveVerb(call, definition);
}

/** Strangers are warned of nothing, and their requests are not counted among those of deprecated kinds (MonitorRequest). */
function noteDeprecated({ info, server, user, warnings }: HttpCall, definition: ResourceDefinition): void {
  server.authorize(user, info);
  warnings.push(...kindWarnings(definition));
  const { group, version, plural, removedRelease = "" } = definition;
  server.deprecatedUses.add(
    `group="${group}",removed_release="${removedRelease}",resource="${plural}",subresource="${info.subresource}",version="${version}"`,
  );
}

/** All namespaces together can be listed and watched, and no more. */
function isMisplaced({ info }: HttpCall, { namespaced, plural }: ResourceDefinition): boolean {
  if (!namespaced) return info.namespace !== "" && plural !== "namespaces";
  return info.namespace === "" && (info.name !== "" || (info.verb !== "list" && info.verb !== "watch"));
}

function serveVerb(call: HttpCall, definition: ResourceDefinition): void {
  switch (call.info.verb) {
    case "get":
      replyObject(call, definition, 200, call.server.pipeline.get(requestOf(call, definition), versionOf(call)));
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

function versionOf(call: HttpCall): string {
  return call.info.query.get("resourceVersion") ?? "";
}

function listOptions(call: HttpCall, verb: string): ReturnType<typeof listOptionsOf> {
  const { query, namespace } = call.info;
  return { ...listOptionsOf(query, verb), namespace };
}

/** Other servers of the same cluster may not know a new kind yet. */
const newKindMs = 2_000;

function create(call: HttpCall, definition: ResourceDefinition): void {
  if (definition.createdAs !== undefined) {
    serveCreatedAs(call, definition, definition.createdAs);
    return;
  }
  const { simulation } = call.server;
  if (definition.servedSinceMs !== undefined && simulation.nowMs - definition.servedSinceMs < newKindMs) {
    throw new AnsweredLater(
      { message: "the kind is new" },
      { begin: (resume) => simulation.after(newKindMs, resume), isRefusedMeanwhile: false },
    );
  }
  const request = requestOf(call, definition, "CreateOptions");
  const body = (): KubeObject => bodyObject(call, definition, request, "CreateOptions");
  replyObject(call, definition, 201, call.server.pipeline.create(request, body), request.warnings);
}

function update(call: HttpCall, definition: ResourceDefinition): void {
  const request = requestOf(call, definition, "UpdateOptions");
  const existed = call.server.pipeline.exists(request);
  const stored = call.server.pipeline.update(request, () => bodyObject(call, definition, request, "UpdateOptions"));
  replyObject(call, definition, existed ? 200 : 201, stored, request.warnings);
}

/** Answers the object while it is still there, a Status when it is gone. */
function remove(call: HttpCall, definition: ResourceDefinition): void {
  const format = formatFor(call, definition);
  const body = optionsBody(call);
  const options = deleteOptionsOf(body, call.info.query);
  const request = { ...requestOf(call, definition), dryRun: options.dryRun === true };
  const { object, gone } = call.server.pipeline.delete(request, options);
  if (!gone || definition.returnsDeleted === true) {
    // Only who says in the old way that dependents go too is told that it takes time.
    const isAccepted = !gone && isObject(body) && body["orphanDependents"] === false;
    replyObject(call, definition, isAccepted ? 202 : 200, object, request.warnings);
    return;
  }
  replyValue(call.responder, 200, deletedStatus(definition, object), format, {
    ...call.headers,
    ...warningHeaders(request.warnings),
  });
}

function removeCollection(call: HttpCall, definition: ResourceDefinition): void {
  formatFor(call, definition, true);
  const options = deleteOptionsOf(optionsBody(call), call.info.query);
  const request = { ...requestOf(call, definition), dryRun: options.dryRun === true };
  const removed = call.server.pipeline.deleteCollection(request, listOptions(call, "list"), options);
  replyList(call, definition, removed, request.warnings);
}

function optionsBody(call: HttpCall): JsonValue | undefined {
  if (call.request.body.length === 0) return undefined;
  const mediaType = negotiateInput(call.request.headers);
  return parseDocument(decodeUtf8(call.request.body), "DeleteOptions", mediaType).value;
}
