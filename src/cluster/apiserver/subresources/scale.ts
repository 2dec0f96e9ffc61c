// scale: the number of replicas of a workload, seen and changed through one kind for all (autoscaling/v1 Scale).

import { badRequest, conflict, invalid, notFound, staleObjectCause } from "#cluster/api/errors.ts";
import type { LabelSelector, ManagedFieldsEntry, Scale } from "#cluster/api/generated/types.ts";
import { formatLabelSelector, formatLabelSet } from "#cluster/api/labels.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ScalePaths } from "#cluster/resources/definition.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { type Machinery, storedObject } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { subjectOf } from "../verbs/read.ts";
import { updateObject } from "../verbs/update.ts";

/** Throws NotFound. */
export function getScale(machinery: Machinery, request: ResourceRequest): Scale {
  return scaleOf(request, currentObject(machinery, request));
}

/**
 * `owners`: the workload's, where the Scale was applied. Throws NotFound, BadRequest for another object's Scale, Conflict for a stale
 * one, Invalid for a negative number.
 */
export function updateScale(
  machinery: Machinery,
  request: ResourceRequest,
  scale: Scale,
  owners?: readonly ManagedFieldsEntry[],
): Scale {
  const object = currentObject(machinery, request);
  const { resourceVersion, uid, name = "", namespace = "" } = scale.metadata ?? {};
  if (name === "") {
    throw badRequest(`the name of the object (${request.name} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== request.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`);
  }
  if (namespace !== "" && namespace !== request.namespace) {
    throw badRequest(
      `the namespace of the object (${namespace}) does not match the namespace on the request (${request.namespace})`,
    );
  }
  if (resourceVersion && resourceVersion !== object.metadata.resourceVersion) {
    throw conflict(subjectOf(request), request.name, staleObjectCause);
  }
  const replicas = scale.spec?.replicas ?? 0;
  if (replicas < 0) {
    throw negativeReplicas(request, replicas);
  }
  if (uid && uid !== object.metadata.uid) {
    const cause = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${object.metadata.uid}`;
    const { group, resource } = subjectOf(request);
    throw conflict({ group, resource: `${resource}/scale` }, request.name, cause);
  }
  const changed = withPath(object, pathsOf(request).specReplicas.split("."), replicas) as KubeObject;
  const owned = owners === undefined ? changed : { ...changed, metadata: { ...changed.metadata, managedFields: owners } };
  return scaleOf(request, updateObject(machinery, { ...request, subresource: "scale" }, owned, owners !== undefined));
}

/** Custom resources say it of their own field. */
function negativeReplicas(request: ResourceRequest, replicas: number): Error {
  const { group, kind, schemaType } = request.definition;
  const errors = new FieldErrors();
  if (schemaType === undefined) {
    errors.invalid(field(`.${pathsOf(request).specReplicas}`), replicas, "should be a non-negative integer");
    return invalid({ group, resource: kind }, request.name, errors.causes);
  }
  errors.invalid(field("spec", "replicas"), replicas, "must be greater than or equal to 0");
  return invalid({ group: "autoscaling", resource: "Scale" }, request.name, errors.causes);
}

function currentObject(machinery: Machinery, request: ResourceRequest): KubeObject {
  const object = storedObject(machinery, request);
  if (object === undefined) throw notFound(subjectOf(request), request.name);
  return object;
}

function pathsOf(request: ResourceRequest): ScalePaths {
  return request.definition.scale as ScalePaths;
}

function scaleOf(request: ResourceRequest, object: KubeObject): Scale {
  const { specReplicas, statusReplicas, selector } = pathsOf(request);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selectorText = textOf(atPath(object, selector));
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: { replicas: Number(atPath(object, specReplicas) ?? 0) },
    status: { replicas: Number(atPath(object, statusReplicas) ?? 0), ...(selectorText === "" ? {} : { selector: selectorText }) },
  };
}

/** A LabelSelector, a plain map (ReplicationController) or the selector as text (custom resources). */
function textOf(selector: unknown): string {
  if (typeof selector === "string") return selector;
  if (typeof selector !== "object" || selector === null) return "";
  const isSelector = "matchLabels" in selector || "matchExpressions" in selector;
  if (!isSelector) return formatLabelSet(selector as { readonly [key: string]: string });
  const text = formatLabelSelector(selector as LabelSelector);
  return text === "<none>" ? "" : text;
}

function atPath(object: unknown, path: string): unknown {
  let value = object;
  for (const name of path.split(".")) value = (value as { readonly [name: string]: unknown } | undefined)?.[name];
  return value;
}

function withPath(object: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const fields = (object ?? {}) as { readonly [name: string]: unknown };
  return { ...fields, [name]: withPath(fields[name], rest, value) };
}
