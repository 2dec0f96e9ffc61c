// The client that controllers, scheduler and kubelets hold: the same pipeline as over HTTP, without encoding.

import { ApiUnreachable, notFound } from "#cluster/api/errors.ts";
import {
  type Draft,
  groupVersionOf,
  type JsonValue,
  type KubeObject,
  type ListMeta,
  type ObjectKey,
  qualifiedResource,
  type ResourceType,
  type Stored,
} from "#cluster/api/objects.ts";
import type {
  Answer,
  Client,
  ClientWire,
  DeleteOptions,
  ListOptions,
  PatchType,
  Question,
  UserInfo,
  Watch,
  WatchHandler,
  WatchOptions,
  WriteOptions,
} from "#cluster/client/client.ts";
import { compareVersions } from "#cluster/resources/apiextensions/versions.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Pipeline } from "./pipeline.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { createSubresource } from "./subresources/create.ts";
import type { ApiWatchEvent } from "./verbs/watch.ts";

/** What a client needs of its server. */
export interface ClientHost {
  readonly pipeline: Pipeline;
  readonly running: boolean;
  /** Watches that are open, so that the server can end them when it stops. */
  readonly openWatches: Map<() => void, ResourceDefinition>;
  ask(asker: Asker, question: Question, done: (answer: Answer) => void): void;
}

export interface Asker {
  readonly user: UserInfo;
  readonly userAgent: string;
}

export class InProcessClient implements Client {
  readonly #host: ClientHost;
  readonly #user: UserInfo;
  readonly #userAgent: string;
  readonly #fieldManager: string;
  readonly #wire: ClientWire | undefined;

  constructor(host: ClientHost, user: UserInfo, userAgent: string, wire?: ClientWire) {
    this.#wire = wire;
    this.#host = host;
    this.#user = user;
    this.#userAgent = userAgent;
    this.#fieldManager = userAgent.split("/")[0] ?? "";
  }

  serves({ group, version, plural }: ResourceType<unknown>): boolean {
    return this.#host.pipeline.machinery.registry.find(group, version, plural) !== undefined;
  }

  customTypes(): readonly ResourceType<unknown>[] {
    const best = new Map<string, ResourceDefinition>();
    for (const definition of this.#host.pipeline.machinery.registry.all) {
      if (definition.schemaType !== undefined) continue;
      const name = qualifiedResource(definition);
      const known = best.get(name);
      if (known === undefined || compareVersions(definition.version, known.version) < 0) best.set(name, definition);
    }
    return [...best.values()];
  }

  get<T>(resource: ResourceType<T>, key: ObjectKey): Stored<T> {
    return this.#typed<T>(this.#pipeline.get(this.#request(resource, key)));
  }

  list<T>(
    resource: ResourceType<T>,
    options: ListOptions = {},
  ): { readonly metadata: ListMeta; readonly items: readonly Stored<T>[] } {
    const request = this.#request(resource, { namespace: options.namespace ?? "", name: "" });
    const { metadata, items } = this.#pipeline.list(request, options);
    return { metadata, items: items as readonly KubeObject[] as readonly Stored<T>[] };
  }

