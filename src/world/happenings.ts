// What a world tells of itself to whoever keeps its history, and what of it may be read. Listening and reading change nothing in it.

import type { KubeObject } from "#cluster/api/objects.ts";
import type { AuditEvent } from "#cluster/apiserver/audit.ts";
import type { SeenConnection } from "#cluster/network/namespace-stack.ts";
import type { RuntimeAct } from "#cluster/node/runtime/cri.ts";
import type { SchedulingDecision } from "#cluster/scheduler/trace.ts";
import type { StoreEvent } from "#cluster/storage/events.ts";
import type { Listeners } from "#sim/listeners.ts";

/** A request with its verdicts: the binding that allowed it, the plugins that admitted it, the answer's code. */
export type RecordedRequest = AuditEvent;
/** An object before and after a write. Objects are immutable: references may be kept. */
export type RecordedWrite = StoreEvent;

/** A world as it goes on. From its first moment on, so that nothing is missed. */
export interface Happenings {
  readonly simulation: { readonly nowMs: number };
  /** Every write to the cluster, with the table's name: `pods`, `deployments.apps`. */
  readonly onWrite: Listeners<RecordedWrite, string>;
  /** The request that is being served just now; undefined while the server does something by itself. */
  readonly servedRequest: RecordedRequest | undefined;
  /** Every request that was refused, with the error. */
  readonly onRefused: Listeners<RecordedRequest, unknown>;
  readonly onDecision: Listeners<SchedulingDecision>;
  /** What a node's runtime has just done, with the node's name. */
  readonly onRuntimeAct: Listeners<string, RuntimeAct>;
  readonly onConnection: Listeners<SeenConnection>;
  isPodAddress(address: string): boolean;
  readonly nodeAddresses: readonly string[];
}

/** One kind, in the version that kubectl shows. */
export interface StoredKind {
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  /** A stored object as the server sends it. */
  wire(stored: KubeObject): KubeObject;
  /** Columns and cells as `kubectl get -o wide` shows them. */
  columns(stored: KubeObject, nowMs: number): readonly { readonly name: string; readonly value: string }[];
}

/** What the cluster holds now, read without a request. Its code comes late (`stored-objects.ts`). */
export interface StoredObjects {
  readonly nowMs: number;
  /** Names of all tables. */
  readonly resources: readonly string[];
  /** `key`: as `keyOf` makes it. */
  get(resource: string, key: string): KubeObject | undefined;
  /** In the order of their keys. */
  list(resource: string): readonly KubeObject[];
  /** Undefined for a table whose kind is not served. */
  kindOf(resource: string): StoredKind | undefined;
  /** The table of a kind; "" for a kind that is not served. */
  resourceOf(apiVersion: string, kind: string): string;
  /** Why a request was allowed, in the authorizer's words; "" where it says nothing. */
  reasonOf(request: RecordedRequest): string;
}
