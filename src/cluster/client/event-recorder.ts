// Tells what a component did to an object, as a core/v1 Event. Events are best effort: one that the server refuses is
// dropped, one that does not reach it is tried 12 times.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { CoreV1Event, ObjectMeta } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Client } from "./client.ts";
import { EventCorrelator, type Occurrence } from "./event-correlation.ts";
import { isReason } from "./retry.ts";

/** Anything that an event can be about; a stored object always can. */
export interface EventSubject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

export interface EventSource {
  /** As in the FROM column: `deployment-controller`. */
  readonly component: string;
  /** The node's name for kubelets. */
  readonly host?: string;
}

const maxTries = 12;
const retryDelayMs = 10_000;

export class EventRecorder {
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #source: EventSource;
  readonly #correlator = new EventCorrelator();

  constructor(simulation: Simulation, client: Client, source: EventSource) {
    this.#simulation = simulation;
    this.#client = client;
    this.#source = source;
  }

  normal(subject: EventSubject, reason: string, message: string, fieldPath = ""): void {
    this.#record("Normal", subject, reason, message, fieldPath);
  }

  warning(subject: EventSubject, reason: string, message: string, fieldPath = ""): void {
    this.#record("Warning", subject, reason, message, fieldPath);
  }

  #record(type: Occurrence["type"], subject: EventSubject, reason: string, message: string, fieldPath: string): void {
    const occurrence: Occurrence = {
      apiVersion: subject.apiVersion ?? "",
      kind: subject.kind ?? "",
      namespace: subject.metadata?.namespace ?? "",
      name: subject.metadata?.name ?? "",
      uid: subject.metadata?.uid ?? "",
      fieldPath,
      component: this.#source.component,
      host: this.#source.host ?? "",
      type,
      reason,
      message,
    };
    this.#send(occurrence, subject.metadata?.resourceVersion, formatTime(this.#simulation.nowMs), 1);
  }

  #send(occurrence: Occurrence, resourceVersion: string | undefined, time: string, attempt: number): void {
    try {
      this.#write(occurrence, resourceVersion, time);
    } catch (error) {
      if (error instanceof ApiError) return;
      if (!(error instanceof ApiUnreachable)) {
        this.#simulation.faults.note(this.#source.component, `an event about ${occurrence.kind} ${occurrence.name}`, error);
        return;
      }
      if (attempt >= maxTries) return;
      this.#simulation.after(retryDelayMs, () => this.#send(occurrence, resourceVersion, time, attempt + 1), { background: true });
    }
  }

  #write(occurrence: Occurrence, resourceVersion: string | undefined, time: string): void {
    const correlation = this.#correlator.correlate(occurrence, this.#simulation.nowMs);
    if (correlation.action === "skip") return;
    const namespace = eventNamespace(occurrence.namespace);
    if (correlation.action === "count") {
      try {
        const { count, message } = correlation;
        this.#client.patch(kinds.events, { namespace, name: correlation.name }, "strategic", {
          count,
          lastTimestamp: time,
          message,
        });
        return;
      } catch (error) {
        // The event has expired: it begins anew.
        if (!isReason(error, "NotFound")) throw error;
      }
    }
    const name = eventName(occurrence.name, this.#simulation);
    this.#client.create(kinds.events, draft(occurrence, { name, namespace }, correlation.message, resourceVersion, time));
    this.#correlator.noteWritten(correlation.key, name, 1);
  }
}

/** The latest event's time within its millisecond, by world. */
const latest = new WeakMap<Simulation, { readonly ms: number; readonly nanoseconds: number }>();

/** `<object>.<16 hex digits>`: the time in nanoseconds. What is told within a millisecond keeps its order by drawn steps. */
export function eventName(objectName: string, simulation: Simulation): string {
  const { nowMs: ms } = simulation;
  const last = latest.get(simulation);
  const nanoseconds = (last?.ms === ms ? last.nanoseconds : 0) + 1 + simulation.random.below(2000);
  latest.set(simulation, { ms, nanoseconds });
  return `${objectName}.${(BigInt(ms) * 1_000_000n + BigInt(nanoseconds)).toString(16).padStart(16, "0")}`;
}

/** Events about cluster-scoped objects live in `default`. */
export function eventNamespace(namespace: string): string {
  return namespace === "" ? "default" : namespace;
}

function draft(
  occurrence: Occurrence,
  metadata: ObjectMeta,
  message: string,
  resourceVersion: string | undefined,
  time: string,
): Draft<CoreV1Event> {
  const { apiVersion, kind, namespace, name, uid, fieldPath, component, host, type, reason } = occurrence;
  return {
    metadata,
    involvedObject:
      namespace !== "" && uid !== "" && resourceVersion !== undefined && fieldPath !== ""
        ? // As of most events: made in one piece, it takes half the room.
          { apiVersion, kind, name, namespace, uid, resourceVersion, fieldPath }
        : {
            apiVersion,
            kind,
            name,
            ...(namespace === "" ? {} : { namespace }),
            ...(uid === "" ? {} : { uid }),
            ...(resourceVersion === undefined ? {} : { resourceVersion }),
            ...(fieldPath === "" ? {} : { fieldPath }),
          },
    type,
    reason,
    message,
    source: host === "" ? { component } : { component, host },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    reportingComponent: component,
    reportingInstance: host,
  };
}
