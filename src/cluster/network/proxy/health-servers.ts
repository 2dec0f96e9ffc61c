// The HTTP ports of kube-proxy: its own health (10256), what it tells of itself (10249), and for each Service with a health check node port
// whether this node has endpoints of it.

import type { Service } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpHandler } from "#sim/http.ts";
import type { Listening, NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import { lateConntrack } from "../netfilter/late-conntrack.ts";
import type { NodeNetwork } from "../network.ts";
import { lateProxy } from "./late-proxy.ts";
import type { AskedProxy } from "./pages.ts";

const healthPort = 10_256;
const metricsPort = 10_249;
const json = { "content-type": "application/json", "x-content-type-options": "nosniff" };
const plain = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

export class HealthServers {
  readonly #simulation: Simulation;
  readonly #host: Pick<NetworkStack, "listen">;
  readonly #lastSyncMs: () => number;
  readonly #own: readonly (Listening | undefined)[];
  /** Where the Services' ports listen; undefined: everywhere. */
  readonly #addresses: () => readonly (string | undefined)[];
  readonly #services = new Map<number, { readonly key: string; readonly listening: readonly (Listening | undefined)[] }>();
  #countLocal: (serviceKey: string) => number = () => 0;

  constructor(
    simulation: Simulation,
    host: Pick<NetworkStack, "listen">,
    node: NodeNetwork,
    lastSyncMs: () => number,
    own: Pick<AskedProxy, "argv" | "clusterCidr" | "settings">,
  ) {
    const { packetFilter, nodeName } = node;
    const { settings } = own;
    const startedMs = simulation.nowMs;
    const counts = new Map<string, number>();
    this.#simulation = simulation;
    this.#host = host;
    this.#lastSyncMs = lastSyncMs;
    this.#addresses = () => (settings === undefined ? [undefined] : lateProxy.code.listenAddresses(settings, node.addresses));
    this.#own = [
      this.#listen(healthPort, (request, _peer, responder) => {
        const isReadiness = request.target === "/healthz";
        if (isReadiness || request.target === "/livez") responder.reply(200, json, encodeUtf8(this.#healthText(isReadiness)));
        else responder.reply(404, plain, encodeUtf8("404 page not found\n"));
      }),
      this.#listen(
        metricsPort,
        (request, _peer, responder) => {
          const { nowMs } = simulation;
          const asked = { ...own, filter: packetFilter, startedMs, nowMs, lastSyncMs: lastSyncMs(), nodeName, counts };
          lateConntrack.code.serveProxyPage(asked, request, responder);
        },
        "127.0.0.1",
      ),
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
      const handler = this.#serviceHandler(service);
      const listening = this.#addresses().map((address) => this.#listen(port, handler, address));
      this.#services.set(port, { key: keyOf(service), listening });
    }
  }

  close(): void {
    for (const listening of this.#own) listening?.close();
    for (const { listening } of this.#services.values()) for (const each of listening) each?.close();
  }

  /** pkg/proxy/healthcheck: whether the node takes load balancers' traffic is told with /healthz only. */
  #healthText(isReadiness: boolean): string {
    const { nowMs } = this.#simulation;
    const now = fineTime(nowMs);
    const last = this.#lastSyncMs();
    const lastUpdated = last === Number.NEGATIVE_INFINITY ? now : fineTime(last);
    const eligible = isReadiness ? { nodeEligible: true } : {};
    const status = { IPv4: { lastUpdated, healthy: true } };
    return JSON.stringify({ lastUpdated: now, currentTime: now, ...eligible, healthy: true, status });
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
  #listen(port: number, onHttp: HttpHandler, address?: string): Listening | undefined {
    try {
      return this.#host.listen({ port, onHttp, ...(address === undefined ? {} : { address }) });
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
