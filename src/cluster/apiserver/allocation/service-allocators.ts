// Cluster IPs and node ports of Services: given out when a Service is made or changes its type, taken back when it goes
// or when the write fails (registry/core/service/storage/alloc).

import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Simulation } from "#sim/simulation.ts";
import { lateRequests } from "../late-requests.ts";
import type { ServerLog } from "../log.ts";
import { AddressRanges } from "./address-ranges.ts";
import { AddressRecords } from "./address-records.ts";
import { Pool } from "./pool.ts";
import { type Pools, ServiceTransaction } from "./service-transaction.ts";

const firstNodePort = 30_000;
const nodePortCount = 2768;
/** Kept for those who ask for a number. */
const reservedNodePorts = 86;

/** What a write reserved: kept when the write succeeds, given back when it fails. */
export interface Allocation {
  readonly object: KubeObject;
  /** `log`: where a new address is told. */
  keep(log?: ServerLog): void;
  release(): void;
}

export class ServiceAllocators {
  readonly #pools: Pools;

  constructor(cidr: string, simulation: Simulation, store: Store) {
    const { random } = simulation;
    const records = new AddressRecords(store, simulation);
    this.#pools = {
      records,
      addresses: new AddressRanges(cidr, store, records, random),
      ports: new Pool({ first: firstNodePort, size: nodePortCount, reserved: reservedNodePorts, random }),
    };
  }

  get cidr(): string {
    return this.#pools.addresses.own.cidr;
  }

  /** The address of the Service `kubernetes`. */
  get firstAddress(): string {
    return this.#pools.addresses.own.at(0);
  }

  beginCreate(definition: ResourceDefinition, object: KubeObject, dryRun: boolean): Allocation {
    return isService(definition) ? this.#allocate(object, undefined, dryRun) : untouched(object);
  }

  beginUpdate(definition: ResourceDefinition, object: KubeObject, old: KubeObject, dryRun: boolean): Allocation {
    if (!isService(definition) || object["spec"] === old["spec"]) return untouched(object);
    return this.#allocate(object, old, dryRun);
  }

  /** A Service is gone. */
  released(definition: ResourceDefinition, object: KubeObject): void {
    if (isService(definition)) new ServiceTransaction(this.#pools, object).releaseAll(specOf(object));
  }

  #allocate(object: KubeObject, old: KubeObject | undefined, dryRun: boolean): Allocation {
    const transaction = new ServiceTransaction(this.#pools, object, dryRun);
    try {
      const spec = transaction.run(specOf(object), old === undefined ? undefined : specOf(old));
      return {
        object: spec === object["spec"] ? object : { ...object, spec },
        keep: (log) => {
          if (dryRun) return transaction.undo();
          transaction.commit();
          log?.((at) => lateRequests.code.allocatedLine(at, object, spec, old));
        },
        release: () => transaction.undo(),
      };
    } catch (error) {
      transaction.undo();
      throw error;
    }
  }
}

function isService(definition: ResourceDefinition): boolean {
  return definition.kind === "Service" && definition.group === "";
}

function untouched(object: KubeObject): Allocation {
  return { object, keep: nothingToDo, release: nothingToDo };
}

function specOf(object: KubeObject): ServiceSpec {
  return (object["spec"] ?? {}) as ServiceSpec;
}

function nothingToDo(): void {}
