// Objects as they travel: with the fields that Go always writes, empty or null, type and metadata first, lists without the types of their items.

import { decodeObject } from "#cluster/api/decode.ts";
import { groupVersionOf, type JsonValue, type KubeObject, metadataFields, type ObjectMeta } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { managed } from "./field-management.ts";
import type { ListResult } from "./verbs/list.ts";

/** Where an object comes from: the store keeps protobuf, in which lists and maps that are empty are none. */
export type Origin = "store" | "request";

/** Objects never change, so each is completed once. */
const completed = { store: new WeakMap<KubeObject, KubeObject>(), request: new WeakMap<KubeObject, KubeObject>() };

/** An object as the real server would send it; by itself it tells what it has stored, or answers a review. */
export function wireObject(
  definition: ResourceDefinition,
  object: KubeObject,
  origin: Origin = definition.isReview === true ? "request" : "store",
): KubeObject {
  const known = completed[origin].get(object);
  if (known !== undefined) return known;
  const owned = managed(object);
  const { schemaType } = definition;
  const whole =
    schemaType === undefined
      ? owned
      : (decodeObject(schemaType, owned as JsonValue, { fill: "written", fromStore: origin === "store" })
          .value as JsonValue as KubeObject);
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = whole;
  const wire: KubeObject = {
    kind: definition.kind,
    apiVersion: groupVersionOf(definition),
    metadata: orderedMetadata(metadata),
    ...rest,
  };
  if (definition.isOptions === true) delete (wire as { metadata?: unknown }).metadata;
  completed[origin].set(object, wire);
  return wire;
}

function orderedMetadata(metadata: ObjectMeta): ObjectMeta {
  const result: { [name: string]: unknown } = {};
  for (const name of metadataFields) if (metadata[name] !== undefined) result[name] = metadata[name];
  return result as ObjectMeta;
}

/** `PodList`; items of built-in kinds do not repeat their type. */
export function wireList(definition: ResourceDefinition, list: ListResult): JsonValue {
  const items = list.items.map((object) => {
    const wire = wireObject(definition, object);
    if (definition.schemaType === undefined) return wire as JsonValue;
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = wire;
    return rest as JsonValue;
  });
  return {
    kind: definition.listKind ?? `${definition.kind}List`,
    apiVersion: groupVersionOf(definition),
    // Go's list of custom resources always says that nothing follows.
    metadata: (definition.schemaType === undefined ? { continue: "", ...list.metadata } : list.metadata) as JsonValue,
    items,
  };
}

/** Metadata alone, for clients that ask for PartialObjectMetadata and for the rows of Tables. */
export function partialMetadata(object: KubeObject, metaVersion: string): JsonValue {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: `meta.k8s.io/${metaVersion}`,
    metadata: orderedMetadata(managed(object).metadata) as JsonValue,
  };
}

export function partialMetadataList(list: ListResult, metaVersion: string): JsonValue {
  return {
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${metaVersion}`,
    metadata: list.metadata as JsonValue,
    items: list.items.map((object) => partialMetadata(object, metaVersion)),
  };
}
