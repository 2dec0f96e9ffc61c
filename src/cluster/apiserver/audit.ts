// The audit trace: who did what to which object, and when each stage was reached. Kept in a ring for the workbench; the
// stages are those of the API server's audit events. What --audit-policy-file asks for goes to a sink besides (`audit/`, which comes late).

import type { UserInfo } from "#cluster/client/client.ts";
import { Listeners } from "#sim/listeners.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { AskedPlugins } from "./admission/chain.ts";
import type { AuditSink } from "./audit-sink.ts";
import type { Grant } from "./authorization/grants.ts";

export interface AuditEvent {
  readonly sequence: number;
  readonly verb: string;
  readonly user: UserInfo;
  readonly userAgent: string;
  readonly group: string;
  /** The plural name; "" for paths that are no resources. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly requestReceivedMs: number;
  /** The name of the object after a create with generateName. */
  objectName: string;
  responseCompleteMs: number | undefined;
  code: number | undefined;
  /** The binding by which RBAC allowed it; undefined while it has not, and where RBAC was not asked. */
  allowedBy: Grant | undefined;
  /** The admission plugins that looked at it; undefined where none was asked. */
  admission: AskedPlugins | undefined;
  /** Who is impersonated, when someone is. */
  readonly impersonatedUser: string | undefined;
}

export interface RequestCounter {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly code: number;
  count: number;
}

export const auditCapacity = 2000;

export type AuditedRequest = Pick<
  AuditEvent,
  "verb" | "user" | "userAgent" | "group" | "resource" | "subresource" | "namespace" | "name"
> & {
  readonly impersonatedUser?: string | undefined;
};

export class AuditLog {
  /** Set while the server runs with a policy and a place to write to. */
  sink: AuditSink | undefined;
  /** Told of every request that was refused, with the error. */
  readonly onRefused: Listeners<AuditEvent, unknown>;
  /** What all servers of a cluster have in common, for whoever looks at it from outside. */
  readonly #served: { current: AuditEvent | undefined };
  readonly #simulation: Simulation;
  readonly #ring: (AuditEvent | undefined)[] = new Array(auditCapacity).fill(undefined);
  #next = 0;
  /** Requests by kind of request and code: what /metrics says. By resource, so that counting looks through a few. */
  readonly #counters = new Map<string, RequestCounter[]>();

  /** `peer`: of another server of the same cluster. */
  constructor(simulation: Simulation, peer?: AuditLog) {
    this.#simulation = simulation;
    this.onRefused = peer?.onRefused ?? new Listeners();
    this.#served = peer === undefined ? { current: undefined } : peer.#served;
  }

  /** The request that is being served, by whichever server; undefined while a server does something by itself. */
  get current(): AuditEvent | undefined {
    return this.#served.current;
  }

  set current(event: AuditEvent | undefined) {
    this.#served.current = event;
  }

  /** Number of requests since the start. */
  get total(): number {
    return this.#next;
  }

  /** Stage RequestReceived. */
  begin(request: AuditedRequest): AuditEvent {
    const event: AuditEvent = {
      sequence: this.#next,
      verb: request.verb,
      user: request.user,
      userAgent: request.userAgent,
      group: request.group,
      resource: request.resource,
      subresource: request.subresource,
      namespace: request.namespace,
      name: request.name,
      requestReceivedMs: this.#simulation.nowMs,
      objectName: request.name,
      responseCompleteMs: undefined,
      code: undefined,
      allowedBy: undefined,
      admission: undefined,
      impersonatedUser: request.impersonatedUser,
    };
    this.#ring[this.#next % auditCapacity] = event;
    this.#next += 1;
    return event;
  }

  /** The request has not been answered: it comes again. */
  forget(event: AuditEvent): void {
    this.#ring[event.sequence % auditCapacity] = undefined;
  }

  /** Stage ResponseComplete. */
  complete(event: AuditEvent, code: number): void {
    event.responseCompleteMs = this.#simulation.nowMs;
    event.code = code;
    this.#counterOf(event, code).count += 1;
  }

  get counters(): readonly Readonly<RequestCounter>[] {
    return [...this.#counters.values()].flat();
  }

  #counterOf({ verb, group, resource, subresource }: AuditEvent, code: number): RequestCounter {
    let ofResource = this.#counters.get(resource);
    if (ofResource === undefined) {
      ofResource = [];
      this.#counters.set(resource, ofResource);
    }
    for (const counter of ofResource) {
      if (counter.verb === verb && counter.code === code && counter.subresource === subresource && counter.group === group)
        return counter;
    }
    const counter = { verb, group, resource, subresource, code, count: 0 };
    ofResource.push(counter);
    return counter;
  }

  /** The latest events, oldest first; after `sequence` when given. */
  events(after = -1): readonly AuditEvent[] {
    const first = Math.max(0, this.#next - auditCapacity, after + 1);
    const result: AuditEvent[] = [];
    for (let sequence = first; sequence < this.#next; sequence += 1) {
      const event = this.#ring[sequence % auditCapacity];
      if (event !== undefined) result.push(event);
    }
    return result;
  }
}
