// What the other API servers of the cluster serve, as while its servers are of two releases, and where they are (apiserver's
// pkg/util/peerproxy): asked whenever an identity Lease comes, goes or has another holder.

import { otherFailure } from "#cluster/api/errors.ts";
import type { Lease } from "#cluster/api/generated/types.ts";
import type { KubeObject, Stored } from "#cluster/api/objects.ts";
import { isList, isObject, type JsonObject } from "#cluster/api/wire.ts";
import { noBytes } from "#sim/bytes.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { Certificate, Endpoint } from "#sim/net.ts";
import type { Timer } from "#sim/simulation.ts";
import { readCertificates } from "#x509/certificate.ts";
import { readText } from "../exchange-text.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { ServedApi } from "../http/served-api.ts";
import { isIdentityLease } from "../identity-lease.ts";
import { mergedGroups } from "./merged-groups.ts";
import type { Peers } from "./peers.ts";
import { proxiedHeader } from "./serve-peer.ts";

const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const self = { name: "system:apiserver", uid: "system:apiserver", groups: ["system:authenticated"] };
const rerouted = "apiserver_rerouted_request_total";
const reroutedHelp =
  "[ALPHA] Total number of requests that were proxied to a peer kube-apiserver because the local apiserver was not capable of serving it, " +
  "broken down by 'group', 'version', and 'resource' indicating the GVR of the request. " +
  'If all three are empty (""), the request is a discovery request.';
const firstRetryMs = 5;
const maxRetries = 20;

/** What is wrong with the authorities' PEM, if anything. */
export function usePeers(pem: string, server: ServedApi & { peers: Peers | undefined }): string | undefined {
  const authorities = readCertificates(pem);
  if (authorities.length === 0) return "unable to load root certificates: unable to parse bytes as PEM block";
  server.peers = new PeerProxy({ server, authorities });
  return undefined;
}

interface PeerProxyOptions {
  readonly server: ServedApi;
  /** Who signs the serving certificates of peers. */
  readonly authorities: readonly Certificate[];
}

/** What a peer serves. */
interface PeerView {
  /** `batch/v1/jobs`; `/v1/pods`. */
  readonly resources: ReadonlySet<string>;
  /** Entries of its /apis. */
  readonly groups: readonly JsonObject[];
}

class PeerProxy implements Peers {
  readonly tls: Peers["tls"];
  readonly #options: PeerProxyOptions;
  #known: ReadonlyMap<string, PeerView> = new Map();
  #holders = new Map<string, string>();
  /** Requests that went to peers, by their labels. */
  readonly #rerouted = new Map<string, number>();
  #subscription: { stop(): void } | undefined;
  #timer: Timer | undefined;
  /** Counts the rounds: answers of an earlier one are of no use. */
  #round = 0;
  #failures = 0;

  constructor(options: PeerProxyOptions) {
    this.#options = options;
    this.tls = { serverName: "kubernetes.default.svc", authorities: options.authorities };
  }

