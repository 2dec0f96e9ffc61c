// The way of every request for a resource, in process or over HTTP, after it is known who asks for what: audit,
// authorization, then the verb (defaulting, admission, validation, storage are the verbs' business).

import { AnsweredLater } from "#cluster/api/answered-later.ts";
import { ApiError } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import type { DeleteOptions } from "#cluster/client/client.ts";
import type { AuditLog } from "./audit.ts";
import type { AuditedOptions } from "./audit-sink.ts";
import { lateRequests } from "./late-requests.ts";
import { isStored, type Machinery, storedObject } from "./machinery.ts";
import { requireName, withUniqueOwners } from "./object-metadata.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { answerReview } from "./reviews.ts";
import { asRefusal } from "./unexpected.ts";
import { createObject } from "./verbs/create.ts";
import type { DeleteResult } from "./verbs/delete.ts";
import { type ListRequestOptions, type ListResult, listObjects } from "./verbs/list.ts";
import { type PatchOptions, patchObject } from "./verbs/patch.ts";
import { getObject } from "./verbs/read.ts";
import { updateObject } from "./verbs/update.ts";
import { type ApiWatch, type ApiWatchEvent, type WatchRequestOptions, watchObjects } from "./verbs/watch.ts";

/** What a client sends; over HTTP it is read only once the request is allowed. */
export type Body<T> = T | (() => T);

export function readBody<T extends object | string | number | bigint | boolean | null>(body: Body<T>): T {
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
    return this.run("list", request, 200, () => listObjects(this.machinery, request, options), options);
  }

  watch(request: ResourceRequest, options: WatchRequestOptions, onEvent: (event: ApiWatchEvent) => void): ApiWatch {
    if (this.audit.sink === undefined) return this.#watch(request, options, onEvent);
    const watch = this.#watch(request, options, (event) => {
      onEvent(event);
      if (event.type === "ERROR") request.audit?.closed();
    });
    return {
      get resourceVersion() {
        return watch.resourceVersion;
      },
      stop: () => {
        watch.stop();
        request.audit?.closed();
      },
    };
  }

  #watch(request: ResourceRequest, options: WatchRequestOptions, onEvent: (event: ApiWatchEvent) => void): ApiWatch {
    return this.run("watch", request, 200, () => watchObjects(this.machinery, request, options, onEvent), options);
  }

  create(request: ResourceRequest, body: Body<KubeObject>): KubeObject {
    return this.run("create", request, 201, () => {
      const draft = readBody(body);
      const complete = request.definition.isReview === true ? draft : withDefaults(request, draft);
      request.audit?.requested(complete, request.definition);
      if (request.definition.isReview === true) return answerReview(this.machinery, request, draft);
      return createObject(this.machinery, request, complete);
    });
  }

  update(request: ResourceRequest, body: Body<KubeObject>): KubeObject {
    return this.run("update", request, 200, () => {
      const desired = readBody(body);
      requireName(desired, request.name);
      const complete = this.#completeUpdate(request, desired);
      request.audit?.requested(complete, request.definition);
      return updateObject(this.machinery, request, complete);
    });
  }

  /** A patch whose outcome a caller in process has worked out itself. */
  patchTo(request: ResourceRequest, desired: KubeObject): KubeObject {
    return this.run("patch", request, 200, () => {
      const complete = this.#completeUpdate(request, desired);
      request.audit?.requestedChange(this.peek(request), complete);
      return updateObject(this.machinery, request, complete);
    });
  }

  #completeUpdate(request: ResourceRequest, desired: KubeObject): KubeObject {
    const unique = withUniqueOwners(desired, request.warnings);
    return isAsStored(request, unique, this.peek(request)) ? unique : withDefaults(request, unique);
  }

  patch(request: ResourceRequest, body: Body<JsonValue>, options: PatchOptions): KubeObject {
    return this.run("patch", request, 200, () => {
      request.audit?.requestedText(() => readBody(body));
      return patchObject(this.machinery, request, readBody(body), options);
    });
  }

  delete(request: ResourceRequest, options: DeleteOptions): DeleteResult {
    return this.run("delete", request, 200, () => {
      request.audit?.requestedText(() => deleteOptionsBody(options));
      return lateRequests.code.deleteObject(this.machinery, request, options);
    });
  }

  deleteCollection(request: ResourceRequest, selection: ListRequestOptions, options: DeleteOptions): ListResult {
    const act = (): ListResult => {
      request.audit?.requestedText(() => deleteOptionsBody(options));
      return lateRequests.code.deleteCollection(this.machinery, request, selection, options);
    };
    return this.run("deletecollection", request, 200, act, selection);
  }

  /** Whether the object of a request is there: what tells 200 from 201. */
  exists(request: ResourceRequest): boolean {
    return isStored(this.machinery, request);
  }

  /** The object of a request without ceremony, for subresources that have been authorized as themselves. */
  peek(request: ResourceRequest): KubeObject | undefined {
    return storedObject(this.machinery, request);
  }

  /**
   * Audit and authorization around a verb; subresources that are more than a verb on an object use it too. A field selector
   * among the options can narrow what a list is about to what the user may see.
   */
  run<T>(verb: string, request: ResourceRequest, code: number, act: () => T, options: AuditedOptions = noOptions): T {
    const { definition, user, userAgent, subresource, namespace, name } = request;
    const { group, plural: resource } = definition;
    const outer = this.audit.current;
    const event = this.audit.begin({ verb, user, userAgent, group, resource, subresource, namespace, name });
    this.audit.current = event;
    const { sink } = this.audit;
    if (sink !== undefined && request.answers === undefined) request.audit = sink.called(verb, request, options);
    try {
      const { fieldSelector } = options;
      const attributes = { user, verb, group, resource, subresource, namespace, name, fieldSelector };
      event.allowedBy = this.machinery.authorizer.requireResource(attributes);
      request.audit?.allowed(event.allowedBy, definition);
      // Reviews and watches do without: the one is answered from memory, the other waits for what comes.
      if (!this.machinery.etcd.isReachable && verb !== "watch" && definition.isReview !== true)
        throw storeUnreachable(this.machinery.etcd.failure);
      const result = act();
      if (name === "" && verb === "create") event.objectName = nameIn(result);
      this.audit.complete(event, code);
      request.audit?.answered(code, result);
      return result;
    } catch (thrown) {
      const error = asRefusal(this.machinery.simulation, `${verb} ${resource} ${namespace}/${name}`, thrown);
      if (error instanceof AnsweredLater && !error.wait.isRefusedMeanwhile) this.audit.forget(event);
      else {
        this.audit.complete(event, error instanceof ApiError ? error.code : 500);
        request.audit?.refused(error);
        this.audit.onRefused.tell(event, error);
      }
      throw error;
    } finally {
      this.audit.current = outer;
    }
  }
}

const noOptions: AuditedOptions = {};

/** What a client of client-go sends. */
function deleteOptionsBody({ gracePeriodSeconds, propagationPolicy, uid, resourceVersion, dryRun }: DeleteOptions): JsonValue {
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
  };
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
