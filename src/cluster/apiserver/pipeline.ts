// The way of every request for a resource, in process or over HTTP, after it is known who asks for what: audit,
// authorization, then the verb (defaulting, admission, validation, storage are the verbs' business).

import { ApiError } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import type { DeleteOptions } from "#cluster/client/client.ts";
import { AnsweredLater } from "./answered-later.ts";
import type { AuditLog } from "./audit.ts";
import { type Machinery, storedObject } from "./machinery.ts";
import { requireName, withUniqueOwners } from "./object-metadata.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { answerReview } from "./reviews.ts";
import { asRefusal } from "./unexpected.ts";
import { createObject } from "./verbs/create.ts";
import { type DeleteResult, deleteObject } from "./verbs/delete.ts";
import { deleteCollection } from "./verbs/delete-collection.ts";
import { type ListRequestOptions, type ListResult, listObjects } from "./verbs/list.ts";
import { type PatchOptions, patchObject } from "./verbs/patch.ts";
import { getObject } from "./verbs/read.ts";
import { updateObject } from "./verbs/update.ts";
import { type ApiWatch, type ApiWatchEvent, type WatchRequestOptions, watchObjects } from "./verbs/watch.ts";

/** What a client sends; over HTTP it is read only once the request is allowed. */
export type Body<T> = T | (() => T);

export function readBody<T extends object | string | number | boolean | null>(body: Body<T>): T {
  return typeof body === "function" ? body() : body;
}

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
    return this.run("list", request, 200, () => listObjects(this.machinery, request, options), options.fieldSelector);
  }

  watch(request: ResourceRequest, options: WatchRequestOptions, onEvent: (event: ApiWatchEvent) => void): ApiWatch {
    return this.run("watch", request, 200, () => watchObjects(this.machinery, request, options, onEvent), options.fieldSelector);
  }

  create(request: ResourceRequest, body: Body<KubeObject>): KubeObject {
    return this.run("create", request, 201, () => {
      const draft = readBody(body);
      if (request.definition.isReview === true) return answerReview(this.machinery, request, draft);
      return createObject(this.machinery, request, withDefaults(request, draft));
    });
  }

  update(request: ResourceRequest, body: Body<KubeObject>): KubeObject {
    return this.run("update", request, 200, () => {
      const desired = readBody(body);
      requireName(desired, request.name);
      const unique = withUniqueOwners(desired, request.warnings);
      const isDefaulted = isAsStored(request, unique, this.peek(request));
      return updateObject(this.machinery, request, isDefaulted ? unique : withDefaults(request, unique));
    });
  }

  patch(request: ResourceRequest, body: Body<JsonValue>, options: PatchOptions): KubeObject {
    return this.run("patch", request, 200, () => patchObject(this.machinery, request, readBody(body), options));
  }

  delete(request: ResourceRequest, options: DeleteOptions): DeleteResult {
    return this.run("delete", request, 200, () => deleteObject(this.machinery, request, options));
  }

  deleteCollection(request: ResourceRequest, selection: ListRequestOptions, options: DeleteOptions): ListResult {
    const act = (): ListResult => deleteCollection(this.machinery, request, selection, options);
    return this.run("deletecollection", request, 200, act, selection.fieldSelector);
  }

  /** Whether the object of a request is there: what tells 200 from 201. */
  exists(request: ResourceRequest): boolean {
    return storedObject(this.machinery, request) !== undefined;
  }

  /** The object of a request without ceremony, for subresources that have been authorized as themselves. */
  peek(request: ResourceRequest): KubeObject | undefined {
    return storedObject(this.machinery, request);
  }

  /**
   * Audit and authorization around a verb; subresources that are more than a verb on an object use it too. A field selector
   * can narrow what a list is about to what the user may see.
   */
  run<T>(verb: string, request: ResourceRequest, code: number, act: () => T, fieldSelector?: string): T {
    const { definition, user, userAgent, subresource, namespace, name } = request;
    const { group, plural: resource } = definition;
    const outer = this.audit.current;
    const event = this.audit.begin({ verb, user, userAgent, group, resource, subresource, namespace, name });
    this.audit.current = event;
    try {
      const attributes = { user, verb, group, resource, subresource, namespace, name, fieldSelector };
      event.allowedBy = this.machinery.authorizer.requireResource(attributes);
      // Reviews and watches do without: the one is answered from memory, the other waits for what comes.
      if (!this.machinery.etcd.isReachable && verb !== "watch" && definition.isReview !== true)
        throw storeUnreachable(this.machinery.etcd.failure);
      const result = act();
      if (name === "" && verb === "create") event.objectName = nameIn(result);
      this.audit.complete(event, code);
      return result;
    } catch (thrown) {
      const error = asRefusal(this.machinery.simulation, `${verb} ${resource} ${namespace}/${name}`, thrown);
      if (error instanceof AnsweredLater && !error.wait.isRefusedMeanwhile) this.audit.forget(event);
      else {
        this.audit.complete(event, error instanceof ApiError ? error.code : 500);
        this.audit.onRefused.tell(event, error);
      }
      throw error;
    } finally {
      this.audit.current = outer;
    }
  }
}

/** What etcd's client says, as a Status of an error that is none of the API's (ErrorToAPIStatus). */
function storeUnreachable(message: string): ApiError {
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    code: 500,
  });
}

/** The name that an object was given. */
function nameIn(created: unknown): string {
  return (created as Partial<KubeObject> | undefined)?.metadata?.name ?? "";
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