  start(): void {
    const { store } = this.#options.server;
    this.#subscription = store.watches.subscribe({
      table: store.table("leases.coordination.k8s.io"),
      interest: undefined,
      onStart: () => this.#lookAtLeases(),
      onEvent: ({ object }) => {
        if (isIdentityLease(object as KubeObject)) this.#lookAtLeases();
      },
    });
  }

  stop(): void {
    this.#subscription?.stop();
    this.#options.server.simulation.cancel(this.#timer);
    this.#round += 1;
    this.#known = new Map();
    this.#holders.clear();
  }

  find({ group, version, resource }: RequestInfo): Endpoint | undefined {
    const wanted = `${group}/${version}/${resource}`;
    const able = [...this.#known].filter(([, { resources }]) => resources.has(wanted)).map(([id]) => id);
    if (able.length === 0 || this.#isShared(group, version)) return undefined;
    const addresses = able.flatMap((id) => this.#options.server.peerEndpoints.addressOf(id) ?? []);
    if (addresses.length === 0)
      throw otherFailure(503, "ServiceUnavailable", "Error getting ip and port info of the remote server while proxying");
    return endpointOf(addresses[this.#options.server.random.below(addresses.length)] as string);
  }

  merged(own: readonly JsonObject[]): readonly JsonObject[] {
    const others = new Map([...this.#known].map(([id, { groups }]) => [id, groups.filter((group) => !this.#isSharedGroup(group))]));
    return mergedGroups(new Map([[this.#options.server.serverId, own], ...others]));
  }

  count(code: number, { group, resource, version } = { group: "", resource: "", version: "" }): void {
    const labels = `code="${code}",group="${group}",resource="${resource}",version="${version}"`;
    this.#rerouted.set(labels, (this.#rerouted.get(labels) ?? 0) + 1);
  }

  metrics(): readonly string[] {
    const samples = [...this.#rerouted].sort(([a], [b]) => compareTexts(a, b));
    return [
      `# HELP ${rerouted} ${reroutedHelp}`,
      `# TYPE ${rerouted} counter`,
      ...samples.map(([labels, count]) => `${rerouted}{${labels}} ${count}`),
    ];
  }

  /** Custom kinds and the groups of other API servers are in etcd: every server knows them by itself. */
  #isShared(group: string, version: string): boolean {
    const { registry, apiServices } = this.#options.server;
    if (apiServices.remoteOf(group, version) !== undefined) return true;
    return registry.all.some((each) => each.schemaType === undefined && each.group === group && each.version === version);
  }

  #isSharedGroup(entry: JsonObject): boolean {
    return versionsOf(entry).every(({ version }) => this.#isShared(nameOf(entry), String(version)));
  }

  #lookAtLeases(): void {
    const { store } = this.#options.server;
    const leases = store
      .table("leases.coordination.k8s.io")
      .list("kube-system") as readonly KubeObject[] as readonly Stored<Lease>[];
    const holders = new Map<string, string>();
    for (const lease of leases) {
      const { name } = lease.metadata;
      if (isIdentityLease(lease) && name !== this.#options.server.serverId) holders.set(name, lease.spec?.holderIdentity ?? "");
    }
    const isSame =
      holders.size === this.#holders.size && [...holders].every(([name, holder]) => this.#holders.get(name) === holder);
    if (isSame) return;
    this.#holders = holders;
    this.#failures = 0;
    this.#ask();
  }

  /** Asks all peers anew; what they say takes the place of what was known when all have answered. */
  #ask(): void {
    this.#options.server.simulation.cancel(this.#timer);
    this.#round += 1;
    const round = this.#round;
    const views = new Map<string, PeerView>();
    const peers = [...this.#holders.keys()].sort();
    let left = peers.length;
    let isWhole = true;
    const done = (id: string, view: PeerView | undefined): void => {
      if (round !== this.#round) return;
      if (view === undefined) isWhole = false;
      else views.set(id, view);
      left -= 1;
      if (left > 0) return;
      this.#known = new Map([...views].sort(([a], [b]) => compareTexts(a, b)));
      if (!isWhole) this.#retry();
    };
    if (left === 0) this.#known = views;
    for (const id of peers) this.#view(id, (view) => done(id, view));
  }

  #retry(): void {
    if (this.#failures >= maxRetries) return;
    const waitMs = firstRetryMs * 2 ** this.#failures;
    this.#failures += 1;
    this.#timer = this.#options.server.simulation.after(waitMs, () => this.#ask(), { background: true });
  }

  #view(id: string, done: (view: PeerView | undefined) => void): void {
    const address = this.#options.server.peerEndpoints.addressOf(id);
    if (address === undefined) {
      done(undefined);
      return;
    }
    this.#groupsOf(address, "/api", (core) => {
      if (core === undefined) done(undefined);
      else
        this.#groupsOf(address, "/apis", (groups) => {
          done(groups === undefined ? undefined : { resources: resourcesOf([...core, ...groups]), groups });
        });
    });
  }

  #groupsOf(address: string, path: string, done: (groups: readonly JsonObject[] | undefined) => void): void {
    const headers = { accept: `${accept};profile=nopeer,${accept}`, "user-agent": "Go-http-client/1.1", [proxiedHeader]: "true" };
    const request = { method: "GET", target: path, headers, body: noBytes };
    const { remoteServers } = this.#options.server;
    remoteServers.sendTo({ target: endpointOf(address), tls: this.tls, user: self, request }, (result) => {
      this.count("failure" in result ? 503 : result.exchange.status);
      if ("failure" in result || result.exchange.status !== 200) done(undefined);
      else readText(result.exchange, (text) => done(itemsOf(text)));
    });
  }
}

function endpointOf(address: string): Endpoint {
  const at = address.lastIndexOf(":");
  return { address: address.slice(0, at), port: Number(address.slice(at + 1)) };
}

/** Of an APIGroupDiscoveryList; undefined for any other text. */
function itemsOf(text: string): readonly JsonObject[] | undefined {
  try {
    const document: unknown = JSON.parse(text);
    const items = isObject(document) ? document["items"] : undefined;
    return isList(items) ? items.filter(isObject) : undefined;
  } catch {
    return undefined;
  }
}

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) ? String(metadata["name"] ?? "") : "";
}

function versionsOf({ versions }: JsonObject): readonly JsonObject[] {
  return isList(versions) ? versions.filter(isObject) : [];
}

function resourcesOf(groups: readonly JsonObject[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const group of groups)
    for (const { version, resources } of versionsOf(group))
      for (const entry of isList(resources) ? resources.filter(isObject) : [])
        found.add(`${nameOf(group)}/${String(version)}/${String(entry["resource"])}`);
  return found;
}
