import type { CoreV1Event, EventsV1Event } from "#cluster/api/generated/types.ts";
import { eventsV1 as type } from "#cluster/api/kinds.ts";
import { eventColumns, eventRow } from "../core/events/event-columns.ts";
import { validateEvent, validateStrictEvent, validateStrictEventUpdate } from "../core/events/event-validation.ts";
import { eventLifetimeMs } from "../core/events/events.ts";
import { defineResource, type Typed } from "../definition.ts";

type Core = Typed<CoreV1Event>;
type Event = Typed<EventsV1Event>;

/** The same objects as core's events, with other names for some fields; stored in core's form. */
export const eventsV1 = defineResource(type, {
  shortNames: ["ev"],
  storage: "events",
  refusedAsGroup: "",
  timeToLiveMs: eventLifetimeMs,
  toStorage: (event) => ({ ...toCore(event) }),
  fromStorage: (stored) => ({ ...fromCore(stored as Core) }),
  selectableFields: {
    "regarding.kind": (event) => event.regarding?.kind ?? "",
    "regarding.namespace": (event) => event.regarding?.namespace ?? "",
    "regarding.name": (event) => event.regarding?.name ?? "",
    "regarding.uid": (event) => event.regarding?.uid ?? "",
    reason: (event) => event.reason ?? "",
    reportingController: (event) => event.reportingController ?? "",
    type: (event) => event.type ?? "",
  },
  createOnUpdate: true,
  validate: (event, errors) => {
    const core = toCore(event);
    validateEvent(core, "reportingController", errors);
    validateStrictEvent(core, errors);
  },
  validateUpdate: (event, old, errors) => {
    const core = toCore(event);
    validateEvent(core, "reportingController", errors);
    validateStrictEventUpdate(core, toCore(old), errors);
  },
  columns: eventColumns,
  row: (event, context) => eventRow(toCore(event), context),
});

function toCore(event: Event): Core {
  const { regarding, note, reportingController, series, deprecatedSource, deprecatedFirstTimestamp, ...rest } = event;
  const { deprecatedLastTimestamp, deprecatedCount, ...kept } = rest;
  return {
    ...kept,
    apiVersion: "v1",
    involvedObject: regarding ?? {},
    ...(note === undefined ? {} : { message: note }),
    ...(reportingController === undefined ? {} : { reportingComponent: reportingController }),
    ...(series === undefined ? {} : { series }),
    ...(deprecatedSource === undefined ? {} : { source: deprecatedSource }),
    ...(deprecatedFirstTimestamp === undefined ? {} : { firstTimestamp: deprecatedFirstTimestamp }),
    ...(deprecatedLastTimestamp === undefined ? {} : { lastTimestamp: deprecatedLastTimestamp }),
    ...(deprecatedCount === undefined ? {} : { count: deprecatedCount }),
  };
}

/** An event of core's form may lack eventTime, which this form's type requires: the wire has null there. */
function fromCore(event: Core): Omit<Event, "eventTime"> {
  const { involvedObject, message, reportingComponent, series, source, firstTimestamp, lastTimestamp, count, eventTime, ...kept } =
    event;
  const { lastObservedTime, count: seriesCount } = series ?? {};
  return {
    ...kept,
    apiVersion: "events.k8s.io/v1",
    ...(eventTime === undefined ? {} : { eventTime }),
    ...(involvedObject === undefined ? {} : { regarding: involvedObject }),
    ...(message === undefined ? {} : { note: message }),
    ...(reportingComponent === undefined ? {} : { reportingController: reportingComponent }),
    ...(lastObservedTime === undefined || seriesCount === undefined ? {} : { series: { lastObservedTime, count: seriesCount } }),
    ...(source === undefined ? {} : { deprecatedSource: source }),
    ...(firstTimestamp === undefined ? {} : { deprecatedFirstTimestamp: firstTimestamp }),
    ...(lastTimestamp === undefined ? {} : { deprecatedLastTimestamp: lastTimestamp }),
    ...(count === undefined ? {} : { deprecatedCount: count }),
  };
}
