// Server-side apply: PATCH with a configuration. Creates the object when there is none.

import { applyPatch } from "#cluster/api/apply/apply-patch.ts";
import { decodeObject } from "#cluster/api/decode.ts";
import { badRequest, invalid } from "#cluster/api/errors.ts";
import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { decodeTyped } from "../decoding.ts";
import { wireObject } from "../encoding.ts";
import { emptyOf, ignoredPathsOf, shapeOfKind } from "../field-management.ts";
import type { Machinery } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
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
  const config = configuration(request, patch);
  const applied = applyPatch({
    shape: shapeOfKind(definition),
    live: current === undefined ? emptyLive(request) : wireObject(definition, current),
    config,
    manager: request.fieldManager,
    force: options.force,
    apiVersion: groupVersionOf(definition),
    ...(subresource === "" ? {} : { subresource }),
    ignoredPaths: ignoredPathsOf(definition, subresource),
    nowMs: machinery.simulation.nowMs,
  });
  checkText(request, options);
  const { object } = decodeTyped(definition, applied as JsonValue, (cause) => badRequest(cause));
  const complete = definition.defaults?.(object) ?? object;
  if (current === undefined) {
    requireCreate(machinery, request);
    return createObject(machinery, request, complete, true);
  }
  return updateObject(machinery, request, complete, true);
}

/** The configuration as the type has it. */
function configuration(request: ResourceRequest, patch: JsonValue): KubeObject {
  const { definition } = request;
  if (!isObject(patch)) throw badRequest("error decoding YAML: the configuration is not an object");
  const { apiVersion, kind, metadata } = patch;
  const name = isObject(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "";
  if (name !== "" && name !== request.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`);
  }
  if (kind !== definition.kind || apiVersion !== groupVersionOf(definition))
    throw badRequest(`invalid object type: ${kindText(apiVersion, kind)}`);
  if (isObject(metadata) && (metadata["managedFields"] ?? null) !== null) throw badRequest("metadata.managedFields must be nil");
  const placed = { ...patch, metadata: { ...(isObject(metadata) ? metadata : {}), name: request.name } };
  if (definition.schemaType === undefined) return placed as JsonValue as KubeObject;
  const { value, strictErrors } = decodeObject(definition.schemaType, placed, { fill: "nothing" });
  // With fields that the type has not, it is the merge that refuses it, whatever the validation.
  return (strictErrors.length > 0 ? placed : value) as JsonValue as KubeObject;
}

/** As Go writes a kind with its group and version: `apps/v1, Kind=Deployment`, `/v1, Kind=Secret`. */
function kindText(apiVersion: JsonValue | undefined, kind: JsonValue | undefined): string {
  const version = typeof apiVersion === "string" ? apiVersion : "";
  return `${version.includes("/") ? version : `/${version}`}, Kind=${typeof kind === "string" ? kind : ""}`;
}

/** Keys that stand twice in the text. */
function checkText(request: ResourceRequest, { fieldValidation, strictErrors = [] }: PatchOptions): void {
  if (strictErrors.length === 0 || fieldValidation === "Ignore") return;
  const text = `error converting YAML to JSON: ${strictErrors.join(", ")}`;
  if (fieldValidation === "Strict") throw badRequest(`error strict decoding patch: ${text}`);
  request.warnings.push(text);
}

function namespaceOf(request: ResourceRequest): { readonly namespace?: string } {
  return request.definition.namespaced ? { namespace: request.namespace } : {};
}

function emptyLive(request: ResourceRequest): KubeObject {
  const { definition } = request;
  return {
    ...emptyOf(definition),
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
