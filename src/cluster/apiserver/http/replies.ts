// Objects and lists in the form the client asked for.

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
  const format = negotiateOutput(call.request.headers, call.info.query, definition.isReview !== true);
  const headers = { ...call.headers, ...warningHeaders([...kindWarnings(definition), ...warnings]) };
  replyValue(call.responder, code, representation(call, definition, object, format), format, headers);
}

function representation(call: HttpCall, definition: ResourceDefinition, object: KubeObject, format: OutputFormat): JsonValue {
  const { metaVersion } = format;
  if (format.as === "metadata") return partialMetadata(object, metaVersion);
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
  const format = negotiateOutput(call.request.headers, call.info.query);
  const headers = { ...call.headers, ...warningHeaders([...kindWarnings(definition), ...warnings]) };
  replyValue(call.responder, 200, listRepresentation(call, definition, list, format), format, headers);
}

function listRepresentation(call: HttpCall, definition: ResourceDefinition, list: ListResult, format: OutputFormat): JsonValue {
  const { metaVersion } = format;
  if (format.as === "metadata") return partialMetadataList(list, metaVersion);
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
