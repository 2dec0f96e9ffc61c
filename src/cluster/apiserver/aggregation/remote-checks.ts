// Whether the API servers behind APIServices answer, and what they serve: looked at when an APIService, its Service or its
// endpoints change, every 30 s besides, and after a failure sooner, less and less often (kube-aggregator's
// pkg/controllers/status/remote and handler_discovery.go). Of five requests at a time, as upstream makes them, here is one.

import type { APIService, APIServiceCondition, EndpointSlice, Service } from "#cluster/api/generated/types.ts";
import type { JsonValue, KubeObject, Stored } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import type { Store } from "#cluster/storage/store.ts";
import { noBytes } from "#sim/bytes.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { readText } from "../exchange-text.ts";
import type { RemoteServers } from "./remote-servers.ts";

type Fields = { readonly [field: string]: JsonValue };
type Registered = Stored<APIService>;
export type Finding = Omit<APIServiceCondition, "type">;

const resyncMs = 30_000;
const firstRetryMs = 5;
const timeoutMs = 5000;
const serviceLabel = "kubernetes.io/service-name";
const passed: Finding = { status: "True", reason: "Passed", message: "all checks passed" };
const self = { name: "system:kube-aggregator", groups: ["system:masters"] };

interface Remote {
  timer: Timer | undefined;
  /** Failures since the last success. */
  failures: number;
  isAsking: boolean;
  /** Something changed while an answer was outstanding. */
  isDirty: boolean;
  /** What it said last that it serves: entries of an APIResourceList. */
  resources: readonly Fields[] | undefined;
  isFresh: boolean;
}

export interface RemoteChecksOptions {
  readonly simulation: Simulation;
  readonly store: Store;
  readonly servers: RemoteServers;
  /** The APIService as it is now. */
  readonly find: (name: string) => Registered | undefined;
  readonly tell: (registered: Registered, finding: Finding) => void;
}

export class RemoteChecks {
  readonly #options: RemoteChecksOptions;
  readonly #remotes = new Map<string, Remote>();
  #subscriptions: readonly { stop(): void }[] = [];

  constructor(options: RemoteChecksOptions) {
    this.#options = options;
  }

  stop(): void {
    for (const name of [...this.#remotes.keys()]) this.forget(name);
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#subscriptions = [];
  }

  /** The APIService is gone, or is served here now. */
  forget(name: string): void {
    this.#options.simulation.cancel(this.#remotes.get(name)?.timer);
    this.#remotes.delete(name);
  }

  /** What the last answer said that is served, and whether the server answered when it was asked last. */
  knownOf(name: string): Pick<Remote, "resources" | "isFresh"> | undefined {
    return this.#remotes.get(name);
  }

  check(registered: Registered): void {
    const { name } = registered.metadata;
    const remote = this.#remotes.get(name) ?? newRemote();
    this.#remotes.set(name, remote);
    if (this.#subscriptions.length === 0) this.#subscribe();
    if (remote.isAsking) {
      remote.isDirty = true;
      return;
    }
    const missing = this.#missing(registered);
    if (missing === undefined) this.#ask(registered, remote);
    else this.#found(registered, remote, missing, undefined);
  }

  /** Services and endpoints come and go: those that APIServices name are looked at. */
  #subscribe(): void {
    const { store } = this.#options;
    const watch = (resource: string, serviceOf: (object: KubeObject) => string): { stop(): void } =>
      store.watches.subscribe({
        table: store.table(resource),
        interest: undefined,
        onStart: () => undefined,
        onEvent: ({ object }) => this.#changed(object.metadata.namespace ?? "", serviceOf(object)),
      });
    this.#subscriptions = [
      watch("services", ({ metadata }) => metadata.name ?? ""),
      watch("endpointslices.discovery.k8s.io", ({ metadata }) => metadata.labels?.[serviceLabel] ?? ""),
    ];
  }

  #changed(namespace: string, service: string): void {
    for (const name of [...this.#remotes.keys()]) {
      const registered = this.#options.find(name);
      const named = registered?.spec?.service;
      if (registered !== undefined && named?.namespace === namespace && named.name === service) this.check(registered);
    }
  }

  /** What is not there that a request would need. */
  #missing({ spec }: Registered): Finding | undefined {
    const { namespace = "", name = "", port = 443 } = spec?.service ?? {};
    const no = (reason: string, message: string): Finding => ({ status: "False", reason, message });
    const where = `service/${name} in ${JSON.stringify(namespace)}`;
    const { store } = this.#options;
    const service = store.table("services").get(`${namespace}/${name}`) as Service | undefined;
    if (service === undefined) return no("ServiceNotFound", `${where} is not present`);
    if ((service.spec?.type ?? "ClusterIP") !== "ClusterIP") return undefined;
    const found = service.spec?.ports?.find((one) => one.port === port);
    if (found === undefined) return no("ServicePortError", `${where} is not listening on port ${port}`);
    const all = store.table("endpointslices.discovery.k8s.io").list(namespace) as readonly KubeObject[];
    const slices = all.filter(({ metadata }) => metadata.labels?.[serviceLabel] === name);
    if (slices.length === 0) return no("EndpointsNotFound", `cannot find endpointslices for ${where}`);
    const portName = found.name ?? "";
    if (slices.some((slice) => isReady(slice as KubeObject & EndpointSlice, portName))) return undefined;
    return no("MissingEndpoints", `endpointslices for ${where} have no addresses with port name ${JSON.stringify(portName)}`);
  }

