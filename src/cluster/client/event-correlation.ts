// Keeps a component from flooding the server with events, as client-go's event correlator does: similar events are
// combined, equal ones counted, and a source may only write so many about one object.

import { Lately, type Used } from "./lately.ts";

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

/** What an event counts as the same with: `message` is undefined where similar ones are combined. */
interface EventKey {
  readonly occurrence: Occurrence;
  readonly message: string | undefined;
}

export type Correlation =
  | { readonly action: "skip" }
  | { readonly action: "create"; readonly key: EventKey; readonly message: string }
  /** The event written before under `name` happened again. */
  | {
      readonly action: "count";
      readonly key: EventKey;
      readonly name: string;
      readonly count: number;
      readonly message: string;
    };

/** The 10th different message about one object and reason within 10 minutes is combined with those after it. */
const similarLimit = 10;
const similarIntervalMs = 600_000;
const spamBurst = 25;
const spamRefillMs = 300_000;
const cacheLimit = 4096;

/**
 * What is known of an object that was told about. Found by its uid, a text that all who speak of the object share: keys
 * made of all that tells events apart cost more than the rest of the recorder.
 */
interface Subject {
  readonly of: Occurrence;
  bucket: Bucket | undefined;
  readonly groups: Group[];
  /** Another one under the same uid. */
  next: Subject | undefined;
}

/** Events about an object that have type and reason in common. */
interface Group {
  readonly subject: Subject;
  readonly of: Occurrence;
  similar: Similar | undefined;
  readonly written: Written[];
}

interface Bucket extends Used<Bucket> {
  readonly subject: Subject;
  tokens: number;
  filledMs: number;
}

interface Similar extends Used<Similar> {
  readonly group: Group;
  /** Different ones, the oldest first: at most `similarLimit`. */
  messages: string[];
  lastMs: number;
}

interface Written extends Used<Written> {
  readonly group: Group;
  readonly fieldPath: string;
  readonly message: string | undefined;
  name: string;
  count: number;
}

/** Of one recorder: component and host are the same for all that it hears. */
export class EventCorrelator {
  readonly #subjects = new Map<string, Subject>();
  readonly #similar = new Lately<Similar>(cacheLimit);
  readonly #written = new Lately<Written>(cacheLimit);
  readonly #buckets = new Lately<Bucket>(cacheLimit);

  correlate(occurrence: Occurrence, nowMs: number): Correlation {
    const subject = this.#subjectOf(occurrence);
    const group = groupOf(subject, occurrence);
    const isCombined = this.#isCombined(group, occurrence.message, nowMs);
    const message = isCombined ? `(combined from similar events): ${occurrence.message}` : occurrence.message;
    const key: EventKey = { occurrence, message: isCombined ? undefined : message };
    const written = writtenAs(group, key);
    if (written !== undefined) {
      written.count += 1;
      this.#written.use(written);
    }
    if (!this.#takeToken(subject, nowMs)) return { action: "skip" };
    if (written === undefined) return { action: "create", key, message };
    return { action: "count", key, name: written.name, count: written.count, message };
  }

  /** The event under `key` is on the server, under `name`. */
  noteWritten(key: EventKey, name: string, count: number): void {
    const group = groupOf(this.#subjectOf(key.occurrence), key.occurrence);
    let written = writtenAs(group, key);
    if (written === undefined) {
      const { message, occurrence } = key;
      const fieldPath = message === undefined ? "" : occurrence.fieldPath;
      written = { group, fieldPath, message, name, count, older: undefined, newer: undefined };
      group.written.push(written);
    } else {
      written.name = name;
      written.count = count;
    }
    const forgotten = this.#written.use(written);
    if (forgotten === undefined) return;
    const among = forgotten.group.written;
    among.splice(among.indexOf(forgotten), 1);
    this.#tidy(forgotten.group);
  }

  #isCombined(group: Group, message: string, nowMs: number): boolean {
    let { similar } = group;
    if (similar === undefined) {
      similar = { group, messages: [message], lastMs: nowMs, older: undefined, newer: undefined };
      group.similar = similar;
    } else if (nowMs - similar.lastMs > similarIntervalMs) similar.messages = [message];
    else if (!similar.messages.includes(message)) similar.messages.push(message);
    similar.lastMs = nowMs;
    const forgotten = this.#similar.use(similar);
    if (forgotten !== undefined) {
      forgotten.group.similar = undefined;
      this.#tidy(forgotten.group);
    }
    if (similar.messages.length < similarLimit) return false;
    similar.messages.shift();
    return true;
  }

  #takeToken(subject: Subject, nowMs: number): boolean {
    let { bucket } = subject;
    if (bucket === undefined) {
      bucket = { subject, tokens: spamBurst, filledMs: nowMs, older: undefined, newer: undefined };
      subject.bucket = bucket;
    }
    bucket.tokens = Math.min(spamBurst, bucket.tokens + (nowMs - bucket.filledMs) / spamRefillMs);
    bucket.filledMs = nowMs;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    const forgotten = this.#buckets.use(bucket);
    if (forgotten !== undefined) {
      forgotten.subject.bucket = undefined;
      this.#forgetIfEmpty(forgotten.subject);
    }
    return allowed;
  }

  #subjectOf(occurrence: Occurrence): Subject {
    const id = idOf(occurrence);
    const first = this.#subjects.get(id);
    for (let known = first; known !== undefined; known = known.next) if (isAbout(known.of, occurrence)) return known;
    const subject: Subject = { of: occurrence, bucket: undefined, groups: [], next: first };
    this.#subjects.set(id, subject);
    return subject;
  }

  #tidy(group: Group): void {
    if (group.similar !== undefined || group.written.length > 0) return;
    const { groups } = group.subject;
    groups.splice(groups.indexOf(group), 1);
    this.#forgetIfEmpty(group.subject);
  }

  #forgetIfEmpty(subject: Subject): void {
    if (subject.bucket !== undefined || subject.groups.length > 0) return;
    const id = idOf(subject.of);
    let before = this.#subjects.get(id);
    if (before !== subject) {
      while (before !== undefined && before.next !== subject) before = before.next;
      if (before !== undefined) before.next = subject.next;
    } else if (subject.next === undefined) this.#subjects.delete(id);
    else this.#subjects.set(id, subject.next);
  }
}

/** Not everything that is told about has a uid. */
function idOf({ uid, name }: Occurrence): string {
  return uid === "" ? name : uid;
}

function isAbout(a: Occurrence, b: Occurrence): boolean {
  return a.uid === b.uid && a.name === b.name && a.namespace === b.namespace && a.kind === b.kind && a.apiVersion === b.apiVersion;
}

function groupOf(subject: Subject, occurrence: Occurrence): Group {
  const { type, reason } = occurrence;
  for (const known of subject.groups) if (known.of.reason === reason && known.of.type === type) return known;
  const group: Group = { subject, of: occurrence, similar: undefined, written: [] };
  subject.groups.push(group);
  return group;
}

function writtenAs(group: Group, { message, occurrence: { fieldPath } }: EventKey): Written | undefined {
  return group.written.find((each) => each.message === message && (message === undefined || each.fieldPath === fieldPath));
}
