// The ranges that cluster IPs come from: the server's own, and those of further ServiceCIDR objects, as long as they are
// ready (registry/core/service/ipallocator's MetaAllocator).

import type { ServiceCIDR } from "#cluster/api/generated/types.ts";
import { serviceCidrs } from "#cluster/api/kinds.ts";
import { type KubeObject, qualifiedResource } from "#cluster/api/objects.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Random } from "#sim/random.ts";
import type { AddressRecords } from "./address-records.ts";
import { IpRange, parseIpv4 } from "./ip-range.ts";
import { Pool } from "./pool.ts";

interface PooledRange {
  readonly range: IpRange;
  readonly pool: Pool;
}

export class AddressRanges {
  readonly #own: PooledRange;
  readonly #random: Random;
  readonly #records: AddressRecords;
  readonly #objects: Table;
  /** What a write has taken and not yet recorded stays known when a ServiceCIDR goes and comes back. */
  readonly #byCidr = new Map<string, PooledRange>();

  constructor(cidr: string, store: Store, records: AddressRecords, random: Random) {
    this.#random = random;
    this.#records = records;
    this.#objects = store.table(qualifiedResource(serviceCidrs));
    this.#own = this.#pooled(cidr);
  }

  /** The server's own range. */
  get own(): IpRange {
    return this.#own.range;
  }

  /** Why an address cannot be had; undefined when it is taken now. */
  take(address: string): string | undefined {
    const holders = this.#ready().filter(({ range }) => range.contains(address));
    const [holder] = holders;
    if (holder === undefined) return "the provided network does not match the current range";
    return holder.pool.take(offsetIn(holder, address)) ? undefined : "provided IP is already allocated";
  }

  /** A free address, now taken; undefined when there is none. */
  draw(): string | undefined {
    const ranges = [...this.#ready()];
    // Upstream takes the ranges as they come out of a map.
    while (ranges.length > 0) {
      const [holder] = ranges.splice(ranges.length > 1 ? this.#random.below(ranges.length) : 0, 1);
      const offset = holder?.pool.draw();
      if (offset !== undefined) return holder?.range.at(offset);
    }
    return undefined;
  }

  release(address: string): void {
    for (const holder of this.#byCidr.values()) {
      if (holder.range.contains(address)) holder.pool.release(offsetIn(holder, address));
    }
  }

  #ready(): readonly PooledRange[] {
    const found = new Set<PooledRange>();
    for (const object of this.#objects.list("")) {
      if (!isReady(object)) continue;
      for (const cidr of cidrsOf(object)) if (isUsable(cidr)) found.add(this.#pooled(cidr));
    }
    // Before there is an object for it the server's own range is as good as ready.
    if (this.#objects.get(ownName) === undefined) found.add(this.#own);
    return [...found];
  }

  #pooled(cidr: string): PooledRange {
    let pooled = this.#byCidr.get(cidr);
    if (pooled === undefined) {
      const range = new IpRange(cidr);
      const pool = new Pool({
        first: 0,
        size: range.usable,
        reserved: range.reserved,
        random: this.#random,
        isTakenElsewhere: (offset) => this.#records.has(range.at(offset)),
      });
      pooled = { range, pool };
      this.#byCidr.set(cidr, pooled);
    }
    return pooled;
  }
}

/** The ServiceCIDR of the server's own range. */
const ownName = "kubernetes";

/** Without a controller to say so a range counts as ready; one that is being deleted does not. */
function isReady(object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return false;
  const { status } = object as ServiceCIDR;
  return (status?.conditions?.find(({ type }) => type === "Ready")?.status ?? "True") === "True";
}

function cidrsOf(object: KubeObject): readonly string[] {
  return (object as ServiceCIDR).spec?.cidrs ?? [];
}

/** This cluster gives out IPv4 only. */
function isUsable(cidr: string): boolean {
  const [address = "", bits = ""] = cidr.split("/");
  return parseIpv4(address) !== undefined && Number(bits) <= 30;
}

function offsetIn({ range }: PooledRange, address: string): number {
  return (parseIpv4(address) ?? 0) - (parseIpv4(range.at(0)) ?? 0);
}
