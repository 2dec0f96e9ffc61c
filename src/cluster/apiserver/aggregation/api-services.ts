// The aggregator's objects: an APIService for each group version that is served here, made and unmade by itself, and the truth
// about those that name another server (kube-aggregator, pkg/controllers). Requests are not passed on to other servers yet: an
// APIService with a Service never becomes available.

import { ApiError } from "#cluster/api/errors.ts";
import type { APIService, APIServiceCondition, EndpointSlice, Service } from "#cluster/api/generated/types.ts";
import { apiServices, endpointSlices, services } from "#cluster/api/kinds.ts";
import type { KubeObject, Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Client } from "#cluster/client/client.ts";
import { availability } from "#cluster/resources/apiregistration/apiservices.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { attemptWrite } from "../own-writes.ts";
import { builtInPriority, customPriority, type Priority } from "./priorities.ts";

type Registered = Stored<APIService>;

const managedLabel = "kube-aggregator.kubernetes.io/automanaged";
/** How often remote servers are looked at while there are any. */
const resyncMs = 30_000;
const local = { status: "True", reason: "Local", message: "Local APIServices are always available" };

export interface AggregationOptions {
  readonly simulation: Simulation;
  readonly store: Store;
  readonly client: Client;
}

export class ApiServices {
  readonly #options: AggregationOptions;
  readonly #table: Table;
  /** Group versions of custom resources, with how many kinds each has. */
  readonly #custom = new Map<string, number>();
  #subscription: { stop(): void } | undefined;
  #timer: Timer | undefined;

  constructor(options: AggregationOptions) {
    this.#options = options;
    this.#table = options.store.table("apiservices.apiregistration.k8s.io");
  }

  start(definitions: readonly ResourceDefinition[]): void {
    const seen = new Set<string>();
    for (const { group, version, schemaType } of definitions) {
      const name = `${version}.${group}`;
      const priority = builtInPriority(group, version);
      if (schemaType === undefined || priority === undefined || seen.has(name)) continue;
      seen.add(name);
      this.#register(group, version, priority, "onstart");
    }
    this.#subscription = this.#options.store.watches.subscribe({
      table: this.#table,
      interest: undefined,
      onStart: () => this.#checkAll(),
      onEvent: ({ object, deleted }) => {
        if (deleted) this.#restore(object as KubeObject as Registered);
        else this.#check(object as KubeObject as Registered);
      },
    });
  }

  stop(): void {
    this.#subscription?.stop();
    this.#options.simulation.cancel(this.#timer);
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
      attemptWrite(this.#options.simulation, () => this.#options.client.delete(apiServices, { namespace: "", name }));
    });
  }

  /** The remote APIService of a group version, if one answers for it. */
  remoteOf(group: string, version: string): Registered | undefined {
    if (this.#table.size === 0) return undefined;
    const registered = this.#get(`${version}.${group}`);
    return registered?.spec?.service === undefined ? undefined : registered;
  }

  /** Remote group versions: discovery lists them whether they answer or not. */
  get remotes(): readonly { readonly group: string; readonly version: string }[] {
    const all = this.#table.list("") as readonly KubeObject[] as readonly Registered[];
    return all.flatMap(({ spec }) =>
      spec?.service === undefined ? [] : [{ group: spec.group ?? "", version: spec.version ?? "" }],
    );
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
    if (service === undefined) {
      this.#tell(registered, local);
      return;
    }
    this.#tell(registered, this.#remoteState(service.namespace ?? "", service.name ?? "", service.port ?? 443, registered));
    this.#timer ??= this.#options.simulation.after(
      resyncMs,
      () => {
        this.#timer = undefined;
        this.#checkAll();
      },
      { background: true },
    );
  }

  #remoteState(namespace: string, name: string, port: number, { spec }: Registered): Omit<APIServiceCondition, "type"> {
    const no = (reason: string, message: string) => ({ status: "False", reason, message });
    const where = `service/${name} in ${JSON.stringify(namespace)}`;
    const service = this.#find<Service>(services, namespace, name);
    if (service === undefined) return no("ServiceNotFound", `${where} is not present`);
    if ((service.spec?.type ?? "ClusterIP") === "ClusterIP") {
      const found = service.spec?.ports?.find((one) => one.port === port);
      if (found === undefined) return no("ServicePortError", `${where} is not listening on port ${port}`);
      const slices = this.#options.client.list(endpointSlices, {
        namespace,
        labelSelector: `kubernetes.io/service-name=${name}`,
      }).items;
      if (slices.length === 0) return no("EndpointsNotFound", `cannot find endpointslices for ${where}`);
      const portName = found.name ?? "";
      if (!slices.some((slice) => isReady(slice, portName))) {
        return no("MissingEndpoints", `endpointslices for ${where} have no addresses with port name ${JSON.stringify(portName)}`);
      }
    }
    const address = `https://${service.spec?.clusterIP ?? name}:${port}/apis/${spec?.group ?? ""}/${spec?.version ?? ""}`;
    const cause = `Get ${JSON.stringify(address)}: this cluster does not pass requests on to other API servers`;
    return no("FailedDiscoveryCheck", `failing or missing response from ${address}: ${cause}`);
  }

  #find<T>(type: Parameters<Client["get"]>[0], namespace: string, name: string): Stored<T> | undefined {
    try {
      return this.#options.client.get(type, { namespace, name }) as Stored<T>;
    } catch (error) {
      if (error instanceof ApiError && error.reason === "NotFound") return undefined;
      throw error;
    }
  }

  #tell(registered: Registered, wanted: Omit<APIServiceCondition, "type">): void {
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

function isReady({ endpoints = [], ports = [] }: EndpointSlice, portName: string): boolean {
  return (
    (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false) &&
    (ports ?? []).some(({ name = "", port }) => name === portName && port !== undefined)
  );
}
