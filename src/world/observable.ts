// What can be known of a world from outside: what checks of labs look at. Reading changes nothing; what has to be asked over
// the network is asked by clients that nobody sees, and read as last answered.

import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import { builtInTypes, events as eventType, kindsByPlural, pods } from "#cluster/api/kinds.ts";
import { qualifiedResource, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import { managed } from "#cluster/apiserver/field-management.ts";
import { containerOf } from "#cluster/apiserver/subresources/named-container.ts";
import { type Bytes, concatBytes, decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Program, Sys } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { isNotFound } from "./api-answers.ts";
import { type BrowsedPage, fetchPage } from "./browser.ts";
import type { Cluster } from "./cluster.ts";
import { LastAnswers } from "./last-answers.ts";
import type { Traffic, TrafficCounts } from "./traffic.ts";
import type { UnseenClients } from "./unseen-clients.ts";
import type { CommandRecord, Workstation } from "./workstation.ts";

/** An event as kubectl lists it. */
export interface SeenEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly kind: string;
  readonly name: string;
  /** Of the object: another one may have had its name. */
  readonly uid: string;
  readonly count: number;
}

/** A request that a registry has logged. */
export interface SeenRequest {
  readonly method: string;
  /** `/v2/team-a/app/manifests/v1` */
  readonly path: string;
  readonly status: number;
  /** Name of the node, "workstation", or an address. */
  readonly from: string;
  /** "" for whoever brought no password. */
  readonly user: string;
  readonly timeMs: number;
}

/** What a GET came to. */
export interface SeenPage {
  /** 0 when nobody answered. */
  readonly code: number;
  readonly body: string;
  /** Nobody answered. */
  readonly failed: boolean;
  /** The name that the server's certificate is made out to; "" without TLS. */
  readonly certificate: string;
}

/** A check's request gives up after this. */
const patienceMs = 3000;

export interface ObservableOptions {
  readonly simulation: Simulation;
  readonly cluster: Cluster;
  readonly workstation: Workstation;
  readonly clients: UnseenClients;
  readonly traffic: Traffic;
  /** What was asked over the network has an answer that checks have not seen. */
  readonly onAnswer: () => void;
}

export class WorldObservable {
  readonly #options: ObservableOptions;
  readonly #pages: LastAnswers<SeenPage>;
  readonly #addresses: LastAnswers<readonly string[]>;

  constructor(options: ObservableOptions) {
    this.#options = options;
    this.#pages = new LastAnswers(options.simulation, options.onAnswer);
    this.#addresses = new LastAnswers(options.simulation, options.onAnswer);
  }

  get nowMs(): number {
    return this.#options.simulation.nowMs;
  }

  get history(): readonly CommandRecord[] {
    return this.#options.workstation.history;
  }

  /** Counts of the steady clients, by name. */
  get traffic(): { readonly [name: string]: TrafficCounts } {
    return this.#options.traffic.counts;
  }

  /** None of a custom kind that is not served now. Throws for a plural that no kind has. */
  objects(resource: string, namespace: string | undefined): readonly unknown[] {
    const type = this.#typeOf(resource);
    return type === undefined ? [] : this.#client.list(type, namespace === undefined ? {} : { namespace }).items;
  }

  object(resource: string, namespace: string, name: string): unknown {
    const type = this.#typeOf(resource);
    return type === undefined ? undefined : unlessNotFound(() => this.#client.get(type, { namespace, name }));
  }

  /** `resource`: a plural, of a custom kind with its group (`crontabs.stable.example.com`). */
  #typeOf(resource: string): ResourceType<unknown> | undefined {
    const type = kindsByPlural.get(resource);
    if (type !== undefined) return type;
    const dot = resource.indexOf(".");
    if (dot < 0 || builtInGroups.has(resource.slice(dot + 1))) throw new Error(`there is no resource "${resource}"`);
    return this.#client.customTypes().find((custom) => qualifiedResource(custom) === resource);
  }

