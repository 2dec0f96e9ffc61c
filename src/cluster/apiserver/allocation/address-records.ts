// IPAddress objects: one for each cluster IP, so that everyone sees what is taken and by whom (MultiCIDRServiceAllocator,
// registry/core/service/ipallocator).

import type { IPAddress } from "#cluster/api/generated/types.ts";
import { ipAddresses } from "#cluster/api/kinds.ts";
import { type KubeObject, qualifiedResource } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Simulation } from "#sim/simulation.ts";

export const familyLabel = "ipaddress.kubernetes.io/ip-family";
export const managerLabel = "ipaddress.kubernetes.io/managed-by";

/** Of an IPAddress that a Service has. */
export function labelsOf(family: "IPv4" | "IPv6"): { readonly [label: string]: string } {
  return { [familyLabel]: family, [managerLabel]: "ipallocator.k8s.io" };
}

export class AddressRecords {
  readonly #store: Store;
  readonly #simulation: Simulation;
  readonly #table: Table;

  constructor(store: Store, simulation: Simulation) {
    this.#store = store;
    this.#simulation = simulation;
    this.#table = store.table(qualifiedResource(ipAddresses));
  }

  has(address: string): boolean {
    return this.#table.get(address) !== undefined;
  }

  /** Says that a Service has the address. */
  write(address: string, service: KubeObject): void {
    const { name = "", namespace = "" } = service.metadata;
    const record: IPAddress = {
      apiVersion: "networking.k8s.io/v1",
      kind: "IPAddress",
      metadata: {
        name: address,
        uid: this.#simulation.random.uuid(),
        creationTimestamp: formatTime(this.#simulation.nowMs),
        labels: labelsOf("IPv4"),
      },
      spec: { parentRef: { resource: "services", namespace, name } },
    };
    this.#store.put(this.#table, address, record as KubeObject);
  }

  remove(address: string): void {
    const record = this.#table.get(address);
    if (record !== undefined) this.#store.remove(this.#table, address, record);
  }
}
