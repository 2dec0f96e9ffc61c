// The API server as the rest of the cluster sees it.

import type { Docs } from "#cluster/api/openapi/schemas.ts";
import type { Client, ClientFactory, UserInfo } from "#cluster/client/client.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { Registry } from "#cluster/resources/registry.ts";
import { Store } from "#cluster/storage/store.ts";
import type { FieldReader } from "#cluster/storage/watch-hub.ts";
import type { HttpHandler } from "#sim/http.ts";
import type { NetworkStack } from "#sim/net.ts";
import { Random } from "#sim/random.ts";
import type { Simulation } from "#sim/simulation.ts";
import { defaultAdmission } from "./admission/plugins.ts";
import { ServiceAllocators } from "./allocation/service-allocators.ts";
import { AuditLog } from "./audit.ts";
import type { Authenticator } from "./authentication.ts";
import { authorizeResource } from "./authorization.ts";
import { Bootstrap } from "./bootstrap.ts";
import { InProcessClient } from "./client.ts";
import { createHandler } from "./http/handler.ts";
import type { RequestInfo } from "./http/request-info.ts";
import type { KubeletGateway } from "./kubelet-gateway.ts";
import type { Machinery } from "./machinery.ts";
import { Pipeline } from "./pipeline.ts";
import { RuntimeConfig } from "./runtime-config.ts";
import { fieldReader } from "./selection.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";

export interface ApiServerOptions {
  readonly simulation: Simulation;
  /** May be set later; requests that need a kubelet fail until then. */
  readonly gateway?: KubeletGateway;
  /** Addresses of Services; default 10.96.0.0/12. */
  readonly serviceCidr?: string;
  /** `address:port`; default 172.18.0.2:6443. */
  readonly advertisedAddress?: string;
  /** Authorities whose client certificates count; default `kubernetes` (kubeadm's CA). */
  readonly clientIssuers?: readonly string[];
  /** As in `--disable-admission-plugins`; without the service account controller pods need `["ServiceAccount"]`. */
  readonly disableAdmissionPlugins?: readonly string[];
}

const noChecks: readonly string[] = [];

export class ApiServer implements ClientFactory {
  readonly store: Store;
  readonly registry: Registry;
  readonly audit: AuditLog;
  readonly pipeline: Pipeline;
  readonly openWatches = new Set<() => void>();
  readonly simulation: Simulation;
  /** Its own stream of chance, so that reading the API changes nothing in the world. */
  readonly random: Random;
  readonly tokens: ServiceAccountTokens;
  /** The server's door for everyone outside; answers only while the server runs. */
  readonly handler: HttpHandler;
  /** `172.18.0.2:6443`: where discovery says that the server is. */
  readonly advertisedAddress: string;
  /** What of the registry is answered for; set before a start. */
  runtimeConfig = new RuntimeConfig();
  readonly #clientIssuers: ReadonlySet<string>;
  gateway: KubeletGateway | undefined;
  /** The network of the server's host, for the proxy subresources; without it they answer 500. */
  network: NetworkStack | undefined;
  /** Field documentation for OpenAPI, `generated/docs.ts`; large, so whoever needs it sets it. */
  docs: Docs = {};
  readonly #bootstrap: Bootstrap;
  #running = false;

  constructor(options: ApiServerOptions) {
    const { simulation } = options;
    this.simulation = simulation;
    this.random = new Random(simulation.random.uint32());
    this.advertisedAddress = options.advertisedAddress ?? "172.18.0.2:6443";
    this.#clientIssuers = new Set(options.clientIssuers ?? ["kubernetes"]);
    this.gateway = options.gateway;
    this.store = new Store(simulation);
    this.registry = new Registry();
    this.audit = new AuditLog(simulation);
    this.tokens = new ServiceAccountTokens(simulation, this.store);
    const machinery: Machinery = {
      tokens: this.tokens,
      simulation,
      store: this.store,
      registry: this.registry,
      admission: defaultAdmission(this.store, simulation.random, options.disableAdmissionPlugins ?? []),
      allocators: new ServiceAllocators(options.serviceCidr ?? "10.96.0.0/12", simulation.random),
    };
    this.pipeline = new Pipeline(machinery, this.audit);
    this.handler = createHandler(this);
    this.#bootstrap = new Bootstrap({
      simulation,
      client: this.clientFor({ name: "system:apiserver", groups: ["system:masters", "system:authenticated"] }, "kube-apiserver"),
      serviceAddress: machinery.allocators.firstAddress,
      advertisedAddress: this.advertisedAddress,
    });
    for (const definition of this.registry.all) this.#index(machinery, definition);
  }

  get running(): boolean {
    return this.#running;
  }

  /** Begins to answer. The store survives a stop. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#bootstrap.begin();
  }

  /** Ends all watches; clients get ApiUnreachable until the next start. */
  stop(): void {
    this.#running = false;
    this.#bootstrap.end();
    for (const close of [...this.openWatches]) close();
  }

  clientFor(user: UserInfo, userAgent: string): Client {
    return new InProcessClient(this, user, userAgent);
  }

  get authenticator(): Authenticator {
    return { clientIssuers: this.#clientIssuers, tokens: this.tokens, nowMs: this.simulation.nowMs };
  }

  /** The kinds that are answered for, in the order of discovery. */
  get served(): readonly ResourceDefinition[] {
    const { all } = this.registry;
    return this.runtimeConfig.isDefault ? all : all.filter((definition) => this.runtimeConfig.serves(definition));
  }

  /** The Audit-Id of the next reply. */
  nextAuditId(): string {
    return this.random.uuid();
  }

  /** Those of the given checks of /healthz, /livez and /readyz that do not hold. */
  failing(checks: readonly string[]): readonly string[] {
    return this.#running ? noChecks : checks.filter((check) => check !== "ping");
  }

  /** A resource that does not exist may be asked for by those who may see everything; others learn nothing of it. */
  authorizeUnknown(user: UserInfo, info: RequestInfo): void {
    const { verb, group, resource, subresource, namespace, name } = info;
    authorizeResource({ user, verb, group, resource, subresource, namespace, name });
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
