// What the API server writes itself: the system namespaces and priority classes, and the Service `kubernetes` with the endpoints of the server,
// which it puts back every ten seconds (pkg/controlplane/controller/{systemnamespaces,kubernetesservice}, reconcilers).

import { ApiError } from "#cluster/api/errors.ts";
import type { EndpointSlice, Endpoints } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { reconcileBootstrapPolicy } from "./authorization/bootstrap/reconcile.ts";

const systemNamespaces = ["kube-system", "kube-public", "kube-node-lease", "default"];
/** pkg/apis/scheduling: what the system's own pods run with. */
const systemPriorityClasses = [
  ["system-node-critical", 2_000_001_000, "Used for system critical pods that must not be moved from their current node."],
  [
    "system-cluster-critical",
    2_000_000_000,
    "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  ],
] as const;
const reconcileIntervalMs = 10_000;
const service = { namespace: "default", name: "kubernetes" };

export interface BootstrapOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  /** Cluster IP of the Service. */
  readonly serviceAddress: string;
  /** `address:port` of the server. */
  readonly advertisedAddress: string;
}

export class Bootstrap {
  readonly #options: BootstrapOptions;
  #timer: Timer | undefined;

  constructor(options: BootstrapOptions) {
    this.#options = options;
  }

  /** Writes what is missing now and from now on. */
  begin(): void {
    const { client } = this.#options;
    for (const name of systemNamespaces) ifMissing(() => client.create(kinds.namespaces, { metadata: { name } }));
    for (const [name, value, description] of systemPriorityClasses) {
      ifMissing(() => client.create(kinds.priorityClasses, { metadata: { name }, value, description }));
    }
    reconcileBootstrapPolicy(client);
    this.#reconcile();
  }

  end(): void {
    this.#options.simulation.cancel(this.#timer);
  }

  #reconcile(): void {
    const { simulation } = this.#options;
    this.#timer = simulation.after(reconcileIntervalMs, () => this.#reconcile(), { background: true });
    this.#writeService();
    this.#writeEndpoints();
  }

  #writeService(): void {
    const { client, serviceAddress } = this.#options;
    if (exists(() => client.get(kinds.services, service))) return;
    ifMissing(() =>
      client.create(kinds.services, {
        metadata: { ...service, labels: { component: "apiserver", provider: "kubernetes" } },
        spec: {
          clusterIP: serviceAddress,
          clusterIPs: [serviceAddress],
          ports: [{ name: "https", protocol: "TCP", port: 443, targetPort: this.#port }],
          sessionAffinity: "None",
          type: "ClusterIP",
        },
      }),
    );
  }

  get #port(): number {
    return Number(this.#options.advertisedAddress.split(":")[1]);
  }

  #writeEndpoints(): void {
    const { client, advertisedAddress } = this.#options;
    const address = advertisedAddress.split(":")[0] as string;
    const endpoints: Draft<Endpoints> = {
      metadata: { ...service, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
      subsets: [{ addresses: [{ ip: address }], ports: [{ name: "https", port: this.#port, protocol: "TCP" }] }],
    };
    const slice: Draft<EndpointSlice> = {
      metadata: { ...service, labels: { "kubernetes.io/service-name": service.name } },
      addressType: "IPv4",
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: "https", port: this.#port, protocol: "TCP" }],
    };
    if (!exists(() => client.get(kinds.endpoints, service))) ifMissing(() => client.create(kinds.endpoints, endpoints));
    if (!exists(() => client.get(kinds.endpointSlices, service))) ifMissing(() => client.create(kinds.endpointSlices, slice));
  }
}

function exists(get: () => unknown): boolean {
  try {
    get();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.reason === "NotFound") return false;
    throw error;
  }
}

/** Someone may have been faster, and a namespace may be going: then there is nothing to do now. */
function ifMissing(create: () => void): void {
  try {
    create();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
