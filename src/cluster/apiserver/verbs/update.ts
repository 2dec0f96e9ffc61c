// PUT, and the second half of PATCH: a new state of an object, in the order of registry/rest's BeforeUpdate.

import { semanticDeepEqual as deepEqual, deepEqual as strictlyEqual } from "#cluster/api/equality.ts";
import { conflict, invalid, notFound, otherFailure, staleObjectCause } from "#cluster/api/errors.ts";
import type { KubeObject, ObjectMeta } from "#cluster/api/objects.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { lateDynamicPlugins } from "../admission/dynamic-plugins.ts";
import { rbacGroup, requireNoEscalation } from "../authorization/escalation.ts";
import { managed, noteWrite } from "../field-management.ts";
import {
  etcdKey,
  type Machinery,
  storageKey,
  storedObject,
  tableOf,
  throughStorage,
  warnOf,
  writeFacts,
  writeObject,
} from "../machinery.ts";
import {
  afterAdmission,
  validateMetadata,
  validateMetadataUpdate,
  warnOfFinalizers,
  withoutManagedFields,
  withRequestNamespace,
  withUniqueOwners,
} from "../object-metadata.ts";
import { forbidPrivileged } from "../privileged.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { createObject } from "./create.ts";
import { finishIfUnheld } from "./finalizers.ts";
import { subjectOf } from "./read.ts";
import { parseRevision } from "./revisions.ts";

/**
 * Answers the stored object; an update that changes nothing writes nothing. `applied` objects bring their managedFields.
 * Throws ApiError.
 */
export function updateObject(machinery: Machinery, request: ResourceRequest, desired: KubeObject, applied = false): KubeObject {
  const { definition } = request;
  const key = storageKey(request.namespace, request.name);
  const old = storedObject(machinery, request);
  if (old === undefined) {
    if (definition.createOnUpdate === true && request.subresource === "") {
      requireCreate(machinery, request);
      const { resourceVersion: _ofNothing, ...metadata } = desired.metadata;
      return createObject(machinery, request, { ...desired, metadata });
    }
    // Who names the object by its uid expects it to be there.
    if (desired.metadata.uid) throw otherUid(request, desired.metadata.uid, "");
    throw notFound(subjectOf(request), request.name);
  }
  requireCurrent(request, desired, old);
  const placed = withRequestNamespace(desired, definition, request.namespace);
  const mutated = machinery.admission.mutate(request, "UPDATE", placed, old);
  const admitted = withUniqueOwners(mutated, request.warnings, afterAdmission);
  if (definition.group === rbacGroup) requireNoEscalation(machinery.authorizer, request, admitted, old);
  const prepared = prepare(machinery, request, admitted, old);
  const allocation = machinery.allocators.beginUpdate(definition, prepared, old, request.dryRun);
  try {
    const object = allocation.object;
    validate(machinery, request, object, old);
    if (definition.converter !== undefined) lateDynamicPlugins.code.requireForms(request, object);
    machinery.admission.validate(request, "UPDATE", object, old);
    const finished = finishIfUnheld(machinery, request, object, old, placed);
    allocation.keep(machinery.log);
    if (finished !== undefined) {
      if (!applied) noteWrite(machinery, request, old, placed, finished);
      return finished;
    }
    const bare = applied ? object : withoutManagedFields(object);
    const before = applied ? managed(old) : withoutManagedFields(old);
    const isSame = deepEqual(bare, before) && !changesManagers(request, applied ? object : placed, old, applied);
    if (isSame && !isStale(machinery, request, key)) return old;
    const stored = request.dryRun ? { ...throughStorage(request, bare) } : writeObject(machinery, request, key, bare);
    if (!applied) noteWrite(machinery, request, old, placed, stored);
    return stored;
  } catch (error) {
    allocation.release();
    throw error;
  }
}

/** Whether the object lies in etcd under another key than new ones do: it is written again though nothing changes. */
function isStale(machinery: Machinery, { definition }: ResourceRequest, key: string): boolean {
  const table = tableOf(machinery, definition);
  return machinery.store.encryption?.isStale(table, table.get(key)) === true;
}

/** Who makes an object by an update or an apply must be allowed to make one. Throws Forbidden. */
export function requireCreate(machinery: Machinery, { definition, user, namespace, name, subresource }: ResourceRequest): void {
  const { group, plural: resource } = definition;
  machinery.authorizer.requireResource({ user, verb: "create", group, resource, subresource, namespace, name });
}

