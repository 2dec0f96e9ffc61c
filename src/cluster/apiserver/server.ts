// The API server as the rest of the cluster sees it.

import type { Client, ClientFactory, UserInfo } from "#cluster/client/client.ts";
import { Registry } from "#cluster/resources/registry.ts";
import { Store } from "#cluster/storage/store.ts";
import type { FieldReader } from "#cluster/storage/watch-hub.ts";
import type { Simulation } from "#sim/simulation.ts";
import { AdmissionChain } from "./admission/chain.ts";
import { ServiceAllocators } from "./allocation/service-allocators.ts";
import { AuditLog } from "./audit.ts";
import { bootstrapObjects } from "./bootstrap.ts";
import { InProcessClient } from "./client.ts";
import type { KubeletGateway } from "./kubelet-gateway.ts";
import type { Machinery } from "./machinery.ts";
import { Pipeline } from "./pipeline.ts";
import { fieldReader } from "./selection.ts";

export interface ApiServerOptions {
  readonly simulation: Simulation;
  /** May be set later; requests that need a kubelet fail until then. */
  readonly gateway?: KubeletGateway;
  /** Addresses of Services; default 10.96.0.0/12. */
  readonly serviceCidr?: string;
}

export class ApiServer implements ClientFactory {
  readonly store: Store;
  readonly registry: Registry;
  readonly audit: AuditLog;
  readonly pipeline: Pipeline;
  readonly openWatches = new Set<() => void>();
  gateway: KubeletGateway | undefined;
  #running = false;

  constructor(options: ApiServerOptions) {
    const { simulation } = options;
    this.gateway = options.gateway;
    this.store = new Store(simulation);
    this.registry = new Registry();
    this.audit = new AuditLog(simulation);
    const machinery: Machinery = {
      simulation,
      store: this.store,
      registry: this.registry,
      admission: new AdmissionChain([]),
      allocators: new ServiceAllocators(),
    };
    this.pipeline = new Pipeline(machinery, this.audit);
    for (const definition of this.registry.all) this.#index(machinery, definition);
  }

  get running(): boolean {
    return this.#running;
  }

  /** Begins to answer. The store survives a stop. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    bootstrapObjects(
      this.clientFor({ name: "system:apiserver", groups: ["system:masters", "system:authenticated"] }, "kube-apiserver"),
    );
  }

  /** Ends all watches; clients get ApiUnreachable until the next start. */
  stop(): void {
    this.#running = false;
    for (const close of [...this.openWatches]) close();
  }

  clientFor(user: UserInfo, userAgent: string): Client {
    return new InProcessClient(this, user, userAgent);
  }

  #index(machinery: Machinery, definition: (typeof this.registry.all)[number]): void {
    const read = fieldReader(definition);
    const readers = new Map<string, FieldReader>();
    for (const name of ["metadata.name", "metadata.namespace", ...(definition.indexedFields ?? [])]) {
      readers.set(name, (object) => read(object, name));
    }
    machinery.store.watches.indexBy(machinery.store.table(this.registry.storageOf(definition)), readers);
  }
}
