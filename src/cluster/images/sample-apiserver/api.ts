// What the sample API server answers: health, discovery, and its kinds, which etcd keeps, to those whom the front proxy names.

import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  invalid,
  methodNotAllowed,
  notFound,
  otherFailure,
  staleObjectCause,
} from "#cluster/api/errors.ts";
import { compileFieldSelector, parseFieldSelector } from "#cluster/api/fields.ts";
import { compileLabelSelector } from "#cluster/api/labels.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { aggregatedDiscovery, apiGroup, apiGroupList } from "#cluster/api/openapi/discovery.ts";
import { apiResourceList } from "#cluster/api/openapi/resource-list.ts";
import type { ServedResource } from "#cluster/api/openapi/served.ts";
import { applyJsonPatch } from "#cluster/api/patch/json-patch.ts";
import { applyMergePatch } from "#cluster/api/patch/merge-patch.ts";
import { formatTime } from "#cluster/api/time.ts";
import { negotiateOutput, parseAccept } from "#cluster/apiserver/http/negotiation.ts";
import { escapedJson, replyStatus, replyText, replyValue } from "#cluster/apiserver/http/writing.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { BodyWriter, HttpHandler, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Sys } from "#sim/program.ts";
import { GoNetError } from "../agnhost/http-client.ts";
import type { EtcdClient } from "./etcd-client.ts";
import { decode, encode, type Fields, group, isFields, served, validate, type Wardle } from "./wardle.ts";

interface Call {
  readonly request: HttpRequest;
  readonly responder: HttpResponder;
  readonly headers: { readonly [name: string]: string };
  readonly path: string;
  readonly query: URLSearchParams;
}

interface Target {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name: string;
}

/** An object with the revision at which it was written. */
interface Found {
  readonly object: Wardle;
  readonly revision: number;
}

interface Event {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly plural: string;
  readonly found: Found;
}

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const letters = "bcdfghjklmnpqrstvwxz2456789";
const rememberedEvents = 1000;
const root = `/apis/${group}`;

const documents: ReadonlyMap<string, JsonValue | undefined> = new Map([
  ["/apis", apiGroupList(served)],
  [root, apiGroup(served, group)],
  ...["v1alpha1", "v1beta1"].map((version) => [`${root}/${version}`, apiResourceList(served, group, version)] as const),
]);

export class WardleApi {
  readonly #self: Process;
  readonly #etcd: EtcdClient;
  /** Whether etcd has ever answered. */
  isReady = false;
  readonly #watchers = new Set<(event: Event) => void>();
  readonly #events: Event[] = [];

  constructor(self: Process, etcd: EtcdClient) {
    this.#self = self;
    this.#etcd = etcd;
  }

  readonly handler: HttpHandler = (request, _peer, responder) => {
    const [path = "", search = ""] = request.target.split(/\?(.*)/su, 2);
    const headers = { "cache-control": "no-cache, private" };
    const call: Call = { request, responder, headers, path, query: new URLSearchParams(search) };
    if (["/healthz", "/livez", "/readyz"].includes(path)) {
      if (this.isReady) replyText(responder, 200, "ok");
      else replyText(responder, 500, `[+]ping ok\n[-]etcd failed: reason withheld\n${path.slice(1)} check failed\n`);
      return;
    }
    const self = this.#self;
    const answer = this.#answer(call);
    self.startThread(function* () {
      try {
        yield* answer;
      } catch (error) {
        const isUnreachable = error instanceof GoNetError;
        replyStatus(call, isUnreachable ? otherFailure(500, "InternalError", `Internal error occurred: ${error.message}`) : error);
      }
    });
  };

  *#answer(call: Call): Sys<void> {
    const { request, path } = call;
    const target = targetOf(path);
    if ((request.headers["x-remote-user"] ?? "") === "") {
      const verb = request.method === "GET" ? "get" : "post";
      throw otherFailure(403, "Forbidden", `forbidden: User "system:anonymous" cannot ${verb} path ${JSON.stringify(path)}`, {});
    }
    if (target === undefined) {
      if (!answerDiscovery(call)) replyText(call.responder, 404, "404 page not found\n", call.headers);
      return;
    }
    const isOne = target.name !== "";
    const { method } = request;
    if (method === "GET" && isOne) this.#reply(call, target, 200, yield* this.#get(target));
    else if (method === "GET" && /^(?:1|t|true)$/iu.test(call.query.get("watch") ?? "")) yield* this.#watch(call, target);
    else if (method === "GET") this.#replyList(call, target, yield* this.#list(call, target));
    else if (method === "POST" && !isOne) this.#reply(call, target, 201, yield* this.#create(call, target));
    else if (method === "PUT" && isOne) this.#reply(call, target, 200, yield* this.#update(target, bodyOf(request)));
    else if (method === "PATCH" && isOne) this.#reply(call, target, 200, yield* this.#patch(call, target));
    else if (method === "DELETE" && isOne) this.#replyDeleted(call, target, yield* this.#delete(target, yield* this.#get(target)));
    else if (method === "DELETE") {
      const found = (yield* this.#list(call, target)).found;
      for (const each of found) yield* this.#delete({ ...target, name: nameOf(each.object) }, each);
      this.#replyList(call, target, { found, revision: 0 });
    } else throw methodNotAllowed({ group, resource: target.resource.plural }, method);
  }

