// Server-side apply: PATCH with a configuration. Creates the object when there is none.

import { applyPatch } from "#cluster/api/apply/apply-patch.ts";
import { shapeOfCustomResource, shapeOfType } from "#cluster/api/apply/shape.ts";
import { emptyObjectOf } from "#cluster/api/apply/track-update.ts";
import { decodeObject } from "#cluster/api/decode.ts";
import { badRequest, invalid } from "#cluster/api/errors.ts";
import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { decodeTyped, isFields } from "../decoding.ts";
import { wireObject } from "../encoding.ts";
import { ignoredPathsOf } from "../field-management.ts";
import type { Machinery, ResourceRequest } from "../machinery.ts";
import { createObject } from "./create.ts";
import type { PatchOptions } from "./patch.ts";
import { requireCreate, updateObject } from "./update.ts";

/** Throws 400, 409 with the conflicts, 422. */
export function applyConfiguration(
  machinery: Machinery,
  request: ResourceRequest,
  current: KubeObject | undefined,
  patch: JsonValue,
  options: PatchOptions,
): KubeObject {
  const { definition, subresource } = request;
  if (request.fieldManager === "") throw missingManager();
  const config = configuration(request, patch, options);
  const applied = applyPatch({
    shape: definition.schemaType === undefined ? shapeOfCustomResource(undefined) : shapeOfType(definition.schemaType),
    live: current === undefined ? emptyLive(request) : wireObject(definition, current),
    config,
    manager: request.fieldManager,
    force: options.force,
    apiVersion: groupVersionOf(definition),
    ...(subresource === "" ? {} : { subresource }),
    ignoredPaths: ignoredPathsOf(definition, subresource),
    nowMs: machinery.simulation.nowMs,
  });
  const { object } = decodeTyped(definition, applied as JsonValue, (cause) => badRequest(cause));
  const complete = definition.defaults?.(object) ?? object;
  if (current === undefined) {
    requireCreate(machinery, request);
    return createObject(machinery, request, complete, true);
  }
  return updateObject(machinery, request, complete, true);
}

/** Checked against the schema; what is wrong refuses, is warned of or ignored, as in a create. */
function configuration(request: ResourceRequest, patch: JsonValue, options: PatchOptions): KubeObject {
  const { definition } = request;
  if (!isFields(patch)) throw badRequest("error decoding YAML: the configuration is not an object");
  const { apiVersion, kind, metadata } = patch;
  if (typeof apiVersion !== "string" || typeof kind !== "string") throw badRequest("Object 'Kind' is missing");
  const name = isFields(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "";
  if (name !== "" && name !== request.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`);
  }
  const placed = { ...patch, metadata: { ...(isFields(metadata) ? metadata : {}), name: request.name, ...namespaceOf(request) } };
  if (definition.schemaType === undefined) return { ...placed, apiVersion, kind };
  const { value, strictErrors } = decodeObject(definition.schemaType, placed, { fillAlwaysWritten: false });
  if (strictErrors.length > 0) {
    if (options.fieldValidation === "Strict") throw badRequest(`failed to create typed patch object: .${strictErrors.join(", ")}`);
    if (options.fieldValidation === "Warn") request.warnings.push(...strictErrors);
  }
  return value as JsonValue as KubeObject;
}

function namespaceOf(request: ResourceRequest): { readonly namespace?: string } {
  return request.definition.namespaced ? { namespace: request.namespace } : {};
}

function emptyLive(request: ResourceRequest): KubeObject {
  const { definition } = request;
  const empty =
    definition.schemaType === undefined ? {} : (emptyObjectOf(definition.schemaType) as { readonly [field: string]: JsonValue });
  return {
    ...empty,
    apiVersion: groupVersionOf(definition),
    kind: definition.kind,
    metadata: { name: request.name, ...namespaceOf(request) },
  };
}

function missingManager(): Error {
  const errors = new FieldErrors();
  errors.required(field("fieldManager"), "is required for apply patch");
  return invalid({ group: "meta.k8s.io", resource: "PatchOptions" }, "", errors.causes);
}