  #ask(registered: Registered, remote: Remote): void {
    const { servers } = this.#options;
    const spec = registered.spec ?? { groupPriorityMinimum: 0, versionPriority: 0 };
    const target = servers.locate(spec);
    if (typeof target === "string") {
      this.#found(registered, remote, failed(target), undefined);
      return;
    }
    remote.isAsking = true;
    const path = `/apis/${spec.group ?? ""}/${spec.version ?? ""}`;
    const url = `https://${target.address}:${target.port}${path}`;
    const headers = { accept: "application/json", "user-agent": "Go-http-client/1.1" };
    const end = (finding: Finding, resources: readonly Fields[] | undefined): void => {
      // Stopped, or unregistered, meanwhile.
      if (this.#remotes.get(registered.metadata.name) !== remote) return;
      remote.isAsking = false;
      const present = this.#options.find(registered.metadata.name);
      if (present === undefined) this.forget(registered.metadata.name);
      else this.#found(present, remote, finding, resources);
    };
    const fail = (cause: string): void => end(failed(`failing or missing response from ${url}: ${cause}`), undefined);
    const request = { method: "GET", target: path, headers, body: noBytes };
    servers.send({ spec, target, user: self, request, timeoutMs }, (result) => {
      if ("failure" in result) fail(`Get ${JSON.stringify(url)}: ${result.failure}`);
      else if (result.exchange.status < 200 || result.exchange.status >= 300) {
        fail(`bad status from ${url}: ${result.exchange.status}`);
      } else readText(result.exchange, (text) => end(passed, resourcesIn(text)));
    });
  }

  #found(registered: Registered, remote: Remote, finding: Finding, resources: readonly Fields[] | undefined): void {
    const { simulation, tell, find } = this.#options;
    const { name } = registered.metadata;
    const isGood = finding.status === "True";
    remote.isFresh = resources !== undefined;
    remote.resources = resources ?? remote.resources;
    const delayMs = isGood ? resyncMs : Math.min(resyncMs, firstRetryMs * 2 ** remote.failures);
    remote.failures = isGood ? 0 : remote.failures + 1;
    tell(registered, finding);
    const again = (): void => {
      const present = find(name);
      if (present !== undefined) this.check(present);
    };
    simulation.cancel(remote.timer);
    remote.timer = simulation.after(remote.isDirty ? 0 : delayMs, again, { background: true });
    remote.isDirty = false;
  }
}

function newRemote(): Remote {
  return { timer: undefined, failures: 0, isAsking: false, isDirty: false, resources: undefined, isFresh: false };
}

function failed(message: string): Finding {
  return { status: "False", reason: "FailedDiscoveryCheck", message };
}

/** Undefined for what is no list of resources. */
function resourcesIn(text: string): readonly Fields[] | undefined {
  try {
    const list = JSON.parse(text) as JsonValue;
    const resources = isObject(list) ? list["resources"] : undefined;
    return Array.isArray(resources) ? resources.filter(isObject) : undefined;
  } catch {
    return undefined;
  }
}

function isReady({ endpoints = [], ports = [] }: EndpointSlice, portName: string): boolean {
  return (
    (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false) &&
    (ports ?? []).some(({ name = "", port }) => name === portName && port !== undefined)
  );
}
