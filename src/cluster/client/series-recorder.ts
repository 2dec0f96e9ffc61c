// Events as the scheduler writes them (client-go tools/events): an occurrence of the same kind within 6 minutes does not
// make a new event but a series of the first. Upstream sends them as events.k8s.io/v1; here they are written in the core
// form that the server stores either way.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { CoreV1Event, ObjectReference } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { formatMicroTime } from "#cluster/api/time.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Client } from "./client.ts";
import { type EventSubject, eventName, eventNamespace } from "./event-recorder.ts";
import { RecentlyUsed } from "./recently-used.ts";

export interface SeriesEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

interface Series {
  readonly namespace: string;
  readonly name: string;
  /** Occurrences; a series begins with the second. */
  count: number;
  lastMs: number;
  writtenCount: number;
}

const quietMs = 360_000;
const cacheLimit = 4096;
const maxNoteLength = 1024;

export class SeriesRecorder {
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #controller: string;
  readonly #instance: string;
  readonly #series = new RecentlyUsed<Series>(cacheLimit);

  /** `instance`: `<controller>-<hostname>`. */
  constructor(simulation: Simulation, client: Client, controller: string, instance: string) {
    this.#simulation = simulation;
    this.#client = client;
    this.#controller = controller;
    this.#instance = instance;
  }

  record(subject: EventSubject, event: SeriesEvent): void {
    const { nowMs } = this.#simulation;
    const regarding = referenceTo(subject);
    const { kind, namespace, name, uid, resourceVersion } = regarding;
    // The version too: an object that was written since begins another series.
    const key = [event.action, event.reason, kind, namespace, name, uid, resourceVersion].join("\n");
    const series = this.#series.get(key);
    try {
      if (series !== undefined && nowMs - series.lastMs <= quietMs) this.#continue(series);
      else this.#begin(key, regarding, event);
    } catch (error) {
      // Events are best effort.
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
      this.#series.delete(key);
    }
  }

  #begin(key: string, regarding: ObjectReference, event: SeriesEvent): void {
    const { nowMs } = this.#simulation;
    const namespace = eventNamespace(regarding.namespace ?? "");
    const name = eventName(regarding.name ?? "", this.#simulation);
    const note = event.note.length > maxNoteLength ? event.note.slice(0, maxNoteLength) : event.note;
    const draft: Draft<CoreV1Event> = {
      metadata: { namespace, name },
      eventTime: formatMicroTime(nowMs),
      source: {},
      reportingComponent: this.#controller,
      reportingInstance: this.#instance,
      action: event.action,
      reason: event.reason,
      involvedObject: regarding,
      message: note,
      type: event.type,
    };
    this.#client.create(kinds.events, draft);
    this.#series.set(key, { namespace, name, count: 1, lastMs: nowMs, writtenCount: 1 });
  }

  /** The second occurrence is written at once; later ones when the series has ended. */
  #continue(series: Series): void {
    series.count += 1;
    series.lastMs = this.#simulation.nowMs;
    if (series.count === 2) {
      this.#write(series);
      this.#finishLater(series);
    }
  }

  #finishLater(series: Series): void {
    const finish = (): void => {
      if (this.#simulation.nowMs - series.lastMs < quietMs) {
        this.#finishLater(series);
        return;
      }
      if (series.count > series.writtenCount) this.#write(series);
    };
    this.#simulation.at(series.lastMs + quietMs, finish, { background: true });
  }

  #write(series: Series): void {
    const { namespace, name, count, lastMs } = series;
    series.writtenCount = count;
    try {
      this.#client.patch(kinds.events, { namespace, name }, "strategic", {
        series: { count, lastObservedTime: formatMicroTime(lastMs) },
      });
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
    }
  }
}

function referenceTo(subject: EventSubject): ObjectReference {
  const { apiVersion = "", kind = "", metadata = {} } = subject;
  const { namespace, name = "", uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}