  /** Who wrote which fields of an object, as `kubectl get --show-managed-fields` shows it. */
  managers(resource: string, namespace: string, name: string): readonly unknown[] | undefined {
    const type = this.#typeOf(resource);
    const object = type && unlessNotFound(() => this.#client.get(type, { namespace, name }));
    return object === undefined ? undefined : (managed(object).metadata.managedFields ?? []);
  }

  file(path: string): string | undefined {
    return this.#options.workstation.readFile(path);
  }

  events(namespace: string): readonly SeenEvent[] {
    return this.#client.list(eventType, { namespace }).items.map(seenEvent);
  }

  /** What a registry was asked for, oldest first. */
  requests(host: string): readonly SeenRequest[] {
    const { nodes, registry } = this.#options.cluster;
    const names = new Map(nodes.map(({ shape }) => [shape.address, shape.name]));
    return registry.log.entries(host).map(({ method, path, status, from, user, timeMs }) => {
      const place = from === this.#options.workstation.address ? "workstation" : (names.get(from) ?? from);
      return { method, path, status, from: place, user, timeMs };
    });
  }

  /** What the container has written since its last start; "" as its name means the only one. Throws ApiError where there is no log. */
  logs(namespace: string, name: string, container: string): string | undefined {
    const pod = unlessNotFound(() => this.#client.get(pods, { namespace, name }));
    if (pod === undefined) return undefined;
    const parts: Bytes[] = [];
    const sink = { onData: (bytes: Bytes) => void parts.push(bytes), onEnd: () => {} };
    const options = {
      container: containerOf(pod, container, name),
      follow: false,
      previous: false,
      timestamps: false,
      tailLines: undefined,
      sinceMs: undefined,
      limitBytes: undefined,
    };
    this.#options.cluster.kubelets.logs(pod.spec?.nodeName ?? "", { namespace, name }, options, sink);
    return decodeUtf8(concatBytes(parts));
  }

  /**
   * The last answer to a GET from a place (see `UnseenClients.start`); undefined while there is none. `host`: whom it asks for there, by
   * whatever certificate.
   */
  http(from: string, url: string, host?: string): SeenPage | undefined {
    return this.#pages.read(`${from} ${url} ${host ?? ""}`, (done) => {
      const manner = { timeoutMs: patienceMs, userAgent: "lab-check", follows: false, host };
      const get = fetchPage(url, (page) => done(seenPage(page)), manner);
      if (!this.#options.clients.start(from, get)) done(nobody);
    });
  }

  /** IPv4 addresses that a Pod of the namespace finds for a name, none when it finds none; undefined while not known. */
  dns(namespace: string, name: string): readonly string[] | undefined {
    return this.#addresses.read(`${namespace} ${name}`, (done) =>
      this.#options.clients.startInNamespace(namespace, lookUp(name, done)),
    );
  }

  /** The learner did something: what was asked over the network is asked again soon. */
  stir(): void {
    this.#pages.stir();
    this.#addresses.stir();
  }

  get #client() {
    return this.#options.cluster.adminClient;
  }
}

const builtInGroups: ReadonlySet<string> = new Set(builtInTypes.map(({ group }) => group));

const nobody: SeenPage = { code: 0, body: "", failed: true, certificate: "" };

function seenPage(page: BrowsedPage): SeenPage {
  if (page.kind !== "page") return nobody;
  return { code: page.status, body: page.body, failed: false, certificate: page.certificate };
}

function seenEvent({ type, reason, message, involvedObject, count, series }: Stored<CoreV1Event>): SeenEvent {
  return {
    type: type ?? "",
    reason: reason ?? "",
    message: message ?? "",
    kind: involvedObject.kind ?? "",
    name: involvedObject.name ?? "",
    uid: involvedObject.uid ?? "",
    count: series?.count ?? count ?? 1,
  };
}

function lookUp(name: string, done: (addresses: readonly string[]) => void): Program {
  return function* (self): Sys<number> {
    try {
      done([...(yield* self.resolve(name))].sort());
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      done([]);
    }
    return 0;
  };
}

function unlessNotFound<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
