// What every object's metadata must be: the system's fields on creation, and the rules that hold for all kinds
// (apimachinery's ValidateObjectMeta and registry/rest's BeforeCreate and BeforeUpdate).

import { deepEqual } from "#cluster/api/equality.ts";
import { badRequest } from "#cluster/api/errors.ts";
import type { OwnerReference } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, generateName, qualifiedNameReasons } from "#cluster/api/names.ts";
import type { KubeObject, ObjectMeta } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { validateAnnotations } from "#cluster/resources/annotation-validation.ts";
import { validateLabelMap } from "#cluster/resources/core/selector-validation.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { type FieldErrors, field, type Path } from "#cluster/resources/field-errors.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ResourceRequest } from "./resource-request.ts";

const metadataPath = field("metadata");

/** metadata.namespace as the URL says it; 400 when the object says otherwise. */
export function withRequestNamespace(object: KubeObject, definition: ResourceDefinition, namespace: string): KubeObject {
  const own = object.metadata.namespace ?? "";
  const expected = definition.namespaced ? namespace : "";
  if (own === expected) return object;
  if (expected === "") {
    const { namespace: _namespace, ...metadata } = object.metadata;
    return { ...object, metadata };
  }
  if (own !== "") throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  return { ...object, metadata: { ...object.metadata, namespace: expected } };
}

/** 400 for an object that has another name than the URL, or none. */
export function requireName(object: KubeObject, name: string): void {
  const own = object.metadata.name ?? "";
  if (own === name) return;
  if (own === "") throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
}

/** Owner references that are there twice count once; the client is told. `when` says where they were found. */
export function withUniqueOwners(object: KubeObject, warnings: string[], when = ""): KubeObject {
  const { ownerReferences = [] } = object.metadata;
  if (ownerReferences.length < 2) return object;
  const unique: OwnerReference[] = [];
  const duplicates: string[] = [];
  for (const reference of ownerReferences) {
    if (unique.some((known) => deepEqual(known, reference))) duplicates.push(reference.uid);
    else unique.push(reference);
  }
  if (duplicates.length === 0) return object;
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(", ")}`,
  );
  return { ...object, metadata: { ...object.metadata, ownerReferences: unique } };
}

export const afterAdmission = " after mutating admission happens";

/** Sets what only the server may set on a new object, and makes its name where the client left that to us. */
export function withSystemMetadata(object: KubeObject, simulation: Simulation): KubeObject {
  const kept = withoutSystemMetadata(object.metadata);
  const name = kept.name || (kept.generateName ? generateName(kept.generateName, (limit) => simulation.random.below(limit)) : "");
  return {
    ...object,
    metadata: {
      ...kept,
      name,
      uid: simulation.random.uuid(),
      creationTimestamp: formatTime(simulation.nowMs),
    },
  };
}

function withoutSystemMetadata(metadata: ObjectMeta): ObjectMeta {
  // Few clients send any of it, and leaving out is slow.
  const isFree =
    metadata.uid === undefined &&
    metadata.resourceVersion === undefined &&
    metadata.selfLink === undefined &&
    metadata.creationTimestamp === undefined &&
    metadata.deletionTimestamp === undefined &&
    metadata.deletionGracePeriodSeconds === undefined &&
    metadata.generation === undefined;
  if (isFree) return metadata;
  const {
    uid: _uid,
    resourceVersion: _resourceVersion,
    selfLink: _selfLink,
    creationTimestamp: _creationTimestamp,
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    ...kept
  } = metadata;
  return kept;
}

/** What is stored of an ordinary write: its managedFields are worked out when someone asks. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The rules of ValidateObjectMeta with the kind's own rule for names. */
export function validateMetadata(metadata: ObjectMeta, definition: ResourceDefinition, errors: FieldErrors): void {
  const { name = "", generateName: prefix = "", namespace = "" } = metadata;
  if (prefix !== "") {
    for (const reason of definition.nameRule(prefix, true)) errors.invalid(metadataPath.child("generateName"), prefix, reason);
  }
  if (name === "") errors.required(metadataPath.child("name"), "name or generateName is required");
  else for (const reason of definition.nameRule(name, false)) errors.invalid(metadataPath.child("name"), name, reason);
  if (!definition.namespaced) {
    if (namespace !== "") errors.forbidden(metadataPath.child("namespace"), "not allowed on this type");
  } else if (namespace === "") errors.required(metadataPath.child("namespace"));
  else for (const reason of dns1123LabelReasons(namespace)) errors.invalid(metadataPath.child("namespace"), namespace, reason);
  if (metadata.labels !== undefined) validateLabelMap(metadata.labels, metadataPath.child("labels"), errors);
  if (metadata.annotations !== undefined) validateAnnotations(metadata.annotations, metadataPath.child("annotations"), errors);
  if (metadata.ownerReferences !== undefined) {
    validateOwnerReferences(metadata.ownerReferences, metadataPath.child("ownerReferences"), errors);
  }
  if (metadata.finalizers !== undefined) {
    validateFinalizers(metadata.finalizers, metadataPath.child("finalizers"), errors);
    if (hasQualifiedFinalizers(definition)) validateQualified(metadata.finalizers, metadataPath.child("finalizers"), errors);
  }
}

const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);
/** Built-in kinds that other servers than the main one know: they take what custom resources take. */
const extensionGroups: ReadonlySet<string> = new Set([
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "admissionregistration.k8s.io",
]);

function hasQualifiedFinalizers({ schemaType, group }: ResourceDefinition): boolean {
  return schemaType !== undefined && !extensionGroups.has(group);
}

/** Finalizers of built-in kinds say whose they are (pkg/apis/core/validation's validateKubeFinalizerName). */
function validateQualified(finalizers: readonly string[], path: Path, errors: FieldErrors): void {
  for (const [index, finalizer] of finalizers.entries()) {
    if (finalizer.includes("/") || standardFinalizers.has(finalizer)) continue;
    errors.invalid(path.index(index), finalizer, "name is neither a standard finalizer name nor is it fully qualified");
  }
}

/** Tells writers of custom resources of new finalizers that do not say whose they are. */
export function warnOfFinalizers(request: ResourceRequest, metadata: ObjectMeta, old: ObjectMeta | undefined): void {
  const { finalizers = [] } = metadata;
  if (request.definition.schemaType !== undefined || finalizers.length === 0) return;
  for (const finalizer of finalizers) {
    if (finalizer.includes("/") || standardFinalizers.has(finalizer) || old?.finalizers?.includes(finalizer)) continue;
    request.warnings.push(
      `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
    );
  }
}