  watch<T>(resource: ResourceType<T>, options: WatchOptions, handler: WatchHandler<Stored<T>>): Watch {
    const request = this.#request(resource, { namespace: options.namespace ?? "", name: "" });
    const { openWatches } = this.#host;
    let stopHearing = (): void => {};
    const forget = (): void => {
      openWatches.delete(close);
      stopHearing();
    };
    const end = (): void => {
      forget();
      watch.stop();
    };
    const close = (): void => {
      end();
      handler.onClose();
    };
    const watch = this.#pipeline.watch(request, options, (event) => {
      if (event.type === "ERROR") forget();
      deliver(event, resource, handler);
    });
    openWatches.set(close, request.definition);
    if (this.#wire !== undefined) stopHearing = this.#wire.onCut.add(close);
    return { stop: end };
  }

  create<T>(resource: ResourceType<T>, object: Draft<T>, options: WriteOptions = {}): Stored<T> {
    const draft = object as { readonly metadata?: KubeObject["metadata"] };
    const metadata = draft.metadata ?? {};
    const key = { namespace: metadata.namespace ?? "", name: "" };
    const complete: KubeObject = { ...draft, apiVersion: groupVersionOf(resource), kind: resource.kind, metadata };
    return this.#typed<T>(this.#pipeline.create(this.#request(resource, key, options), complete));
  }

  createSubresource<T, S>(
    resource: ResourceType<T>,
    key: ObjectKey,
    subresource: NonNullable<WriteOptions["subresource"]>,
    body: S,
  ): JsonValue {
    return createSubresource(this.#pipeline, this.#request(resource, key, { subresource }), body as JsonValue);
  }

  update<T>(resource: ResourceType<T>, object: Stored<T>, options: WriteOptions = {}): Stored<T> {
    const { namespace = "", name } = object.metadata;
    const desired: KubeObject = { ...object };
    return this.#typed<T>(this.#pipeline.update(this.#request(resource, { namespace, name }, options), desired));
  }

  updateStatus<T>(resource: ResourceType<T>, object: Stored<T>): Stored<T> {
    return this.update(resource, object, { subresource: "status" });
  }

  patchStatus<T>(resource: ResourceType<T>, object: Stored<T>): Stored<T> {
    const { namespace = "", name } = object.metadata;
    const request = this.#request(resource, { namespace, name }, { subresource: "status" });
    return this.#typed<T>(this.#pipeline.patchTo(request, { ...object }));
  }

  patch<T>(
    resource: ResourceType<T>,
    key: ObjectKey,
    type: PatchType,
    patch: JsonValue,
    options: WriteOptions & { readonly force?: boolean } = {},
  ): Stored<T> {
    const patchOptions = { type, fieldValidation: "Ignore", force: options.force === true } as const;
    return this.#typed<T>(this.#pipeline.patch(this.#request(resource, key, options), patch, patchOptions));
  }

  delete<T>(resource: ResourceType<T>, key: ObjectKey, options: DeleteOptions = {}): Stored<T> {
    const request = this.#request(resource, key, { dryRun: options.dryRun === true });
    return this.#typed<T>(this.#pipeline.delete(request, options).object);
  }

  deleteCollection<T>(resource: ResourceType<T>, options: ListOptions & DeleteOptions): void {
    const key = { namespace: options.namespace ?? "", name: "" };
    const { resourceVersion: _precondition, ...selection } = options;
    const request = this.#request(resource, key, { dryRun: options.dryRun === true });
    this.#pipeline.deleteCollection(request, selection, options);
  }

  ask(question: Question, done: (answer: Answer) => void): void {
    void this.#pipeline;
    this.#host.ask({ user: this.#user, userAgent: this.#userAgent }, question, done);
  }

  get #pipeline(): Pipeline {
    this.#requireServer();
    return this.#host.pipeline;
  }

  #requireServer(): void {
    if (this.#wire?.isCut === true) throw new ApiUnreachable("no route to host");
    if (!this.#host.running) throw new ApiUnreachable("connection refused");
  }

  #request<T>(resource: ResourceType<T>, key: ObjectKey, options: WriteOptions = {}): ResourceRequest {
    return {
      definition: this.#definition(resource),
      subresource: options.subresource ?? "",
      namespace: key.namespace,
      name: key.name,
      user: this.#user,
      userAgent: this.#userAgent,
      dryRun: options.dryRun === true,
      fieldManager: options.fieldManager ?? this.#fieldManager,
      warnings: [],
      isUnwarned: true,
      clientAddress: this.#wire?.address,
    };
  }

  #definition<T>(resource: ResourceType<T>): ResourceDefinition {
    const { group, version, plural } = resource;
    const definition = this.#host.pipeline.machinery.registry.find(group, version, plural);
    if (definition === undefined) throw notFound({ group, resource: plural }, "");
    return definition;
  }

  /** The registry answers objects of the resource that was asked for. */
  #typed<T>(object: KubeObject): Stored<T> {
    return object as Stored<T>;
  }
}

function deliver<T>(event: ApiWatchEvent, resource: ResourceType<T>, handler: WatchHandler<Stored<T>>): void {
  switch (event.type) {
    case "ERROR":
      handler.onEvent({ type: "ERROR", status: event.status });
      handler.onClose();
      return;
    case "BOOKMARK": {
      const { resourceVersion } = event;
      const bookmark: KubeObject = { apiVersion: groupVersionOf(resource), kind: resource.kind, metadata: { resourceVersion } };
      handler.onEvent({ type: "BOOKMARK", object: bookmark as Stored<T> });
      return;
    }
    default:
      handler.onEvent(event as typeof event & { readonly object: Stored<T> });
  }
}