  *#get(target: Target): Sys<Found> {
    const kept = yield* this.#etcd.get(keyOf(target));
    if (kept === undefined) throw notFound(subjectOf(target), target.name);
    return { object: JSON.parse(kept.value) as Wardle, revision: kept.revision };
  }

  *#list(call: Call, target: Target): Sys<{ readonly found: readonly Found[]; readonly revision: number }> {
    const isWanted = selectorOf(call.query, target.namespace);
    const { kept, revision } = yield* this.#etcd.list(`/registry/${group}/${target.resource.plural}/`);
    const all = kept.map((each) => ({ object: JSON.parse(each.value) as Wardle, revision: each.revision }));
    return { found: all.filter(isWanted), revision };
  }

  *#create(call: Call, target: Target): Sys<Found> {
    const { resource, namespace } = target;
    const given = bodyOf(call.request);
    const metadata = isFields(given["metadata"]) ? given["metadata"] : {};
    const written = typeof metadata["name"] === "string" ? metadata["name"] : "";
    const prefix = typeof metadata["generateName"] === "string" ? metadata["generateName"] : "";
    if (written === "" && prefix === "") {
      const cause = {
        reason: "FieldValueRequired",
        message: "Required value: name or generateName is required",
        field: "metadata.name",
      };
      throw invalid({ group, resource: resource.kind }, "", [cause]);
    }
    if (resource.namespaced && (metadata["namespace"] ?? namespace) !== namespace)
      throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
    const name = written === "" ? `${prefix}${this.#letters(5)}` : written;
    const object = decode(resource, given, {
      ...metadata,
      name,
      ...(resource.namespaced ? { namespace } : {}),
      uid: this.#uid(),
      creationTimestamp: formatTime(this.#self.nowMs),
    });
    validate(resource, object, name);
    if (resource.kind === "Flunder") yield* this.#refuseBanned(name);
    const revision = yield* this.#etcd.set(keyOf({ ...target, name }), textOf(object), 0);
    if (revision === undefined) throw alreadyExists(subjectOf(target), name);
    return this.#tell("ADDED", target, { object, revision });
  }

  /** Fischers forbid names of flunders. */
  *#refuseBanned(name: string): Sys<void> {
    const { kept } = yield* this.#etcd.list(`/registry/${group}/fischers/`);
    if (kept.some(({ value }) => (JSON.parse(value) as Wardle).disallowedFlunders?.includes(name) === true))
      throw forbidden({ group, resource: "flunders" }, name, "this name may not be used, please change the resource name");
  }

  *#update(target: Target, given: Fields): Sys<Found> {
    const before = yield* this.#get(target);
    const metadata = isFields(given["metadata"]) ? given["metadata"] : {};
    const since = metadata["resourceVersion"];
    if (since === undefined || since === "") {
      const message = 'Invalid value: "": must be specified for an update';
      const cause = { reason: "FieldValueInvalid", message, field: "metadata.resourceVersion" };
      throw invalid({ group, resource: target.resource.kind }, target.name, [cause]);
    }
    if (metadata["name"] !== target.name)
      throw badRequest(
        `the name of the object (${String(metadata["name"] ?? "")}) does not match the name on the URL (${target.name})`,
      );
    if (since !== String(before.revision)) throw conflict(subjectOf(target), target.name, staleObjectCause);
    const { uid, creationTimestamp, namespace } = before.object.metadata;
    const own = {
      uid: uid as JsonValue,
      creationTimestamp: creationTimestamp as JsonValue,
      ...(namespace === undefined ? {} : { namespace }),
    };
    const object = decode(target.resource, given, { ...metadata, ...own });
    const revision = yield* this.#etcd.set(keyOf(target), textOf(object), before.revision);
    if (revision === undefined) throw conflict(subjectOf(target), target.name, staleObjectCause);
    return this.#tell("MODIFIED", target, { object, revision });
  }

  *#patch(call: Call, target: Target): Sys<Found> {
    const type = (call.request.headers["content-type"] ?? "").split(";")[0];
    if (type !== "application/json-patch+json" && type !== "application/merge-patch+json") {
      const accepted = "application/json-patch+json, application/merge-patch+json";
      throw otherFailure(
        415,
        "UnsupportedMediaType",
        `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
        {},
      );
    }
    const before = yield* this.#get(target);
    const current = withVersion(encode(target.resource, before.object), before.revision);
    const patch = parsed(call.request);
    const patched = type === "application/json-patch+json" ? applyJsonPatch(current, patch) : applyMergePatch(current, patch);
    return yield* this.#update(target, isFields(patched) ? patched : {});
  }

  *#delete(target: Target, before: Found): Sys<Found> {
    const own = { ...target, namespace: String(before.object.metadata["namespace"] ?? "") };
    const revision = yield* this.#etcd.set(keyOf(own), undefined, before.revision);
    if (revision === undefined) throw conflict(subjectOf(target), target.name, staleObjectCause);
    return this.#tell("DELETED", target, { object: before.object, revision });
  }

  *#watch(call: Call, target: Target): Sys<void> {
    const { resource } = target;
    const isWanted = selectorOf(call.query, target.namespace);
    const since = call.query.get("resourceVersion") ?? "";
    const first = since === "" || since === "0" ? (yield* this.#list(call, target)).found : [];
    const writer: BodyWriter = call.responder.stream(200, { ...call.headers, "content-type": "application/json" });
    const send = ({ type, plural, found }: Event): void => {
      if (plural !== resource.plural || !isWanted(found)) return;
      const object = withVersion(encode(resource, found.object), found.revision);
      writer.write(encodeUtf8(`${escapedJson({ type, object }, false)}\n`));
    };
    for (const found of first) send({ type: "ADDED", plural: resource.plural, found });
    if (first.length === 0 && since !== "" && since !== "0")
      for (const event of this.#events) if (event.found.revision > Number(since)) send(event);
    this.#watchers.add(send);
    const end = (): void => {
      this.#watchers.delete(send);
    };
    writer.onClose = end;
    const seconds = Number(call.query.get("timeoutSeconds") ?? "0");
    if (!(seconds > 0)) return;
    yield* this.#self.sleep(seconds * 1000);
    end();
    writer.end();
  }

  #tell(type: Event["type"], { resource }: Target, found: Found): Found {
    const event = { type, plural: resource.plural, found };
    this.#events.push(event);
    if (this.#events.length > rememberedEvents) this.#events.shift();
    for (const send of this.#watchers) send(event);
    return found;
  }

  #reply({ request, responder, headers, query }: Call, { resource }: Target, status: number, found: Found): void {
    const format = negotiateOutput(request.headers, query);
    const object = withVersion(encode(resource, found.object), found.revision);
    if (format.as === "object") replyValue(responder, status, object, format, headers);
    else if (format.as === "metadata") replyValue(responder, status, metadataOnly(object, format.metaVersion), format, headers);
    else replyValue(responder, status, tableOf([object], format.metaVersion, found.revision), format, headers);
  }

  #replyDeleted({ request, responder, headers, query }: Call, { resource, name }: Target, { object }: Found): void {
    const details = { name, group, kind: resource.plural, uid: object.metadata["uid"] as JsonValue };
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
    replyValue(responder, 200, status, negotiateOutput(request.headers, query), headers);
  }

  #replyList(
    { request, responder, headers, query }: Call,
    { resource }: Target,
    { found, revision }: { readonly found: readonly Found[]; readonly revision: number },
  ): void {
    const format = negotiateOutput(request.headers, query);
    const objects = found.map((each) => withVersion(encode(resource, each.object), each.revision));
    const metadata = { resourceVersion: String(revision) };
    const apiVersion = `${group}/${resource.version}`;
    if (format.as === "table") replyValue(responder, 200, tableOf(objects, format.metaVersion, revision), format, headers);
    else if (format.as === "metadata") {
      const items = objects.map((object) => metadataOnly(object, format.metaVersion));
      const list = { kind: "PartialObjectMetadataList", apiVersion: `meta.k8s.io/${format.metaVersion}`, metadata, items };
      replyValue(responder, 200, list, format, headers);
    } else replyValue(responder, 200, { kind: `${resource.kind}List`, apiVersion, metadata, items: objects }, format, headers);
  }

  #letters(count: number): string {
    return Array.from({ length: count }, () => letters[this.#self.random.below(letters.length)]).join("");
  }

  /** Version 4 of RFC 9562. */
  #uid(): string {
    const hex = (digits: number) => Array.from({ length: digits }, () => this.#self.random.below(16).toString(16)).join("");
    return `${hex(8)}-${hex(4)}-4${hex(3)}-${"89ab"[this.#self.random.below(4)]}${hex(3)}-${hex(12)}`;
  }
}

function targetOf(path: string): Target | undefined {
  const [, version = "", rest = ""] = /^\/apis\/wardle\.example\.com\/(v1alpha1|v1beta1)\/(.+?)\/?$/u.exec(path) ?? [];
  const [, namespace = "", plural = "", name = "", ...more] =
    /^(?:namespaces\/([^/]+)\/)?([a-z]+)(?:\/([^/]+))?$/u.exec(rest) ?? [];
  const resource = served.find((each) => each.version === version && each.plural === plural);
  if (resource === undefined || more.length > 0) return undefined;
  // What has a namespace is named with it; what has none, without.
  if (namespace !== "" && !resource.namespaced) return undefined;
  if (namespace === "" && resource.namespaced && name !== "") return undefined;
  return { resource, namespace, name };
}

function answerDiscovery({ request, responder, headers, query, path }: Call): boolean {
  const isAggregated = parseAccept(request.headers["accept"] ?? "").some(
    ({ parameters }) => parameters.get("as") === "APIGroupDiscoveryList" && parameters.get("v") === "v2",
  );
  const place = path.replace(/\/$/u, "");
  if (place === "/apis" && isAggregated) {
    const text = `${escapedJson(aggregatedDiscovery(served, "/apis"), false)}\n`;
    responder.reply(200, { ...headers, "content-type": aggregatedType }, encodeUtf8(text));
    return true;
  }
  const document = documents.get(place);
  if (document === undefined) return false;
  replyValue(responder, 200, document, negotiateOutput(request.headers, query), headers);
  return true;
}

function subjectOf({ resource }: Target): { readonly group: string; readonly resource: string } {
  return { group, resource: resource.plural };
}

function nameOf({ metadata }: Wardle): string {
  return String(metadata["name"] ?? "");
}

function keyOf({ resource, namespace, name }: Target): string {
  return `/registry/${group}/${resource.plural}/${resource.namespaced ? `${namespace}/` : ""}${name}`;
}

/** As etcd keeps it: its version is etcd's own. */
function textOf(object: Wardle): string {
  const { resourceVersion: _known, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata });
}

function withVersion(object: Fields, revision: number): Fields {
  const metadata = isFields(object["metadata"]) ? object["metadata"] : {};
  return { ...object, metadata: { ...metadata, resourceVersion: String(revision) } };
}

/** Throws BadRequest. */
function parsed({ body }: HttpRequest): JsonValue {
  try {
    return JSON.parse(decodeUtf8(body)) as JsonValue;
  } catch {
    throw badRequest("the object provided is unrecognized (must be of type JSON here)");
  }
}

/** Throws BadRequest. */
function bodyOf(request: HttpRequest): Fields {
  const value = parsed(request);
  if (!isFields(value)) throw badRequest("the object provided is unrecognized (must be of type JSON here)");
  return value;
}

/** Throws SelectorError. */
function selectorOf(query: URLSearchParams, namespace: string): (found: Found) => boolean {
  const byLabels = compileLabelSelector(query.get("labelSelector") ?? "");
  const byFields = compileFieldSelector(parseFieldSelector(query.get("fieldSelector") ?? ""), ({ metadata }: Wardle, field) =>
    String(metadata[field.replace(/^metadata\./u, "")] ?? ""),
  );
  return ({ object }) => {
    const labels = isFields(object.metadata["labels"])
      ? (object.metadata["labels"] as { readonly [key: string]: string })
      : undefined;
    return (namespace === "" || object.metadata["namespace"] === namespace) && byLabels(labels) && byFields(object);
  };
}

function metadataOnly(object: Fields, version: string): Fields {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata: object["metadata"] as JsonValue };
}

/** The usual columns: name and age. */
function tableOf(objects: readonly Fields[], version: string, revision: number): Fields {
  const column = (name: string, format: string, type: string) => ({ name, type, format, description: "", priority: 0 });
  const rows = objects.map((object) => {
    const { name = "", creationTimestamp = "" } = object["metadata"] as Fields;
    return { cells: [name, creationTimestamp], object: metadataOnly(object, version) };
  });
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: { resourceVersion: String(revision) },
    columnDefinitions: [column("Name", "name", "string"), column("Created At", "", "date")],
    rows,
  };
}
