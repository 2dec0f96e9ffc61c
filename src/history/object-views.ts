// One object for the inspector: its state, its events, whom it belongs to, what belongs to it, and its recorded versions.

import type { OwnerReference } from "#cluster/api/generated/types.ts";
import { type KubeObject, keyOf } from "#cluster/api/objects.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import { controllerOf } from "#cluster/controllers/ownership.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { StoredObjects } from "#world/happenings.ts";
import { changesBetween } from "./changes.ts";
import { componentOf } from "./components.ts";
import { type EventFields, eventSubject, eventsTable, verbOfWrite } from "./entry-views.ts";
import { keyOfRef, refOf } from "./object-keys.ts";
import { yamlOf } from "./object-yaml.ts";
import { PastState } from "./past.ts";
import type { EventView, FoundObject, HistoryAsked, ObjectRef, ObjectView, VersionView } from "./questions.ts";
import type { Recorder, WriteEntry } from "./recorder.ts";

const changesShown = 4;
const eventsShown = 50;

/** The recorded writes of one object, newest first. */
export function writesOf(recorder: Recorder, ref: ObjectRef): readonly WriteEntry[] {
  const key = keyOfRef(ref);
  const found: WriteEntry[] = [];
  for (const ring of [recorder.entries, recorder.beats]) {
    for (const entry of ring.backwards())
      if (entry.kind === "write" && entry.resource === ref.resource && entry.write.key === key) found.push(entry);
    if (found.length > 0) break;
  }
  return found;
}

/** Null for an object of which nothing is known. */
export function objectView(objects: StoredObjects, recorder: Recorder, asked: HistoryAsked<"object">): ObjectView | null {
  const { object: ref, version, atMs } = asked;
  const kind = objects.kindOf(ref.resource);
  if (kind === undefined) return null;
  const past = new PastState(objects, recorder, atMs ?? Number.POSITIVE_INFINITY);
  const writes = writesOf(recorder, ref);
  const chosen = version === undefined ? undefined : writes.find(({ sequence }) => sequence === version)?.write.object;
  const present = past.get(ref.resource, keyOfRef(ref));
  const known = chosen ?? present ?? writes.find(({ timeMs }) => timeMs <= (atMs ?? timeMs))?.write.object;
  if (known === undefined) return null;
  const nowMs = atMs ?? objects.nowMs;
  const { uid = "", creationTimestamp = "", labels = {} } = known.metadata;
  return {
    ref,
    kind: kind.kind,
    uid,
    yaml: yamlOf(kind, known),
    columns: kind.columns(known, nowMs),
    labels: Object.entries(labels),
    createdMs: tryParseTime(creationTimestamp) ?? Number.NaN,
    gone: present === undefined,
    owners: [...ownersOf(objects, past, known), { ...ref, kind: kind.kind, gone: present === undefined }],
    owned: ownedBy(objects, past, uid),
    events: eventsOf(past, uid),
    versions: writes.map(versionView),
  };
}

function versionView(entry: WriteEntry): VersionView {
  const { object, previous, deleted } = entry.write;
  const changed =
    previous === undefined || deleted ? { changes: [], moreChanges: 0 } : changesBetween(previous, object, changesShown);
  return {
    sequence: entry.sequence,
    timeMs: entry.timeMs,
    resourceVersion: object.metadata.resourceVersion ?? "",
    component: componentOf(entry.request),
    verb: verbOfWrite(entry),
    subresource: entry.request?.subresource ?? "",
    ...changed,
  };
}

/** Topmost first. The managing owner of each, as garbage collection follows them. */
function ownersOf(objects: StoredObjects, past: PastState, object: KubeObject): ObjectView["owners"] {
  const owners: ObjectView["owners"][number][] = [];
  const seen = new Set<string>();
  let current: KubeObject | undefined = object;
  while (current !== undefined) {
    const references: readonly OwnerReference[] | undefined = current.metadata.ownerReferences;
    const reference: OwnerReference | undefined = controllerOf(current) ?? references?.[0];
    if (reference === undefined || seen.has(reference.uid)) break;
    seen.add(reference.uid);
    const resource = objects.resourceOf(reference.apiVersion, reference.kind);
    const namespaced = objects.kindOf(resource)?.namespaced !== false;
    const ref = { resource, namespace: namespaced ? (object.metadata.namespace ?? "") : "", name: reference.name };
    const owner = past.get(resource, keyOfRef(ref));
    current = owner?.metadata.uid === reference.uid ? owner : undefined;
    owners.unshift({ ...ref, kind: reference.kind, gone: current === undefined });
  }
  return owners;
}

function ownedBy(objects: StoredObjects, past: PastState, uid: string): ObjectView["owned"] {
  return past.resources.flatMap((resource) => {
    const mine = past
      .list(resource)
      .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true);
    if (mine.length === 0) return [];
    const kind = objects.kindOf(resource)?.kind ?? "";
    return mine.map((object) => ({ ...refOf(resource, keyOf(object)), kind }));
  });
}

function eventsOf(past: PastState, uid: string): readonly EventView[] {
  const mine: EventView[] = [];
  for (const object of past.list(eventsTable)) {
    const event = object as KubeObject & EventFields;
    if (eventSubject(event).uid !== uid) continue;
    mine.push({
      type: event.type ?? "",
      reason: event.reason ?? "",
      message: event.message ?? event.note ?? "",
      source: event.source?.component ?? event.reportingComponent ?? "",
      count: event.series?.count ?? event.count ?? 1,
      lastMs:
        tryParseTime(
          event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? "",
        ) ?? Number.NaN,
    });
  }
  return mine.sort((a, b) => b.lastMs - a.lastMs).slice(0, eventsShown);
}

/** Objects whose kind, resource, namespace or name hold the words, in the order of learners' interest: their own first. */
export function findObjects(
  objects: StoredObjects,
  recorder: Recorder,
  { text, limit, atMs }: HistoryAsked<"find">,
): readonly FoundObject[] {
  const words = asciiLowerCase(text)
    .split(/[\s/]+/)
    .filter((word) => word !== "");
  const past = new PastState(objects, recorder, atMs ?? Number.POSITIVE_INFINITY);
  const found: FoundObject[] = [];
  for (const resource of past.resources) {
    const stored = objects.kindOf(resource);
    if (stored === undefined || resource === eventsTable) continue;
    const { kind, shortNames } = stored;
    const heads = [asciiLowerCase(kind), resource, ...shortNames];
    for (const object of past.list(resource)) {
      const ref = refOf(resource, keyOf(object));
      if (words.every((word) => matches(word, heads, ref))) found.push({ ...ref, kind });
    }
  }
  return found.sort((a, b) => interest(a) - interest(b)).slice(0, limit);
}

function matches(word: string, heads: readonly string[], { namespace, name }: ObjectRef): boolean {
  return heads.some((head) => head.startsWith(word)) || namespace === word || asciiLowerCase(name).includes(word);
}

const common = [
  "pods",
  "deployments.apps",
  "replicasets.apps",
  "services",
  "statefulsets.apps",
  "daemonsets.apps",
  "jobs.batch",
  "cronjobs.batch",
  "configmaps",
  "secrets",
  "persistentvolumeclaims",
  "ingresses.networking.k8s.io",
  "nodes",
  "namespaces",
];

function interest({ resource, namespace }: FoundObject): number {
  const place = common.indexOf(resource);
  return (place < 0 ? common.length : place) + (namespace.startsWith("kube-") ? 100 : 0);
}
