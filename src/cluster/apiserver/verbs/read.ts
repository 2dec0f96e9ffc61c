// GET of one object.

import { notFound, otherFailure } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { type Machinery, storedObject } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { parseRevision, requireNotInFuture } from "./revisions.ts";

/** `resourceVersion`: the answer must not be older. Throws NotFound, 504 for a version that is still to come. */
export function getObject(machinery: Machinery, request: ResourceRequest, resourceVersion = ""): KubeObject {
  if (resourceVersion !== "") {
    const refuse = (fault: string): Error =>
      otherFailure(500, "", `resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: ${fault}`);
    requireNotInFuture(machinery, parseRevision(resourceVersion, refuse));
  }
  const object = storedObject(machinery, request);
  if (object === undefined) throw notFound(subjectOf(request), request.name);
  return object;
}

export function subjectOf(request: ResourceRequest): { readonly group: string; readonly resource: string } {
  return { group: request.definition.group, resource: request.definition.plural };
}
