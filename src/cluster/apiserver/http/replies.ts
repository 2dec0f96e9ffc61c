// Objects and lists in the form the client asked for.

import { otherFailure } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { partialMetadata, partialMetadataList, wireList, wireObject } from "../encoding.ts";
import { includeObjectOf, tableOfObjects } from "../tables.ts";
import type { ListResult } from "../verbs/list.ts";
import type { HttpCall } from "./call.ts";
import { negotiateOutput, type OutputFormat } from "./negotiation.ts";
import { replyValue, warningHeaders } from "./writing.ts";

export function replyObject(
  call: HttpCall,
  definition: ResourceDefinition,
  code: number,
  object: KubeObject,
  warnings: readonly string[] = [],
): void {
  const format = formatFor(call, definition);
  const headers = { ...call.headers, ...warningHeaders([...kindWarnings(definition), ...warnings]) };
  replyValue(call.responder, code, representation(call, definition, object, format), format, headers);
}

const produced: readonly string[] = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const producedForLists = [...produced, "application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"];

/**
 * What the client wants the answer in. Routes of built-in kinds list what they produce: a client that names none of it is
 * refused by go-restful (CurlyRouter's matchesAccept), with other words than one whose parameters cannot be met.
 */
export function formatFor(call: HttpCall, definition: ResourceDefinition, isList = false): OutputFormat {
  const { headers } = call.request;
  const types = isList ? producedForLists : produced;
  const accepted = (headers["accept"] || "*/*").split(",").map((clause) => clause.split(";")[0]?.trim() ?? "");
  if (definition.schemaType !== undefined && !accepted.some((type) => type === "*/*" || types.includes(type))) {
    const message = `406: Not Acceptable\n\nAvailable representations: ${types.join(", ")}`;
    throw otherFailure(406, "NotAcceptable", message, {});
  }
  return negotiateOutput(headers, call.info.query, definition.isReview !== true);
}

function notOfThatForm(kind: string, what: string): Error {
  return otherFailure(406, "NotAcceptable", `you requested ${kind}, but the requested object is ${what}`);
}

/** The Go type that the server holds a kind in: its internal one, or that of all custom resources. */
function goTypeOf({ group, kind, schemaType }: ResourceDefinition): string {
  if (schemaType === undefined) return "*unstructured.Unstructured";
  const [name = ""] = group.split(".");
  const isCore = name === "" || name === "events";
  return `*${isCore ? "core" : name}.${kind}`;
}

function representation(call: HttpCall, definition: ResourceDefinition, object: KubeObject, format: OutputFormat): JsonValue {
  const { metaVersion } = format;
  if (format.as === "metadata") return partialMetadata(object, metaVersion);
  if (format.as === "metadataList") throw notOfThatForm("PartialObjectMetadataList", `not a list (${goTypeOf(definition)})`);
  if (format.as === "object") return wireObject(definition, object) as JsonValue;
  const { resourceVersion } = object.metadata;
  const metadata = resourceVersion === undefined ? {} : { resourceVersion };
  return tableOfObjects(definition, [object], metadata, tableOptions(call, metaVersion));
}

export function replyList(
  call: HttpCall,
  definition: ResourceDefinition,
  list: ListResult,
  warnings: readonly string[] = [],
): void {
  const format = formatFor(call, definition, true);
  const headers = { ...call.headers, ...warningHeaders([...kindWarnings(definition), ...warnings]) };
  replyValue(call.responder, 200, listRepresentation(call, definition, list, format), format, headers);
}

function listRepresentation(call: HttpCall, definition: ResourceDefinition, list: ListResult, format: OutputFormat): JsonValue {
  const { metaVersion } = format;
  if (format.as === "metadataList") return partialMetadataList(list, metaVersion);
  if (format.as === "metadata") throw notOfThatForm("PartialObjectMetadata", `a list (${goTypeOf(definition)}List)`);
  if (format.as === "object") return wireList(definition, list);
  return tableOfObjects(definition, list.items, list.metadata, tableOptions(call, metaVersion));
}

function tableOptions(call: HttpCall, metaVersion: string): Parameters<typeof tableOfObjects>[3] {
  const nowMs = call.server.simulation.nowMs;
  return { includeObject: includeObjectOf(call.info.query), metaVersion, withColumns: true, nowMs };
}

/** What a delete answers when the object is gone. */
export function deletedStatus({ group, plural }: ResourceDefinition, { metadata }: KubeObject): JsonValue {
  const { name = "", uid = "" } = metadata;
  const details = { name, ...(group === "" ? {} : { group }), kind: plural, uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

/** What every use of a deprecated kind is told. */
export function kindWarnings(definition: ResourceDefinition): readonly string[] {
  return definition.deprecation === undefined ? [] : [definition.deprecation];
}