/** The rules between an object's old and new metadata. */
export function validateMetadataUpdate(metadata: ObjectMeta, old: ObjectMeta, errors: FieldErrors): void {
  if (old.deletionTimestamp !== undefined) {
    const before = new Set(old.finalizers ?? []);
    const added = [...new Set(metadata.finalizers ?? [])].filter((finalizer) => !before.has(finalizer)).sort();
    if (added.length > 0) {
      const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
      // Twice, as upstream: before a kind's own rules, and as the first of these.
      errors.forbidden(metadataPath.child("finalizers"), detail);
      errors.forbidden(metadataPath.child("finalizers"), detail);
    }
  }
  for (const name of ["name", "namespace", "uid", "creationTimestamp"] as const) {
    if ((metadata[name] ?? "") !== (old[name] ?? ""))
      errors.invalid(metadataPath.child(name), metadata[name] ?? "", "field is immutable");
  }
  // Nobody marks an object for deletion but by deleting it.
  for (const name of ["deletionTimestamp", "deletionGracePeriodSeconds"] as const) {
    if (metadata[name] !== old[name]) errors.invalid(metadataPath.child(name), metadata[name], "field is immutable");
  }
}

function validateOwnerReferences(references: readonly OwnerReference[], path: Path, errors: FieldErrors): void {
  let controller = "";
  for (const reference of references) {
    if (!reference.apiVersion) errors.invalid(path.child("apiVersion"), reference.apiVersion ?? "", "version must not be empty");
    for (const name of ["kind", "name", "uid"] as const) {
      if (!reference[name]) errors.invalid(path.child(name), reference[name] ?? "", "must not be empty");
    }
    if (reference.apiVersion === "v1" && reference.kind === "Event") {
      errors.invalid(path, reference, "/v1, Kind=Event is disallowed from being an owner");
    }
    if (reference.controller !== true) continue;
    const current = `${reference.kind}/${reference.name}`;
    if (controller === "") controller = current;
    else {
      errors.invalid(
        path,
        references,
        `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`,
      );
    }
  }
}

function validateFinalizers(finalizers: readonly string[], path: Path, errors: FieldErrors): void {
  for (const finalizer of finalizers) {
    for (const reason of qualifiedNameReasons(finalizer)) errors.invalid(path, finalizer, reason);
  }
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    errors.invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set");
  }
}
