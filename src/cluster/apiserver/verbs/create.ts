// POST: a new object, in the order of registry/rest's BeforeCreate.

import { ApiError, alreadyExists, forbidden, invalid, otherFailure } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { FieldErrors } from "#cluster/resources/field-errors.ts";
import { lateDynamicPlugins } from "../admission/dynamic-plugins.ts";
import { rbacGroup, requireNoEscalation } from "../authorization/escalation.ts";
import { noteWrite } from "../field-management.ts";
import { type Machinery, storageKey, tableOf, throughStorage, warnOf, writeFacts, writeObject } from "../machinery.ts";
import {
  afterAdmission,
  validateMetadata,
  warnOfFinalizers,
  withoutManagedFields,
  withRequestNamespace,
  withSystemMetadata,
  withUniqueOwners,
} from "../object-metadata.ts";
import { forbidPrivileged } from "../privileged.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { subjectOf } from "./read.ts";

/** How often a generated name is tried before the collision is the client's problem. */
const maxNameAttempts = 8;

/** `draft` has passed decoding and defaulting; `applied` ones bring their managedFields. Throws ApiError. */
export function createObject(machinery: Machinery, request: ResourceRequest, draft: KubeObject, applied = false): KubeObject {
  const generated = !draft.metadata.name && Boolean(draft.metadata.generateName);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return createOnce(machinery, request, draft, applied);
    } catch (error) {
      if (!generated || !(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
      if (attempt === maxNameAttempts) throw noUniqueName(error);
    }
  }
}

function noUniqueName({ status }: ApiError): Error {
  const { name = "", group, kind = "" } = status.details ?? {};
  const subject = group === undefined ? kind : `${kind}.${group}`;
  const message = `${subject} ${JSON.stringify(name)} already exists, the server was not able to generate a unique name for the object`;
  return new ApiError({ ...status, message, details: { ...status.details, retryAfterSeconds: 1 } });
}

function createOnce(machinery: Machinery, request: ResourceRequest, draft: KubeObject, applied: boolean): KubeObject {
  const { definition } = request;
  if (definition.refusesCreate !== undefined) {
    throw forbidden(subjectOf(request), draft.metadata.name ?? "", definition.refusesCreate);
  }
  const placed = withUniqueOwners(withRequestNamespace(draft, definition, request.namespace), request.warnings);
  const mutated = machinery.admission.mutate(request, "CREATE", placed, undefined);
  const admitted = mutated === placed ? placed : withUniqueOwners(mutated, request.warnings, afterAdmission);
  if (definition.group === rbacGroup) requireNoEscalation(machinery.authorizer, request, admitted, undefined);
  const named = withSystemMetadata(admitted, machinery.simulation);
  const isNumbered = definition.generationFields !== undefined && definition.startsWithoutGeneration !== true;
  const numbered = isNumbered ? { ...named, metadata: { ...named.metadata, generation: 1 } } : named;
  const prepared = definition.prepareForCreate?.(numbered, writeFacts(machinery, request)) ?? numbered;
  const allocation = machinery.allocators.beginCreate(definition, prepared, request.dryRun);
  try {
    const object = allocation.object;
    const errors = new FieldErrors();
    const { judgesMetadataLast = false } = definition;
    if (!judgesMetadataLast) validateMetadata(object.metadata, definition, errors);
    definition.validate?.(object, errors);
    if (!machinery.allowsPrivileged) forbidPrivileged(object, errors);
    if (judgesMetadataLast && errors.isEmpty) validateMetadata(object.metadata, definition, errors);
    if (!errors.isEmpty)
      throw invalid(
        { group: definition.refusedAsGroup ?? definition.group, resource: definition.kind },
        object.metadata.name ?? "",
        errors.causes,
      );
    warnOfFinalizers(request, object.metadata, undefined);
    warnOf(request, object, undefined);
    if (definition.converter !== undefined) lateDynamicPlugins.code.requireForms(request, object);
    machinery.admission.validate(request, "CREATE", object, undefined);
    if (!applied && !request.dryRun) refuseVersion(placed.metadata.resourceVersion);
    const stored = insert(machinery, request, applied ? object : withoutManagedFields(object));
    if (!applied) noteWrite(machinery, request, undefined, placed, stored);
    allocation.keep(machinery.log);
    return stored;
  } catch (error) {
    allocation.release();
    throw error;
  }
}

/** As the storage says it: what is stored already has a version, what is new has none. Of text that is no version it makes nothing. */
function refuseVersion(resourceVersion: string | undefined): void {
  if (!resourceVersion || !/^0*[1-9]\d*$/.test(resourceVersion)) return;
  throw otherFailure(500, "", "resourceVersion should not be set on objects to be created");
}

function insert(machinery: Machinery, request: ResourceRequest, object: KubeObject): KubeObject {
  const table = tableOf(machinery, request.definition);
  const name = object.metadata.name as string;
  const key = storageKey(object.metadata.namespace ?? "", name);
  const existing = table.get(key);
  if (existing !== undefined) {
    const error = alreadyExists(subjectOf(request), name);
    if (existing.metadata.deletionTimestamp === undefined) throw error;
    throw new ApiError({ ...error.status, message: `object is being deleted: ${error.status.message}` });
  }
  return request.dryRun ? throughStorage(request, object) : writeObject(machinery, request, key, object);
}
