// What describes a kind: a generator that may look up what belongs to the object, and returns the finished text.

import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Sys } from "#sim/program.ts";

/** Read access to the cluster for descriptions. Throws ApiError. */
export interface Lookup {
  readonly nowMs: number;
  list(
    resource: { readonly group: string; readonly version: string; readonly plural: string },
    where: LookupOptions,
  ): Sys<readonly KubeObject[]>;
  /** Undefined when there is none. */
  get(
    resource: { readonly group: string; readonly version: string; readonly plural: string },
    namespace: string,
    name: string,
  ): Sys<KubeObject | undefined>;
  /** Events about an object; empty with --show-events=false, and then `showEvents` is false. */
  events(about: EventSubject): Sys<readonly CoreV1Event[]>;
  readonly showEvents: boolean;
}

export interface LookupOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface EventSubject {
  readonly name: string;
  readonly namespace: string;
  /** "" does not ask for the kind. */
  readonly kind: string;
  readonly uid: string;
}

export type Describer<T> = (object: T, lookup: Lookup) => Sys<string>;
