// The HTTP ports of kube-proxy: its own health (10256), what it tells of itself (10249), and for each Service with a health check node port
// whether this node has endpoints of it.

import type { Service } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpHandler, HttpResponder } from "#sim/http.ts";
import type { Listening, NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { NodeNetwork } from "../network.ts";
import { lateProxy } from "./late-proxy.ts";
import { nodePortPlaces } from "./node-port-places.ts";
import type { ProxySettings } from "./settings.ts";

const json = { "content-type": "application/json", "x-content-type-options": "nosniff" };
const plain = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

/** What is told. */
export interface ToldOf {
  readonly lastSyncMs: () => number;
  /** Whether load balancers may send to the node. */
  readonly isEligible: () => boolean;
  readonly argv: readonly string[];
  readonly settings: ProxySettings;
}

export class HealthServers {
  readonly #simulation: Simulation;
  readonly #host: Pick<NetworkStack, "listen">;
  readonly #node: NodeNetwork;
  readonly #told: ToldOf;
  readonly #own: readonly (Listening | undefined)[];
  readonly #services = new Map<number, { readonly key: string; readonly listening: readonly (Listening | undefined)[] }>();
  #countLocal: (serviceKey: string) => number = () => 0;

  constructor(simulation: Simulation, host: Pick<NetworkStack, "listen">, node: NodeNetwork, told: ToldOf) {
    const { argv, settings, lastSyncMs } = told;
    const startedMs = simulation.nowMs;
    const counts = new Map<string, number>();
    this.#simulation = simulation;
    this.#host = host;
    this.#node = node;
    this.#told = told;
    this.#own = [
      this.#listen(settings.healthAddress, (request, _peer, responder) => {
        const isReadiness = request.target === "/healthz";
        if (isReadiness || request.target === "/livez") this.#answerHealth(isReadiness, responder);
        else responder.reply(404, plain, encodeUtf8("404 page not found\n"));
      }),
      this.#listen(settings.metricsAddress, (request, _peer, responder) => {
        const { nowMs } = simulation;
        const { packetFilter: filter, nodeName } = node;
        const asked = { argv, settings, filter, startedMs, nowMs, lastSyncMs: lastSyncMs(), nodeName, counts };
        lateProxy.code.serveProxyPage(asked, request, responder);
      }),
    ];
  }

  /** Opens and closes ports as Services come and go. */
  update(services: Iterable<Stored<Service>>, countLocal: (serviceKey: string) => number): void {
    this.#countLocal = countLocal;
    const wanted = new Map<number, Stored<Service>>();
    for (const service of services) {
      const port = service.spec?.healthCheckNodePort ?? 0;
      if (port !== 0) wanted.set(port, service);
    }
    for (const [port, { key, listening }] of this.#services) {
      const service = wanted.get(port);
      if (service !== undefined && keyOf(service) === key) continue;
      for (const each of listening) each?.close();
      this.#services.delete(port);
    }
    for (const [port, service] of wanted) {
      if (this.#services.has(port)) continue;
      this.#services.set(port, { key: keyOf(service), listening: this.#listenForService(port, service) });
    }
  }

  close(): void {
    for (const listening of this.#own) listening?.close();
    for (const { listening } of this.#services.values()) for (const each of listening) each?.close();
  }

  /** pkg/proxy/healthcheck: whether the node takes load balancers' traffic is told with /healthz only. */
  #answerHealth(isReadiness: boolean, responder: HttpResponder): void {
    const { nowMs } = this.#simulation;
    const now = fineTime(nowMs);
    const last = this.#told.lastSyncMs();
    const lastUpdated = last === Number.NEGATIVE_INFINITY ? now : fineTime(last);
    const nodeEligible = this.#told.isEligible();
    const status = { IPv4: { lastUpdated, healthy: true } };
    const told = { lastUpdated: now, currentTime: now, ...(isReadiness ? { nodeEligible } : {}), healthy: true, status };
    responder.reply(isReadiness && !nodeEligible ? 503 : 200, json, encodeUtf8(JSON.stringify(told)));
  }

  /** On all addresses, or on those that take connections to node ports. */
  #listenForService(port: number, service: Stored<Service>): readonly (Listening | undefined)[] {
    const { addresses = ["0.0.0.0"] } = nodePortPlaces(this.#node, this.#told.settings);
    const handler = this.#serviceHandler(service);
    return addresses.map((address) => this.#listen(`${address}:${port}`, handler));
  }

  #serviceHandler(service: Stored<Service>): HttpHandler {
    const { namespace, name } = service.metadata;
    return (_request, _peer, responder) => {
      const count = this.#countLocal(keyOf(service));
      const body = `{\n\t"service": {\n\t\t"namespace": "${namespace}",\n\t\t"name": "${name}"\n\t},\n\t"localEndpoints": ${count},\n\t"serviceProxyHealthy": true\n}`;
      responder.reply(count > 0 ? 200 : 503, { ...json, "x-load-balancing-endpoint-weight": String(count) }, encodeUtf8(body));
    };
  }

  /** A port in use is kube-proxy's to complain about in its log, not to end for. */
  #listen(place: string, onHttp: HttpHandler): Listening | undefined {
    const colon = place.lastIndexOf(":");
    const address = place.slice(0, colon);
    const port = Number(place.slice(colon + 1));
    try {
      return this.#host.listen({ port, onHttp, ...(address === "0.0.0.0" ? {} : { address }) });
    } catch (error) {
      if (error instanceof SysError) return undefined;
      throw error;
    }
  }
}

/** As Go's time.Time is written in JSON: fractions of a second without zeros at their end. */
function fineTime(ms: number): string {
  const fraction = String(Math.floor(ms % 1000))
    .padStart(3, "0")
    .replace(/0+$/u, "");
  return fraction === "" ? formatTime(ms) : `${formatTime(ms).slice(0, -1)}.${fraction}Z`;
}
