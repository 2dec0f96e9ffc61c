// What kube-proxy answers to those who ask for its health, and for a Service's endpoints on its node (pkg/proxy/healthcheck).

import type { Node, Service } from "#cluster/api/generated/types.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHandler, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Listening, NetworkStack } from "#sim/net.ts";
import type { NodeNetwork } from "../network.ts";
import type { ToldOf } from "./health-servers.ts";
import { listenAt } from "./listen-at.ts";
import { nodePortPlaces } from "./node-port-places.ts";
import type { ProxySettings } from "./settings.ts";

const json = { "content-type": "application/json", "x-content-type-options": "nosniff" };
const plain = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
/** What the cluster autoscaler gives nodes that are about to go. */
const leavingTaint = "ToBeDeletedByClusterAutoscaler";

/** Whether load balancers may send to the node is told with /healthz only. */
export function answerHealth(told: ToldOf, nowMs: number, { target }: HttpRequest, responder: HttpResponder): void {
  const isReadiness = target === "/healthz";
  if (!isReadiness && target !== "/livez") {
    responder.reply(404, plain, encodeUtf8("404 page not found\n"));
    return;
  }
  const now = fineTime(nowMs);
  const last = told.lastSyncMs();
  const lastUpdated = last === Number.NEGATIVE_INFINITY ? now : fineTime(last);
  const nodeEligible = isEligible(told.node());
  const status = { IPv4: { lastUpdated, healthy: true } };
  const body = { lastUpdated: now, currentTime: now, ...(isReadiness ? { nodeEligible } : {}), healthy: true, status };
  responder.reply(isReadiness && !nodeEligible ? 503 : 200, json, encodeUtf8(JSON.stringify(body)));
}

function isEligible(node: Stored<Node> | undefined): boolean {
  if (node === undefined) return true;
  return node.metadata.deletionTimestamp === undefined && node.spec?.taints?.some(({ key }) => key === leavingTaint) !== true;
}

/** As Go's time.Time is written in JSON: fractions of a second without zeros at their end. */
function fineTime(ms: number): string {
  const fraction = String(Math.floor(ms % 1000))
    .padStart(3, "0")
    .replace(/0+$/u, "");
  return fraction === "" ? formatTime(ms) : `${formatTime(ms).slice(0, -1)}.${fraction}Z`;
}

/** The health check node ports of Services. */
export class ServiceHealthServers {
  readonly #host: Pick<NetworkStack, "listen">;
  readonly #node: NodeNetwork;
  readonly #settings: ProxySettings;
  readonly #open = new Map<number, { readonly key: string; readonly listening: readonly (Listening | undefined)[] }>();
  #countLocal: (serviceKey: string) => number = () => 0;

  constructor(host: Pick<NetworkStack, "listen">, node: NodeNetwork, settings: ProxySettings) {
    this.#host = host;
    this.#node = node;
    this.#settings = settings;
  }

  /** `services`: those that have one. */
  update(services: readonly Stored<Service>[], countLocal: (serviceKey: string) => number): void {
    this.#countLocal = countLocal;
    const wanted = new Map(services.map((service) => [service.spec?.healthCheckNodePort ?? 0, service]));
    for (const [port, { key, listening }] of this.#open) {
      const service = wanted.get(port);
      if (service !== undefined && keyOf(service) === key) continue;
      for (const each of listening) each?.close();
      this.#open.delete(port);
    }
    for (const [port, service] of wanted)
      if (!this.#open.has(port)) this.#open.set(port, { key: keyOf(service), listening: this.#listen(port, service) });
  }

  close(): void {
    for (const { listening } of this.#open.values()) for (const each of listening) each?.close();
  }

  /** On all addresses, or on those that take connections to node ports. */
  #listen(port: number, service: Stored<Service>): readonly (Listening | undefined)[] {
    const { addresses = ["0.0.0.0"] } = nodePortPlaces(this.#node, this.#settings);
    const handler = this.#handler(service);
    return addresses.map((address) => listenAt(this.#host, `${address}:${port}`, handler));
  }

  #handler(service: Stored<Service>): HttpHandler {
    const { namespace, name } = service.metadata;
    return (_request, _peer, responder) => {
      const count = this.#countLocal(keyOf(service));
      const body = `{\n\t"service": {\n\t\t"namespace": "${namespace}",\n\t\t"name": "${name}"\n\t},\n\t"localEndpoints": ${count},\n\t"serviceProxyHealthy": true\n}`;
      responder.reply(count > 0 ? 200 : 503, { ...json, "x-load-balancing-endpoint-weight": String(count) }, encodeUtf8(body));
    };
  }
}