function requireCurrent(request: ResourceRequest, desired: KubeObject, old: KubeObject): void {
  const { uid, resourceVersion } = desired.metadata;
  const { definition } = request;
  const current = resourceVersion !== undefined && resourceVersion === old.metadata.resourceVersion;
  const revision = current || !resourceVersion ? 0 : parseRevision(resourceVersion, (fault) => otherFailure(500, "", fault));
  // "0" is the revision of no object: who sends it means whatever is stored, as who sends none.
  if (!current && revision === 0 && definition.updateNeedsResourceVersion === true) {
    const errors = new FieldErrors();
    errors.invalid(field("metadata", "resourceVersion"), 0, "must be specified for an update");
    throw invalid(subjectOf(request), request.name, errors.causes);
  }
  if (uid !== undefined && uid !== "" && uid !== old.metadata.uid) {
    throw otherUid(request, uid, old.metadata.uid ?? "");
  }
  if (!current && revision !== 0) {
    throw conflict(subjectOf(request), request.name, staleObjectCause);
  }
}

/** Clients may edit managedFields of the object itself, or reset them; in sets of fields an empty part is not nothing. */
function changesManagers({ subresource }: ResourceRequest, { metadata }: KubeObject, old: KubeObject, applied: boolean): boolean {
  const { managedFields } = metadata;
  if (!applied && (subresource !== "" || managedFields === undefined)) return false;
  return !strictlyEqual(managedFields ?? [], managed(old).metadata.managedFields ?? []);
}

/** As etcd's client says it, key and all. */
function otherUid(request: ResourceRequest, wanted: string, found: string): Error {
  const failed = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
  const cause = `StorageError: invalid object, Code: 4, Key: ${etcdKey(request)}, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`;
  return conflict(subjectOf(request), request.name, cause);
}

/** Puts back what an update may not touch: the system's metadata, status or spec, and counts the generation up. */
function prepare(machinery: Machinery, request: ResourceRequest, desired: KubeObject, old: KubeObject): KubeObject {
  const { definition, subresource } = request;
  const object = withSystemsMetadata(desired, old);
  if (subresource === "status") return definition.prepareForStatusUpdate?.(object, old, writeFacts(machinery, request)) ?? object;
  const strategy = subresource === "" ? undefined : definition.subresourceStrategies?.[subresource];
  if (strategy !== undefined) return strategy(object, old, writeFacts(machinery, request));
  const prepared = definition.prepareForUpdate?.(object, old) ?? object;
  const changed = definition.generationFields?.some((name) => !deepEqual(prepared[name], old[name])) === true;
  if (!changed) return prepared;
  return { ...prepared, metadata: { ...prepared.metadata, generation: Number(old.metadata.generation ?? 0) + 1 } };
}

function withSystemsMetadata(desired: KubeObject, old: KubeObject): KubeObject {
  // A client that changes only spec or status sends the metadata that it was given.
  if (desired.metadata === old.metadata) return desired;
  const { uid, creationTimestamp, resourceVersion, generation, deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  const metadata: { -readonly [name in keyof ObjectMeta]: ObjectMeta[name] } = { ...desired.metadata };
  if (uid !== undefined) metadata.uid = uid;
  if (creationTimestamp !== undefined) metadata.creationTimestamp = creationTimestamp;
  if (resourceVersion !== undefined) metadata.resourceVersion = resourceVersion;
  if (generation === undefined) delete metadata.generation;
  else metadata.generation = generation;
  delete metadata.selfLink;
  if (deletionTimestamp !== undefined) metadata.deletionTimestamp = deletionTimestamp;
  if (deletionGracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds ??= deletionGracePeriodSeconds;
  return { ...desired, metadata };
}

function validate(machinery: Machinery, request: ResourceRequest, object: KubeObject, old: KubeObject): void {
  const { definition } = request;
  const errors = new FieldErrors();
  // What was stored has been found valid.
  if (object.metadata !== old.metadata) {
    validateMetadata(object.metadata, definition, errors);
    validateMetadataUpdate(object.metadata, old.metadata, errors);
  }
  if (request.subresource === "status") definition.validateStatusUpdate?.(object, old, errors);
  else {
    const ofSubresource = definition.subresourceValidators?.[request.subresource];
    if (ofSubresource !== undefined) ofSubresource(object, old, errors);
    else definition.validateUpdate?.(object, old, errors);
    if (!machinery.allowsPrivileged) forbidPrivileged(object, errors);
  }
  if (!errors.isEmpty)
    throw invalid({ group: definition.refusedAsGroup ?? definition.group, resource: definition.kind }, request.name, errors.causes);
  warnOfFinalizers(request, object.metadata, old.metadata);
  warnOf(request, object, old);
}
