// Server-side apply to a Scale: who owns the workload's number of replicas owns the Scale's, and the other way round
// (apimachinery, pkg/util/managedfields: ScaleHandler).

import { applyPatch } from "#cluster/api/apply/apply-patch.ts";
import { difference, type FieldSet, intersection, isEmptySet, union } from "#cluster/api/apply/field-set.ts";
import { readManagers, writeManagers } from "#cluster/api/apply/managers.ts";
import { shapeOfType } from "#cluster/api/apply/shape.ts";
import { decodeObject } from "#cluster/api/decode.ts";
import { badRequest } from "#cluster/api/errors.ts";
import type { ManagedFieldsEntry, Scale } from "#cluster/api/generated/types.ts";
import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import { managed } from "../field-management.ts";
import { type Machinery, storedObject } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { getScale, updateScale } from "./scale.ts";

const version = "autoscaling/v1";
const replicasOfScale: FieldSet = { "f:spec": { "f:replicas": {} } };

/** Throws NotFound, 400, 409 with the conflicts, 422. */
export function applyScale(machinery: Machinery, request: ResourceRequest, patch: JsonValue, force: boolean): Scale {
  const scale = getScale(machinery, request);
  if (!isObject(patch)) throw badRequest("error decoding YAML: the configuration is not an object");
  decodeObject("Scale", patch);
  const workload = managed(storedObject(machinery, request) as KubeObject);
  const owners = workload.metadata.managedFields ?? [];
  const replicas = replicasOf(request);
  const live = { ...scale, metadata: { ...scale.metadata, managedFields: ownersOfScale(request, owners, replicas) } };
  const applied = applyPatch({
    shape: shapeOfType("Scale"),
    // No replicas at all are not written.
    live: decodeObject("Scale", live as JsonValue).value as JsonValue as KubeObject,
    config: patch as JsonValue as KubeObject,
    manager: request.fieldManager,
    force,
    apiVersion: version,
    subresource: "scale",
    nowMs: machinery.simulation.nowMs,
  });
  const { managedFields = [] } = applied.metadata;
  return updateScale(machinery, request, applied as Scale, ownersOfWorkload(request, owners, managedFields, replicas));
}

/** The workload's field, as sets of fields write it. */
function replicasOf({ definition }: ResourceRequest): FieldSet {
  const names = definition.scale?.specReplicas.split(".") ?? [];
  return names.reduceRight<FieldSet>((inner, name) => ({ [`f:${name}`]: inner }), {});
}

function owns({ fieldsV1 }: ManagedFieldsEntry, fields: FieldSet): boolean {
  return !isEmptySet(intersection((fieldsV1 ?? {}) as FieldSet, fields));
}

/** Of those who own the number, with nothing else. */
function ownersOfScale(
  { definition }: ResourceRequest,
  owners: readonly ManagedFieldsEntry[],
  replicas: FieldSet,
): readonly ManagedFieldsEntry[] {
  return owners
    .filter((owner) => owner.apiVersion === groupVersionOf(definition) && owns(owner, replicas))
    .map((owner) => ({ ...owner, apiVersion: version, fieldsV1: replicasOfScale }));
}

/** The workload's owners after a Scale was applied: who lost the number, and who has it now. */
function ownersOfWorkload(
  { definition }: ResourceRequest,
  owners: readonly ManagedFieldsEntry[],
  ofScale: readonly ManagedFieldsEntry[],
  replicas: FieldSet,
): readonly ManagedFieldsEntry[] {
  const gained = ofScale.filter((owner) => owns(owner, replicasOfScale) && !owners.some((known) => isSame(known, owner)));
  const kept = owners.flatMap((owner) => {
    const now = ofScale.find((other) => isSame(owner, other));
    if (now !== undefined && owns(now, replicasOfScale)) {
      return [{ ...owner, fieldsV1: union((owner.fieldsV1 ?? {}) as FieldSet, replicas) }];
    }
    const fieldsV1 = difference((owner.fieldsV1 ?? {}) as FieldSet, replicas);
    return isEmptySet(fieldsV1) ? [] : [owns(owner, replicas) ? { ...owner, fieldsV1 } : owner];
  });
  // As after an update of a Scale, nobody says when.
  const added = gained.map(({ time: _time, ...owner }) => ({
    ...owner,
    apiVersion: groupVersionOf(definition),
    fieldsV1: replicas,
  }));
  return writeManagers(readManagers({ managedFields: [...kept, ...added] }));
}

function isSame(one: ManagedFieldsEntry, other: ManagedFieldsEntry): boolean {
  return (
    one.manager === other.manager && one.operation === other.operation && (one.subresource ?? "") === (other.subresource ?? "")
  );
}
