// Describers that need nothing but the object and its events.

import type { Stored } from "#cluster/api/objects.ts";
import type { Describer, EventSubject, Lookup } from "./describer.ts";
import { Description } from "./description.ts";
import { describeEvents } from "./events.ts";

export function subjectOf(object: Stored<unknown>): EventSubject {
  const { name, namespace = "", uid } = object.metadata;
  return { name, namespace, kind: object.kind, uid };
}

/** Lines written from the object, and its events below them. */
export function withEvents<T>(write: (out: Description, object: Stored<T>, lookup: Lookup) => void): Describer<Stored<T>> {
  return function* (object, lookup) {
    const events = yield* lookup.events(subjectOf(object));
    const out = new Description();
    write(out, object, lookup);
    if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
    return out.finish();
  };
}

/** Lines written from the object; kubectl shows no events of these kinds. */
export function withoutEvents<T>(write: (out: Description, object: Stored<T>) => void): Describer<Stored<T>> {
  return function* (object) {
    const out = new Description();
    write(out, object);
    return out.finish();
  };
}

/** Name, namespace where there is one, labels and annotations. */
export function describeHead(out: Description, { metadata }: Stored<unknown>): void {
  out.field("Name", metadata.name);
  if (metadata.namespace !== undefined) out.field("Namespace", metadata.namespace);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
}
