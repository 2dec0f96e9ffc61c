// Entries of the recorder as the page shows them.

import type { KubeObject } from "#cluster/api/objects.ts";
import { splitKey } from "#cluster/api/objects.ts";
import { changesBetween } from "./changes.ts";
import { componentOf, kubelet, scheduler } from "./components.ts";
import type { Component, EntryView, ObjectRef } from "./questions.ts";
import type { HistoryEntry, RuntimeEntry, WriteEntry } from "./recorder.ts";

const changesShown = 3;
const nothing = { subresource: "", text: "", reason: "", changes: [], moreChanges: 0 } as const;
/** Both groups' Events lie in one table. */
export const eventsTable = "events";

/** The fields of an Event of either group that are shown. */
export interface EventFields {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly count?: number;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
  readonly involvedObject?: EventSubject;
  readonly regarding?: EventSubject;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
}

interface EventSubject {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** The table of a kind, for subjects of Events. */
export type ResourceOfKind = (apiVersion: string, kind: string) => string;

export function eventSubject(event: KubeObject & EventFields): EventSubject {
  return event.involvedObject ?? event.regarding ?? {};
}

export function componentOfEntry(entry: HistoryEntry): Component {
  switch (entry.kind) {
    case "write":
      return componentOf(entry.request);
    case "refusal":
      return componentOf(entry.request);
    case "decision":
      return scheduler;
    case "runtime":
      return kubelet(entry.nodeName);
  }
}

/** The object that an entry is about; of an Event its subject. */
export function objectOfEntry(entry: HistoryEntry, resourceOf: ResourceOfKind): ObjectRef {
  switch (entry.kind) {
    case "write": {
      if (entry.resource !== eventsTable) return writtenObject(entry);
      const {
        apiVersion = "",
        kind = "",
        namespace = "",
        name = "",
      } = eventSubject(entry.write.object as KubeObject & EventFields);
      return { resource: resourceOf(apiVersion, kind), namespace: kind === "Node" ? "" : namespace, name };
    }
    case "refusal": {
      const { group, resource, namespace, objectName } = entry.request;
      return { resource: group === "" ? resource : `${resource}.${group}`, namespace, name: objectName };
    }
    case "decision":
      return { resource: "pods", ...splitKey(entry.decision.podKey) };
    case "runtime":
      return { resource: "pods", namespace: entry.act.pod.namespace, name: entry.act.pod.name };
  }
}

export function writtenObject({ resource, write }: WriteEntry): ObjectRef {
  return { resource, ...splitKey(write.key) };
}

export function verbOfWrite({ write, request }: WriteEntry): string {
  if (request !== undefined) return request.verb === "deletecollection" ? "delete" : request.verb;
  if (write.deleted) return "expire";
  return write.previous === undefined ? "create" : "update";
}

export function entryView(entry: HistoryEntry, resourceOf: ResourceOfKind): EntryView {
  const { sequence, timeMs } = entry;
  const common = {
    sequence,
    timeMs,
    component: componentOfEntry(entry),
    object: objectOfEntry(entry, resourceOf),
    ...nothing,
  };
  switch (entry.kind) {
    case "write":
      return { ...common, ...(isEvent(entry) ? eventView(entry) : writeView(entry)) };
    case "refusal": {
      const { verb, subresource, resource } = entry.request;
      return { ...common, kind: "refusal", verb, subresource, objectKind: resource, text: entry.message };
    }
    case "decision": {
      const { outcome, nodeName, message } = entry.decision;
      return { ...common, kind: "decision", verb: outcome, objectKind: "Pod", text: message === "" ? nodeName : message };
    }
    case "runtime":
      return { ...common, kind: "runtime", verb: entry.act.act, objectKind: "Pod", text: runtimeText(entry) };
  }
}

/** A new or changed Event, as opposed to one that goes because its time is over. */
export function isEvent(entry: HistoryEntry): boolean {
  return entry.kind === "write" && entry.resource === eventsTable && !entry.write.deleted;
}

function eventView({ write }: WriteEntry) {
  const event = write.object as KubeObject & EventFields;
  return {
    kind: "event" as const,
    verb: event.type ?? "",
    objectKind: eventSubject(event).kind ?? "",
    reason: event.reason ?? "",
    text: event.message ?? event.note ?? "",
  };
}

function writeView(entry: WriteEntry) {
  const { object, previous, deleted } = entry.write;
  const changed =
    previous === undefined || deleted ? { changes: [], moreChanges: 0 } : changesBetween(previous, object, changesShown);
  return {
    kind: "write" as const,
    verb: verbOfWrite(entry),
    subresource: entry.request?.subresource ?? "",
    objectKind: object.kind,
    ...changed,
  };
}

function runtimeText({ act }: RuntimeEntry): string {
  return [act.container, act.detail].filter((part) => part !== "").join(": ");
}
