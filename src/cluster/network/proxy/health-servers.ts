// The HTTP ports of kube-proxy: its own health (10256), its mode (10249), and for each Service with a health check node port
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

const healthPort = 10_256;
const metricsPort = 10_249;
const json = { "content-type": "application/json", "x-content-type-options": "nosniff" };
const plain = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

export class HealthServers {
  readonly #simulation: Simulation;
  readonly #host: NetworkStack;
  readonly #lastSyncMs: () => number;
  readonly #own: readonly (Listening | undefined)[];
  readonly #services = new Map<number, { readonly key: string; readonly listening: Listening | undefined }>();
  #countLocal: (serviceKey: string) => number = () => 0;

  constructor(simulation: Simulation, { host, packetFilter }: NodeNetwork, lastSyncMs: () => number) {
    const startedMs = simulation.nowMs;
    this.#simulation = simulation;
    this.#host = host;
    this.#lastSyncMs = lastSyncMs;
    this.#own = [
      this.#listen(healthPort, (request, _peer, responder) => {
        const known = request.target === "/healthz" || request.target === "/livez";
        if (known) responder.reply(200, json, encodeUtf8(this.#healthText()));
        else responder.reply(404, plain, encodeUtf8("404 page not found\n"));
      }),
      this.#listen(
        metricsPort,
        (request, _peer, responder) => {
          if (request.target === "/proxyMode") responder.reply(200, plain, encodeUtf8("iptables"));
          else if (request.target === "/metrics") {
            const text = lateConntrack.code.proxyMetrics(packetFilter, { startedMs, lastSyncMs: lastSyncMs() });
            responder.reply(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }, encodeUtf8(text));
          } else if (request.target === "/healthz") responder.reply(200, plain, encodeUtf8("ok"));
          else responder.reply(404, plain, encodeUtf8("404 page not found\n"));
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
      listening?.close();
      this.#services.delete(port);
    }
    for (const [port, service] of wanted) {
      if (this.#services.has(port)) continue;
      this.#services.set(port, { key: keyOf(service), listening: this.#listen(port, this.#serviceHandler(service)) });
    }
  }

  close(): void {
    for (const listening of this.#own) listening?.close();
    for (const { listening } of this.#services.values()) listening?.close();
  }

  #healthText(): string {
    const { nowMs } = this.#simulation;
    const last = this.#lastSyncMs();
    const updated = last === Number.NEGATIVE_INFINITY ? nowMs : last;
    return `{"lastUpdated": "${goTime(updated)}","currentTime": "${goTime(nowMs)}", "nodeEligible": true}`;
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

/** Go's time.Time.String of a UTC time. */
function goTime(ms: number): string {
  return `${formatTime(ms).replace("T", " ").replace("Z", "")} +0000 UTC`;
}
