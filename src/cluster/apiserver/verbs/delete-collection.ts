// DELETE of a collection: every selected object by itself; those that went meanwhile are no error.

import { ApiError } from "#cluster/api/errors.ts";
import type { DeleteOptions } from "#cluster/client/client.ts";
import type { Machinery } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { deleteObject } from "./delete.ts";
import { type ListRequestOptions, type ListResult, listObjects } from "./list.ts";

/** Answers the list of what was selected. */
export function deleteCollection(
  machinery: Machinery,
  request: ResourceRequest,
  selection: ListRequestOptions,
  options: DeleteOptions,
): ListResult {
  const selected = listObjects(machinery, request, selection);
  for (const object of selected.items) {
    const { name = "", namespace = "" } = object.metadata;
    try {
      deleteObject(machinery, { ...request, name, namespace }, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "NotFound") throw error;
    }
  }
  return selected;
}
