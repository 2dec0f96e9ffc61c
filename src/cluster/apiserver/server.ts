// The API server as the rest of the cluster sees it.

import type { Docs } from "#cluster/api/openapi/dialect.ts";
import type { Answer, Client, ClientFactory, ClientWire, Question, UserInfo } from "#cluster/client/client.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { Registry } from "#cluster/resources/registry.ts";
import { EtcdConnection } from "#cluster/storage/etcd-connection.ts";
import { Store } from "#cluster/storage/store.ts";
import type { FieldReader } from "#cluster/storage/watch-hub.ts";
import type { HttpHandler } from "#sim/http.ts";
import type { Certificate, NetworkStack } from "#sim/net.ts";
import { Random } from "#sim/random.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { EventLimit } from "./admission/built-in/event-rate-limit.ts";
import type { AdmissionChain } from "./admission/chain.ts";
import { WebhookHost } from "./admission/dynamic/webhook-host.ts";
import { defaultAdmission } from "./admission/plugins.ts";
import { ApiServices } from "./aggregation/api-services.ts";
import { RemoteServers } from "./aggregation/remote-servers.ts";
import { AddressRepair } from "./allocation/address-repair.ts";
import { ServiceAllocators } from "./allocation/service-allocators.ts";
import { AuditLog } from "./audit.ts";
import type { RequestHeaderSettings } from "./authentication/request-headers.ts";
import type { Authenticator } from "./authentication.ts";
import { Authorizer } from "./authorization/authorizer.ts";
import { Bootstrap } from "./bootstrap.ts";
import { type Asker, InProcessClient } from "./client.ts";
import { usualTolerationSeconds } from "./command-line.ts";
import { CustomResources } from "./custom-resources/definitions.ts";
import { FlowControl } from "./flow-control.ts";
import { createHandler } from "./http/handler.ts";
import type { RequestInfo } from "./http/request-info.ts";
import type { ServedApi } from "./http/served-api.ts";
import { serverId } from "./identity-lease.ts";
import type { KubeletGateway } from "./kubelet-gateway.ts";
import { lateRequests } from "./late-requests.ts";
import type { ServerLog } from "./log.ts";
import type { Machinery } from "./machinery.ts";
import { PeerEndpoints } from "./peers/peer-endpoints.ts";
import type { Peers } from "./peers/peers.ts";
import { Pipeline } from "./pipeline.ts";
import { type RuntimeConfig, usualVersions } from "./runtime-config.ts";
import { fieldReader } from "./selection.ts";
import { ServerLeases } from "./server-leases.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";

export interface ApiServerOptions {
  readonly simulation: Simulation;
  /** May be set later; requests that need a kubelet fail until then. */
  readonly gateway?: KubeletGateway;
  /** Addresses of Services; default 10.96.0.0/12. */
  readonly serviceCidr?: string;
  /** `address:port`; default 172.18.0.2:6443. */
  readonly advertisedAddress?: string;
  /** Name of the host that the server runs on; default control-plane. */
  readonly hostname?: string;
  /** Another server of the same cluster: what is kept in etcd is this one's too, and both tell of what they are asked in one place. */
  readonly peer?: ApiServer;
  /** `--client-ca-file`: the authority whose client certificates count. */
  readonly clientAuthority?: Certificate;
  /** As in `--enable-admission-plugins`, beside NodeRestriction. */
  readonly enableAdmissionPlugins?: readonly string[];
  /** The limits of EventRateLimit in `--admission-control-config-file`. */
  readonly eventLimits?: readonly EventLimit[];
  /** `--service-account-max-token-expiration`; default none. */
  readonly maxTokenExpirationSeconds?: number;
  /** As in `--disable-admission-plugins`; without the service account controller pods need `["ServiceAccount"]`. */
  readonly disableAdmissionPlugins?: readonly string[];
}

const noWords: readonly string[] = [];
const ownUser: UserInfo = { name: "system:apiserver", groups: ["system:authenticated", "system:masters"] };

