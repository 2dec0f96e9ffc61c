// GET of one object.

import { notFound } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { type Machinery, type ResourceRequest, storedObject } from "../machinery.ts";

/** Throws NotFound. */
export function getObject(machinery: Machinery, request: ResourceRequest): KubeObject {
  const object = storedObject(machinery, request);
  if (object === undefined) throw notFound(subjectOf(request), request.name);
  return object;
}

export function subjectOf(request: ResourceRequest): { readonly group: string; readonly resource: string } {
  return { group: request.definition.group, resource: request.definition.plural };
}
