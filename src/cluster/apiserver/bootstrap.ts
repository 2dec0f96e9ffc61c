// What the API server writes itself: the system namespaces, which it puts back every minute, priority classes, and the Service `kubernetes` with the
// endpoints of the server, which it puts back every ten seconds (pkg/controlplane/controller/{systemnamespaces,kubernetesservice}, reconcilers).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { ApiError } from "#cluster/api/errors.ts";
import type { EndpointSlice, Endpoints } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft, ResourceType, Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Client } from "#cluster/client/client.ts";
import { unlessRefused } from "#cluster/client/retry.ts";
import { systemPriorityClasses } from "#cluster/resources/scheduling/priorityclasses.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { reconcileBootstrapPolicy } from "./authorization/bootstrap/reconcile.ts";
import { IdentityLease } from "./identity-lease.ts";
import type { PeerEndpoints } from "./peers/peer-endpoints.ts";
import type { ServerLeases } from "./server-leases.ts";

const systemNamespaces = ["kube-system", "kube-public", "kube-node-lease", "default"];
/** What upstream asks for its health when someone lists componentstatuses. */
const components = ["controller-manager", "etcd-0", "scheduler"];
const namespacesIntervalMs = 60_000;
const reconcileIntervalMs = 10_000;
const leaseCheckIntervalMs = 3_600_000;
const service = { namespace: "default", name: "kubernetes" };

export interface BootstrapOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly store: Store;
  /** Of all servers of the cluster. */
  readonly leases: ServerLeases;
  /** Of all servers of the cluster. */
  readonly peerEndpoints: PeerEndpoints;
  /** Where its peers find the server; undefined: they are not told. */
  peerAddress(): string | undefined;
  /** Addresses of Services. */
  readonly serviceCidr: string;
  /** Cluster IP of the Service. */
  readonly serviceAddress: string;
  /** `address:port` of the server. */
  readonly advertisedAddress: string;
  /** Name of the host that the server runs on. */
  readonly hostname: string;
}

export class Bootstrap {
  readonly #options: BootstrapOptions;
  readonly #identity: IdentityLease;
  #timer: Timer | undefined;
  #namespacesTimer: Timer | undefined;
  #leaseTimer: Timer | undefined;

  constructor(options: BootstrapOptions) {
    this.#options = options;
    this.#identity = new IdentityLease(options.client, options.simulation, options.hostname);
  }

  /** Writes what is missing now and from now on. Who is refused was slower than someone else, or meets a namespace that is going. */
  begin(): void {
    const { client } = this.#options;
    this.#writeNamespaces();
    for (const { name, value, description } of systemPriorityClasses) {
      unlessRefused(() => client.create(kinds.priorityClasses, { metadata: { name }, value, description }));
    }
    this.#writeComponents();
    reconcileBootstrapPolicy(client);
    this.#identity.begin();
    this.#reconcile();
    this.#collectLeases();
  }