export class ApiServer implements ClientFactory, ServedApi {
  readonly store: Store;
  /** Its way to etcd. */
  readonly etcd = new EtcdConnection();
  readonly registry: Registry;
  readonly audit: AuditLog;
  readonly pipeline: Pipeline;
  /** How to end each open watch, with what it watches. */
  readonly openWatches = new Map<() => void, ResourceDefinition>();
  readonly simulation: Simulation;
  /** Its own stream of chance, so that reading the API changes nothing in the world. */
  readonly random: Random;
  readonly tokens: ServiceAccountTokens;
  readonly authorizer: Authorizer;
  /** The server's door for everyone outside; answers only while the server runs. */
  readonly handler: HttpHandler;
  /** `172.18.0.2:6443`: where discovery says that the server is. */
  readonly advertisedAddress: string;
  /** What of the registry is answered for; set before a start. */
  runtimeConfig: RuntimeConfig = usualVersions;
  argv: readonly string[] = noWords;
  /** `--anonymous-auth` */
  anonymousAuth = true;
  readonly #clientAuthority: Certificate | undefined;
  gateway: KubeletGateway | undefined;
  /** Of `--kubelet-certificate-authority`; undefined: kubelets' certificates are not looked at. */
  kubeletAuthorities: readonly Certificate[] | undefined;
  /** The network of the server's host, for the proxy subresources; without it they answer 500. */
  network: NetworkStack | undefined;
  /** Field documentation for OpenAPI, `generated/docs.ts`; large, so whoever needs it sets it. */
  docs: Docs = {};
  readonly #bootstrap: Bootstrap;
  readonly #customResources: CustomResources;
  readonly #addressRepair: AddressRepair;
  readonly flowControl: FlowControl;
  readonly deprecatedUses = new Set<string>();
  /** Calls of admission webhooks; the composition root gives it the machine's network. */
  readonly webhooks: WebhookHost;
  /** The API servers behind APIServices; the composition root gives it the machine's network and a certificate. */
  readonly remoteServers: RemoteServers;
  readonly apiServices: ApiServices;
  /** Of all servers of the cluster. */
  readonly #leases: ServerLeases;
  /** Of all servers of the cluster. */
  readonly peerEndpoints: PeerEndpoints;
  /** What it is called among them. */
  readonly serverId: string;
  /** Where they find it: its own address, or that of `--peer-advertise-ip`; undefined: nowhere. Set before a start. */
  peerAddress: string | undefined;
  /** Of `--peer-ca-file`; undefined: nothing is passed on. Set before a start. */
  peers: Peers | undefined;
  /** Of `--requestheader-client-ca-file`: read when the first request comes that a front proxy may have sent. */
  frontProxies: (() => RequestHeaderSettings | undefined) | undefined;
  #running = false;
  #startedMs = 0;

