// How controllers, scheduler and kubelets talk to the API server: in process, without serialisation, through the same
// pipeline as everyone else. All calls are synchronous and throw ApiError (a refusal) or ApiUnreachable (no server).

import type { Draft, JsonValue, ListMeta, ObjectKey, ResourceType, Stored } from "#cluster/api/objects.ts";
import type { Listeners } from "#sim/listeners.ts";

export interface ListOptions {
  /** "" or absent: all namespaces. */
  readonly namespace?: string;
  /** In the grammar of `kubectl -l`. */
  readonly labelSelector?: string;
  /** `spec.nodeName=node-1` */
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
}

export interface WatchOptions extends Omit<ListOptions, "limit" | "continue"> {
  readonly allowBookmarks?: boolean;
}

export type WatchEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK"; readonly object: T }
  | { readonly type: "ERROR"; readonly status: JsonValue };

export interface Watch {
  stop(): void;
}

export interface WatchHandler<T> {
  /** Called later than the write that caused it, at the same virtual time, in resource version order. */
  onEvent(event: WatchEvent<T>): void;
  /** The server ended the watch (it stopped, or the version is too old): list again. */
  onClose(): void;
}

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly subresource?:
    | "status"
    | "scale"
    | "binding"
    | "eviction"
    | "finalize"
    | "token"
    | "approval"
    | "ephemeralcontainers"
    | "resize";
}

export type PatchType = "json" | "merge" | "strategic" | "apply";

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly dryRun?: boolean;
}

export interface Client {
  /** Whether the server has this kind, as its discovery documents say. */
  serves(resource: ResourceType<unknown>): boolean;
  /** The custom kinds that the server has now, each in its best version. */
  customTypes(): readonly ResourceType<unknown>[];
  get<T>(resource: ResourceType<T>, key: ObjectKey): Stored<T>;
  list<T>(resource: ResourceType<T>, options?: ListOptions): { readonly metadata: ListMeta; readonly items: readonly Stored<T>[] };
  watch<T>(resource: ResourceType<T>, options: WatchOptions, handler: WatchHandler<Stored<T>>): Watch;
  create<T>(resource: ResourceType<T>, object: Draft<T>, options?: WriteOptions): Stored<T>;
  /** With a subresource the object is the subresource's (Scale, Binding, Eviction, TokenRequest) where it has one of its own. */
  createSubresource<T, S>(
    resource: ResourceType<T>,
    key: ObjectKey,
    subresource: NonNullable<WriteOptions["subresource"]>,
    body: S,
  ): JsonValue;
  update<T>(resource: ResourceType<T>, object: Stored<T>, options?: WriteOptions): Stored<T>;
  updateStatus<T>(resource: ResourceType<T>, object: Stored<T>): Stored<T>;
  /** A patch of the status that makes it that of the object, which is as it was just read but for that: as kubelets write. */
  patchStatus<T>(resource: ResourceType<T>, object: Stored<T>): Stored<T>;
  patch<T>(
    resource: ResourceType<T>,
    key: ObjectKey,
    type: PatchType,
    patch: JsonValue,
    options?: WriteOptions & { readonly force?: boolean },
  ): Stored<T>;
  /** The object as it is after the call: still there with a deletionTimestamp, or its last state. */
  delete<T>(resource: ResourceType<T>, key: ObjectKey, options?: DeleteOptions): Stored<T>;
  deleteCollection<T>(resource: ResourceType<T>, options: ListOptions & DeleteOptions): void;
  /**
   * A request by path, whichever server answers for it: calls `done` once, at once when the API server has the answer itself, and
   * after a minute at the latest. Throws ApiUnreachable. Comes with clients' programs.
   */
  ask(question: Question, done: (answer: Answer) => void): void;
}

export interface Question {
  readonly method: "GET" | "PUT";
  /** Path and query. */
  readonly target: string;
  readonly body?: JsonValue | undefined;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Undefined for what is no JSON. */
  readonly body: JsonValue | undefined;
}

/** Who makes a request, after authentication. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: { readonly [key: string]: readonly string[] };
}

/** Makes clients for components. `userAgent` is what managedFields and the audit trace name. */
export interface ClientFactory {
  clientFor(user: UserInfo, userAgent: string, wire?: ClientWire): Client;
}

/** What lies between a client's machine and the API server. While it is cut, requests fail, and watches have ended. */
export interface ClientWire {
  /** Of the client's machine, where that is known. */
  readonly address?: string;
  readonly isCut: boolean;
  /** It is cut. */
  readonly onCut: Listeners;
}