  /** Objects that nobody wrote: they go to the store as they are, with no manager of their fields. */
  #writeComponents(): void {
    const { store } = this.#options;
    const { version: apiVersion, kind, plural } = kinds.componentStatuses;
    const conditions = [{ type: "Healthy", status: "True", message: "ok" }];
    const table = store.table(plural);
    for (const name of components) {
      if (table.get(name) === undefined) store.put(table, name, { apiVersion, kind, metadata: { name }, conditions });
    }
  }

  /** The range of the server's own flag (pkg/controlplane/controller/defaultservicecidr). */
  #writeServiceRange(): void {
    const { client, simulation, serviceCidr } = this.#options;
    const metadata = { name: service.name };
    if (unlessMissing(() => client.get(kinds.serviceCidrs, { namespace: "", name: service.name })) !== undefined) return;
    unlessRefused(() => {
      const made = client.create(kinds.serviceCidrs, { metadata, spec: { cidrs: [serviceCidr] } });
      const ready = {
        type: "Ready",
        status: "True",
        reason: "",
        message: "Kubernetes default Service CIDR is ready",
        lastTransitionTime: formatTime(simulation.nowMs),
      };
      client.updateStatus(kinds.serviceCidrs, { ...made, status: { conditions: [ready] } });
    });
  }

  /** A server that ends in order takes its address out of the Service (RemoveEndpoints of the lease reconciler). The last one's stays: nobody could see it go. */
  takeLeave(): void {
    const { leases, peerEndpoints } = this.#options;
    leases.giveUp(this.#address);
    peerEndpoints.giveUp(this.#identity.name);
    if (leases.addresses.length > 0) unlessRefused(() => this.#writeEndpoints());
  }

  end(): void {
    this.#options.simulation.cancel(this.#timer);
    this.#options.simulation.cancel(this.#namespacesTimer);
    this.#options.simulation.cancel(this.#leaseTimer);
  }

  #writeNamespaces(): void {
    const { client, simulation } = this.#options;
    this.#namespacesTimer = simulation.after(namespacesIntervalMs, () => this.#writeNamespaces(), { background: true });
    for (const name of systemNamespaces) {
      unlessRefused(() => {
        const found = unlessMissing(() => client.get(kinds.namespaces, { namespace: "", name }));
        if (found === undefined) client.create(kinds.namespaces, { metadata: { name } });
      });
    }
  }

  #collectLeases(): void {
    const { simulation } = this.#options;
    this.#leaseTimer = simulation.after(leaseCheckIntervalMs, () => this.#collectLeases(), { background: true });
    unlessRefused(() => this.#identity.collect());
  }

  #reconcile(): void {
    const { simulation } = this.#options;
    this.#timer = simulation.after(reconcileIntervalMs, () => this.#reconcile(), { background: true });
    // What is refused (etcd does not answer) is tried again in the next round.
    unlessRefused(() => {
      this.#writeServiceRange();
      this.#writeService();
      this.#options.leases.renew(this.#address);
      this.#writeEndpoints();
      this.#tellPeers();
    });
    this.#identity.renew();
  }

  #writeService(): void {
    const { client, serviceAddress } = this.#options;
    if (unlessMissing(() => client.get(kinds.services, service)) !== undefined) return;
    unlessRefused(() =>
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

  #tellPeers(): void {
    const { peerEndpoints } = this.#options;
    const address = this.#options.peerAddress();
    if (address !== undefined) peerEndpoints.renew(this.#identity.name, address);
  }

  get #port(): number {
    return Number(this.#options.advertisedAddress.split(":")[1]);
  }

  get #address(): string {
    return this.#options.advertisedAddress.split(":")[0] as string;
  }

  #writeEndpoints(): void {
    const { addresses } = this.#options.leases;
    const endpoints: Draft<Endpoints> = {
      metadata: { ...service, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
      subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports: [{ name: "https", port: this.#port, protocol: "TCP" }] }],
    };
    const slice: Draft<EndpointSlice> = {
      metadata: { ...service, labels: { "kubernetes.io/service-name": service.name } },
      addressType: "IPv4",
      endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
      ports: [{ name: "https", port: this.#port, protocol: "TCP" }],
    };
    this.#writeAsItShould(kinds.endpoints, endpoints, (found) => semanticDeepEqual(found.subsets, endpoints.subsets));
    this.#writeAsItShould(kinds.endpointSlices, slice, (found) => semanticDeepEqual(found.endpoints, slice.endpoints));
  }

  /** Makes what is missing and puts right what someone changed. */
  #writeAsItShould<T>(type: ResourceType<T>, wanted: Draft<T>, isRight: (found: Stored<T>) => boolean): void {
    const { client } = this.#options;
    unlessRefused(() => {
      const found = unlessMissing(() => client.get(type, service));
      if (found === undefined) client.create(type, wanted);
      else if (!isRight(found)) client.update(type, { ...found, ...wanted, metadata: found.metadata });
    });
  }
}

function unlessMissing<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch (error) {
    if (error instanceof ApiError && error.reason === "NotFound") return undefined;
    throw error;
  }
}
