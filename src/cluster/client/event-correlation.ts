// Keeps a component from flooding the server with events, as client-go's event correlator does: similar events are
// combined, equal ones counted, and a source may only write so many about one object.

import { RecentlyUsed } from "./recently-used.ts";

/** What is told about an object, before it is an Event. */
export interface Occurrence {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly fieldPath: string;
  readonly component: string;
  readonly host: string;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

export type Correlation =
  | { readonly action: "skip" }
  | { readonly action: "create"; readonly key: string; readonly message: string }
  /** The event written before under `name` happened again. */
  | { readonly action: "count"; readonly key: string; readonly name: string; readonly count: number; readonly message: string };

/** The 10th different message about one object and reason within 10 minutes is combined with those after it. */
const similarLimit = 10;
const similarIntervalMs = 600_000;
const spamBurst = 25;
const spamRefillMs = 300_000;
const cacheLimit = 4096;

interface Similar {
  /** Different ones, the oldest first: at most `similarLimit`. */
  readonly messages: string[];
  lastMs: number;
}

interface Bucket {
  tokens: number;
  filledMs: number;
}

interface Written {
  readonly name: string;
  readonly count: number;
}

export class EventCorrelator {
  readonly #similar = new RecentlyUsed<Similar>(cacheLimit);
  readonly #written = new RecentlyUsed<Written>(cacheLimit);
  readonly #buckets = new RecentlyUsed<Bucket>(cacheLimit);

  correlate(occurrence: Occurrence, nowMs: number): Correlation {
    const subject = sourceAndObject(occurrence);
    const { key, message } = this.#aggregate(subject, occurrence, nowMs);
    const written = this.#written.get(key);
    if (written !== undefined) this.#written.set(key, { name: written.name, count: written.count + 1 });
    if (!this.#takeToken(subject, nowMs)) return { action: "skip" };
    if (written === undefined) return { action: "create", key, message };
    return { action: "count", key, name: written.name, count: written.count + 1, message };
  }

  /** The event under `key` is on the server, under `name`. */
  noteWritten(key: string, name: string, count: number): void {
    this.#written.set(key, { name, count });
  }

  #aggregate(subject: string, occurrence: Occurrence, nowMs: number): { readonly key: string; readonly message: string } {
    const group = `${subject}\n${occurrence.type}\n${occurrence.reason}`;
    const known = this.#similar.get(group);
    const similar =
      known !== undefined && nowMs - known.lastMs <= similarIntervalMs ? known : { messages: [occurrence.message], lastMs: nowMs };
    if (!similar.messages.includes(occurrence.message)) similar.messages.push(occurrence.message);
    similar.lastMs = nowMs;
    this.#similar.set(group, similar);
    if (similar.messages.length < similarLimit) {
      return { key: `${group}\n${occurrence.fieldPath}\n${occurrence.message}`, message: occurrence.message };
    }
    similar.messages.shift();
    return { key: group, message: `(combined from similar events): ${occurrence.message}` };
  }

  #takeToken(subject: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(subject) ?? { tokens: spamBurst, filledMs: nowMs };
    bucket.tokens = Math.min(spamBurst, bucket.tokens + (nowMs - bucket.filledMs) / spamRefillMs);
    bucket.filledMs = nowMs;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    this.#buckets.set(subject, bucket);
    return allowed;
  }
}

function sourceAndObject(occurrence: Occurrence): string {
  const { component, host, kind, namespace, name, uid, apiVersion } = occurrence;
  return `${component}\n${host}\n${kind}\n${namespace}\n${name}\n${uid}\n${apiVersion}`;
}
