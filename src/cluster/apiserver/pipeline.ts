// The way of every request for a resource, in process or over HTTP, after it is known who asks for what: audit,
// authorization, then the verb (defaulting, admission, validation, storage are the verbs' business).

import { ApiError } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import type { DeleteOptions } from "#cluster/client/client.ts";
import type { AuditLog } from "./audit.ts";
import { authorizeResource } from "./authorization.ts";
import { type Machinery, type ResourceRequest, storedObject } from "./machinery.ts";
import { requireName, withUniqueOwners } from "./object-metadata.ts";
import { createObject } from "./verbs/create.ts";
import { type DeleteResult, deleteObject } from "./verbs/delete.ts";
import { deleteCollection } from "./verbs/delete-collection.ts";
import { type ListRequestOptions, type ListResult, listObjects } from "./verbs/list.ts";
import { type PatchOptions, patchObject } from "./verbs/patch.ts";
import { getObject } from "./verbs/read.ts";
import { updateObject } from "./verbs/update.ts";
import { type ApiWatch, type ApiWatchEvent, type WatchRequestOptions, watchObjects } from "./verbs/watch.ts";

export class Pipeline {
  readonly machinery: Machinery;
  readonly audit: AuditLog;

  constructor(machinery: Machinery, audit: AuditLog) {
    this.machinery = machinery;
    this.audit = audit;
  }

  /** `resourceVersion`: the answer is not older. */
  get(request: ResourceRequest, resourceVersion = ""): KubeObject {
    return this.run("get", request, 200, () => getObject(this.machinery, request, resourceVersion));
  }

  list(request: ResourceRequest, options: ListRequestOptions): ListResult {
    return this.run("list", request, 200, () => listObjects(this.machinery, request, options));
  }

  watch(request: ResourceRequest, options: WatchRequestOptions, onEvent: (event: ApiWatchEvent) => void): ApiWatch {
    return this.run("watch", request, 200, () => watchObjects(this.machinery, request, options, onEvent));
  }

  create(request: ResourceRequest, draft: KubeObject): KubeObject {
    return this.run("create", request, 201, () => createObject(this.machinery, request, withDefaults(request, draft)));
  }

  update(request: ResourceRequest, desired: KubeObject): KubeObject {
    return this.run("update", request, 200, () => {
      requireName(desired, request.name);
      const unique = withUniqueOwners(desired, request.warnings);
      const isDefaulted = isAsStored(request, unique, this.peek(request));
      return updateObject(this.machinery, request, isDefaulted ? unique : withDefaults(request, unique));
    });
  }

  patch(request: ResourceRequest, patch: JsonValue, options: PatchOptions): KubeObject {
    return this.run("patch", request, 200, () => patchObject(this.machinery, request, patch, options));
  }

  delete(request: ResourceRequest, options: DeleteOptions): DeleteResult {
    return this.run("delete", request, 200, () => deleteObject(this.machinery, request, options));
  }

  deleteCollection(request: ResourceRequest, selection: ListRequestOptions, options: DeleteOptions): ListResult {
    return this.run("deletecollection", request, 200, () => deleteCollection(this.machinery, request, selection, options));
  }

  /** Whether the object of a request is there: what tells 200 from 201. */
  exists(request: ResourceRequest): boolean {
    return storedObject(this.machinery, request) !== undefined;
  }

  /** The object of a request without ceremony, for subresources that have been authorized as themselves. */
  peek(request: ResourceRequest): KubeObject | undefined {
    return storedObject(this.machinery, request);
  }

  /** Audit and authorization around a verb; subresources that are more than a verb on an object use it too. */
  run<T>(verb: string, request: ResourceRequest, code: number, act: () => T): T {
    const { definition, user, userAgent, subresource, namespace, name } = request;
    const { group, plural: resource } = definition;
    const event = this.audit.begin({ verb, user, userAgent, group, resource, subresource, namespace, name });
    try {
      authorizeResource({ user, verb, group, resource, subresource, namespace, name });
      const result = act();
      this.audit.complete(event, code);
      return result;
    } catch (error) {
      this.audit.complete(event, error instanceof ApiError ? error.code : 500);
      throw error;
    }
  }
}

function withDefaults(request: ResourceRequest, object: KubeObject): KubeObject {
  return request.definition.defaults?.(object) ?? object;
}

/** What defaults would look at is what is stored, by reference: it has them. */
function isAsStored({ definition }: ResourceRequest, desired: KubeObject, stored: KubeObject | undefined): boolean {
  const { defaultedFields } = definition;
  if (stored === undefined || defaultedFields === undefined) return false;
  for (const name of defaultedFields) if (desired[name] !== stored[name]) return false;
  return true;
}
