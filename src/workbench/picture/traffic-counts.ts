// How many connections each Service has had since the lab was opened, for the table.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { LabSession } from "#lab/session.ts";
import { keyOf, serviceOf } from "./links.ts";

export interface TrafficCount {
  readonly count: number;
  /** Those that nobody took. */
  readonly failed: number;
}

export interface TrafficCounts {
  /** By `namespace/name`. */
  readonly services: ReadonlySignal<ReadonlyMap<string, TrafficCount>>;
  close(): void;
}

export function countTraffic(session: Pick<LabSession, "traffic" | "cluster">): TrafficCounts {
  const services = signal<ReadonlyMap<string, TrafficCount>>(new Map());
  const close = session.traffic.subscribe((flows) => {
    if (flows.length === 0) {
      services.value = new Map();
      return;
    }
    const next = new Map(services.peek());
    for (const flow of flows) {
      const service = serviceOf(flow, session.cluster.peek());
      if (service === undefined) continue;
      const { count, failed } = next.get(keyOf(service)) ?? { count: 0, failed: 0 };
      next.set(keyOf(service), { count: count + flow.count, failed: failed + flow.failed });
    }
    services.value = next;
  });
  return { services, close };
}
