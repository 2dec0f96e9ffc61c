// The aggregator's objects: an APIService for each group version that is served here, made and unmade by itself, and the truth
// about those that name another server (kube-aggregator, pkg/controllers).

import type { APIService, APIServiceCondition } from "#cluster/api/generated/types.ts";
import { apiServices } from "#cluster/api/kinds.ts";
import type { KubeObject, Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Client } from "#cluster/client/client.ts";
import { availability } from "#cluster/resources/apiregistration/apiservices.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Simulation } from "#sim/simulation.ts";
import { lateRequests } from "../late-requests.ts";
import { attemptWrite } from "../own-writes.ts";
import { builtInPriority, customPriority, type Priority } from "./priorities.ts";
import { type Finding, RemoteChecks } from "./remote-checks.ts";
import type { RemoteVersion } from "./remote-discovery.ts";
import type { RemoteServers } from "./remote-servers.ts";

type Registered = Stored<APIService>;

const managedLabel = "kube-aggregator.kubernetes.io/automanaged";
const local = { status: "True", reason: "Local", message: "Local APIServices are always available" };

export interface AggregationOptions {
  readonly simulation: Simulation;
  readonly store: Store;
  readonly client: Client;
  readonly servers: RemoteServers;
}

export class ApiServices {
  readonly #options: AggregationOptions;
  readonly #table: Table;
  /** Group versions of custom resources, with how many kinds each has. */
  readonly #custom = new Map<string, number>();
  #subscription: { stop(): void } | undefined;
  readonly #remote: RemoteChecks;

  constructor(options: AggregationOptions) {
    this.#options = options;
    this.#table = options.store.table("apiservices.apiregistration.k8s.io");
    const { simulation, store, servers } = options;
    const tell = (registered: Registered, finding: Finding): void => this.#tell(registered, finding);
    this.#remote = new RemoteChecks({ simulation, store, servers, find: (name) => this.#get(name), tell });
  }

  /** `definitions`: what is served. What was registered by an earlier start, and is not served any more, goes. */
  start(definitions: readonly ResourceDefinition[]): void {
    const seen = new Set<string>();
    for (const { group, version, schemaType } of definitions) {
      const name = `${version}.${group}`;
      const priority = builtInPriority(group, version);
      if (schemaType === undefined || priority === undefined || seen.has(name)) continue;
      seen.add(name);
      this.#register(group, version, priority, "onstart");
    }
    for (const { metadata } of this.#table.list("") as readonly KubeObject[] as readonly Registered[])
      if (metadata.labels?.[managedLabel] === "onstart" && !seen.has(metadata.name)) this.#delete(metadata.name);
    this.#subscription = this.#options.store.watches.subscribe({
      table: this.#table,
      interest: undefined,
      onStart: () => this.#checkAll(),
      onEvent: ({ object, deleted }) => {
        if (deleted) {
          this.#remote.forget(object.metadata.name ?? "");
          this.#restore(object as KubeObject as Registered);
        } else this.#check(object as KubeObject as Registered);
      },
    });
  }

  stop(): void {
    this.#subscription?.stop();
    this.#remote.stop();
  }

  /** A custom kind is served from now on. */
  serve({ group, version }: ResourceDefinition): void {
    const name = `${version}.${group}`;
    const count = this.#custom.get(name) ?? 0;
    this.#custom.set(name, count + 1);
    if (count === 0) this.#register(group, version, customPriority, "true");
  }

  unserve({ group, version }: ResourceDefinition): void {
    const name = `${version}.${group}`;
    const count = (this.#custom.get(name) ?? 1) - 1;
    if (count > 0) {
      this.#custom.set(name, count);
      return;
    }
    this.#custom.delete(name);
    // A definition that changes is unserved and served again within the same instant.
    this.#options.simulation.after(0, () => {
      const registered = this.#get(name);
      if (this.#custom.has(name) || registered?.metadata.labels?.[managedLabel] !== "true") return;
      this.#delete(name);
    });
  }

  /** The remote APIService of a group version, if one answers for it. */
  remoteOf(group: string, version: string): Registered | undefined {
    if (this.#table.size === 0) return undefined;
    const registered = this.#get(`${version}.${group}`);
    return registered?.spec?.service === undefined ? undefined : registered;
  }

  /** Remote group versions, the most important first: discovery lists them whether they answer or not. */
  get remotes(): readonly RemoteVersion[] {
    if (this.#table.size === 0) return [];
    const all = this.#table.list("") as readonly KubeObject[] as readonly Registered[];
    return lateRequests.code.remoteVersions(all, (name) => this.#remote.knownOf(name));
  }

  #get(name: string): Registered | undefined {
    return this.#table.get(name) as KubeObject | undefined as Registered | undefined;
  }

  #register(group: string, version: string, priority: Priority, managed: "onstart" | "true"): void {
    const name = `${version}.${group}`;
    if (this.#get(name) !== undefined) return;
    attemptWrite(this.#options.simulation, () =>
      this.#options.client.create(apiServices, {
        metadata: { name, labels: { [managedLabel]: managed } },
        spec: {
          ...(group === "" ? {} : { group }),
          version,
          groupPriorityMinimum: priority.group,
          versionPriority: priority.version,
        },
      }),
    );
  }

  #delete(name: string): void {
    attemptWrite(this.#options.simulation, () => this.#options.client.delete(apiServices, { namespace: "", name }));
  }

  /** What is served here is registered here. */
  #restore({ metadata, spec }: Registered): void {
    const { group = "", version = "" } = spec ?? {};
    if (this.#custom.has(metadata.name)) this.#register(group, version, customPriority, "true");
  }

  #checkAll(): void {
    for (const registered of this.#table.list("")) this.#check(registered as KubeObject as Registered);
  }

  #check(registered: Registered): void {
    if (registered.metadata.deletionTimestamp !== undefined) return;
    const { service } = registered.spec ?? {};
    if (service !== undefined) {
      this.#remote.check(registered);
      return;
    }
    this.#remote.forget(registered.metadata.name);
    this.#tell(registered, local);
  }

  #tell(registered: Registered, wanted: Finding): void {
    const former = availability(registered);
    if (former?.status === wanted.status && former.reason === wanted.reason && former.message === wanted.message) return;
    const time = formatTime(this.#options.simulation.nowMs);
    const lastTransitionTime = former?.status === wanted.status ? (former.lastTransitionTime ?? time) : time;
    const condition: APIServiceCondition = { type: "Available", ...wanted, lastTransitionTime };
    const others = (registered.status?.conditions ?? []).filter(({ type }) => type !== "Available");
    attemptWrite(this.#options.simulation, () =>
      this.#options.client.updateStatus(apiServices, { ...registered, status: { conditions: [...others, condition] } }),
    );
  }
}
