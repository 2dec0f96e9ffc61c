// What the stages of the pipeline share: the world's clock, the store, the kinds, and the parts that hold state of their own.

import type { KubeObject } from "#cluster/api/objects.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Registry } from "#cluster/resources/registry.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { AdmissionChain } from "./admission/chain.ts";
import type { ServiceAllocators } from "./allocation/service-allocators.ts";

export interface Machinery {
  readonly simulation: Simulation;
  readonly store: Store;
  readonly registry: Registry;
  readonly admission: AdmissionChain;
  readonly allocators: ServiceAllocators;
}

/** One request for a resource, after authentication, however it came in. */
export interface ResourceRequest {
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  /** "" for cluster-scoped kinds, and for lists over all namespaces. */
  readonly namespace: string;
  /** "" for collections. */
  readonly name: string;
  readonly user: UserInfo;
  readonly userAgent: string;
  readonly dryRun: boolean;
  /** Who owns the fields that this write sets, in managedFields. */
  readonly fieldManager: string;
  /** Texts for `Warning` headers, in order; stages add to it. */
  readonly warnings: string[];
}

export function tableOf(machinery: Machinery, definition: ResourceDefinition): Table {
  return machinery.store.table(machinery.registry.storageOf(definition));
}

/** The key of an object in its table. */
export function storageKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

export function storedObject(machinery: Machinery, request: ResourceRequest): KubeObject | undefined {
  return tableOf(machinery, request.definition).get(storageKey(request.namespace, request.name));
}
