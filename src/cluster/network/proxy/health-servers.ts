// The HTTP ports of kube-proxy: its own health (10256), what it tells of itself (10249), and for each Service with a health check node port
// whether this node has endpoints of it.

import type { Node, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Listening, NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { NodeNetwork } from "../network.ts";
import { lateProxy } from "./late-proxy.ts";
import { listenAt } from "./listen-at.ts";
import type { ProxySettings } from "./settings.ts";

/** What is told. */
export interface ToldOf {
  readonly lastSyncMs: () => number;
  readonly node: () => Stored<Node> | undefined;
  readonly argv: readonly string[];
  readonly settings: ProxySettings;
}

export class HealthServers {
  readonly #host: Pick<NetworkStack, "listen">;
  readonly #node: NodeNetwork;
  readonly #settings: ProxySettings;
  readonly #own: readonly (Listening | undefined)[];
  #services: InstanceType<typeof lateProxy.code.ServiceHealthServers> | undefined;

  constructor(simulation: Simulation, host: Pick<NetworkStack, "listen">, node: NodeNetwork, told: ToldOf) {
    const { argv, settings, lastSyncMs } = told;
    const startedMs = simulation.nowMs;
    const counts = new Map<string, number>();
    this.#host = host;
    this.#node = node;
    this.#settings = settings;
    this.#own = [
      listenAt(host, settings.healthAddress, (request, _peer, responder) =>
        lateProxy.code.answerHealth(told, simulation.nowMs, request, responder),
      ),
      listenAt(host, settings.metricsAddress, (request, _peer, responder) => {
        const { nowMs } = simulation;
        const { packetFilter: filter, nodeName } = node;
        const asked = { argv, settings, filter, startedMs, nowMs, lastSyncMs: lastSyncMs(), nodeName, counts };
        lateProxy.code.serveProxyPage(asked, request, responder);
      }),
    ];
  }

  /** Opens and closes ports as Services come and go. */
  update(services: readonly Stored<Service>[], countLocal: (serviceKey: string) => number): void {
    const asked = services.filter(({ spec }) => (spec?.healthCheckNodePort ?? 0) !== 0);
    if (asked.length === 0 && this.#services === undefined) return;
    this.#services ??= new lateProxy.code.ServiceHealthServers(this.#host, this.#node, this.#settings);
    this.#services.update(asked, countLocal);
  }

  close(): void {
    for (const listening of this.#own) listening?.close();
    this.#services?.close();
  }
}