  constructor(options: ApiServerOptions) {
    const { simulation } = options;
    this.simulation = simulation;
    this.random = new Random(simulation.random.uint32());
    this.advertisedAddress = options.advertisedAddress ?? "172.18.0.2:6443";
    this.peerAddress = this.advertisedAddress;
    this.#clientAuthority = options.clientAuthority;
    this.gateway = options.gateway;
    const { peer } = options;
    this.store = peer?.store ?? new Store(simulation);
    this.registry = new Registry();
    this.audit = new AuditLog(simulation, peer?.audit);
    this.#leases = peer === undefined ? new ServerLeases(simulation) : peer.#leases;
    this.peerEndpoints = peer?.peerEndpoints ?? new PeerEndpoints(simulation);
    const hostname = options.hostname ?? "control-plane";
    this.serverId = serverId(hostname);
    this.webhooks = new WebhookHost(simulation, this.store, () => this.random.uuid());
    this.tokens = peer?.tokens ?? new ServiceAccountTokens(simulation, this.store, options.maxTokenExpirationSeconds);
    this.authorizer = new Authorizer(this.store);
    const machinery: Machinery = {
      tokens: this.tokens,
      authorizer: this.authorizer,
      simulation,
      store: this.store,
      etcd: this.etcd,
      registry: this.registry,
      admission: this.#admissionOf(
        ["NodeRestriction", ...(options.enableAdmissionPlugins ?? [])],
        options.disableAdmissionPlugins ?? [],
        options.eventLimits,
      ),
      allowsPrivileged: true,
      tolerationSeconds: usualTolerationSeconds,
      allocators:
        peer?.pipeline.machinery.allocators ?? new ServiceAllocators(options.serviceCidr ?? "10.96.0.0/12", simulation, this.store),
    };
    this.pipeline = new Pipeline(machinery, this.audit);
    this.handler = createHandler(this);
    this.#bootstrap = new Bootstrap({
      simulation,
      store: this.store,
      leases: this.#leases,
      peerEndpoints: this.peerEndpoints,
      peerAddress: () => this.peerAddress,
      client: this.#ownClient,
      serviceCidr: machinery.allocators.cidr,
      serviceAddress: machinery.allocators.firstAddress,
      advertisedAddress: this.advertisedAddress,
      hostname,
    });
    for (const definition of this.registry.all) this.#index(machinery, definition);
    const client = this.#ownClient;
    this.flowControl = new FlowControl(simulation, this.store, client);
    this.remoteServers = new RemoteServers(this.store);
    this.apiServices = new ApiServices({
      simulation,
      store: this.store,
      client: this.clientFor(ownUser, "kube-aggregator"),
      servers: this.remoteServers,
    });
    this.#customResources = this.#customResourcesOf(machinery, client);
    this.#addressRepair = new AddressRepair({ simulation, store: this.store, client, hostname });
  }

  #customResourcesOf(machinery: Machinery, client: Client): CustomResources {
    return new CustomResources({
      simulation: this.simulation,
      store: this.store,
      client,
      serve: (definition) => {
        this.registry.add(definition);
        this.#index(machinery, definition);
        this.apiServices.serve(definition);
      },
      unserve: (definition) => {
        this.registry.remove(definition);
        this.apiServices.unserve(definition);
      },
      webhookCalls: () => this.webhooks.calls(),
      endWatches: (storage) => {
        for (const [close, { storage: watched }] of [...this.openWatches]) if (watched === storage) close();
      },
    });
  }

  /** The plugins from now on, as the two flags name them. Throws RangeError for names with which the server does not start. */
  usePlugins(enabled: readonly string[], disabled: readonly string[]): void {
    const { machinery } = this.pipeline;
    const chain = this.#admissionOf(enabled, disabled);
    if (chain.names.join() !== machinery.admission.names.join()) machinery.admission = chain;
  }

  #admissionOf(enabled: readonly string[], disabled: readonly string[], eventLimits: readonly EventLimit[] = []): AdmissionChain {
    return defaultAdmission({
      simulation: this.simulation,
      world: this,
      client: () => this.#ownClient,
      enabled,
      disabled,
      eventLimits,
      tolerationSeconds: () => this.pipeline.machinery.tolerationSeconds,
      onAsked: (plugins) => {
        if (this.audit.current !== undefined) this.audit.current.admission = plugins;
      },
    });
  }

  get log(): ServerLog | undefined {
    return this.pipeline.machinery.log;
  }

  get #ownClient(): Client {
    return this.clientFor(ownUser, "kube-apiserver");
  }

  get running(): boolean {
    return this.#running;
  }

  /** When it began to answer. */
  get startedMs(): number {
    return this.#startedMs;
  }

  /** Begins to answer. The store survives a stop. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#startedMs = this.simulation.nowMs;
    this.deprecatedUses.clear();
    this.#bootstrap.begin();
    this.flowControl.start();
    this.apiServices.start(this.served);
    this.#customResources.start();
    this.#addressRepair.start();
    this.peers?.start();
  }

  /** Ends all watches; clients get ApiUnreachable until the next start. Whoever was asked to end takes leave of the others first. */
  stop(asked = false): void {
    if (asked && this.#running && this.etcd.isReachable) this.#bootstrap.takeLeave();
    this.#running = false;
    this.#bootstrap.end();
    this.flowControl.stop();
    this.apiServices.stop();
    this.#customResources.stop();
    this.#addressRepair.stop();
    this.peers?.stop();
    this.endWatches();
  }

  endWatches(): void {
    for (const close of [...this.openWatches.keys()]) close();
  }

  clientFor(user: UserInfo, userAgent: string, wire?: ClientWire): Client {
    return new InProcessClient(this, user, userAgent, wire);
  }

  ask(asker: Asker, question: Question, done: (answer: Answer) => void): void {
    lateRequests.code.ask(this, asker, question, done);
  }

  readonly #refused = (cause: string): void => this.log?.((at) => lateRequests.code.unauthenticatedLine(at, cause));

  get authenticator(): Authenticator {
    return {
      clientAuthority: this.#clientAuthority,
      tokens: this.tokens,
      store: this.store,
      nowMs: this.simulation.nowMs,
      takesAnonymous: this.anonymousAuth,
      frontProxies: this.frontProxies,
      onRefused: this.#refused,
    };
  }

  /** The kinds that are answered for, in the order of discovery. */
  get served(): readonly ResourceDefinition[] {
    return this.registry.all.filter((definition) => this.runtimeConfig.serves(definition));
  }

  /** The Audit-Id of the next reply. */
  nextAuditId(): string {
    return this.random.uuid();
  }

  /** Those of the given checks of /healthz, /livez and /readyz that do not hold. */
  failing(checks: readonly string[]): readonly string[] {
    if (!this.#running) return checks.filter((check) => check !== "ping");
    const { encryption } = this.store;
    if (this.etcd.isReachable && encryption === undefined) return noWords;
    return checks.filter(
      (check) => (check.startsWith("etcd") && !this.etcd.isReachable) || encryption?.failure(check) !== undefined,
    );
  }

  /** A resource that does not exist may be asked for by those who may see everything; others learn nothing of it. */
  authorize(user: UserInfo, info: RequestInfo): void {
    const { verb, group, resource, subresource, namespace, name } = info;
    this.authorizer.requireResource({ user, verb, group, resource, subresource, namespace, name });
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
